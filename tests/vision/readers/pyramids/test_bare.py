"""The empty table is seen as the camera of today would see it."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.plan import Mat
from vision.calibration.calibration import EmptyTable
from vision.image.picture import Picture, read_picture
from vision.readers.pyramids.sheet import KNOWN, LIGHT, RATIO, bare_light, beside_empty, inputs, sheet_of
from vision.registration.registered_image import RegisteredImage, find_table

DATA = Path(__file__).parents[3] / "data" / "calibration"
MAT = Mat(600, 400, 40)


def seen(picture: Picture) -> tuple[RegisteredImage, np.ndarray]:
    table = find_table(picture, MAT)
    sheet = sheet_of(table.pose, MAT, table.pose.size_px)
    return table, inputs(table.picture, sheet, table.pose, table.light)


@pytest.fixture(scope="module")
def empty() -> EmptyTable:
    table = find_table(read_picture(DATA / "stripes-empty.jpg"), MAT)
    return EmptyTable(table.picture, table.pose, table.light, MAT)


def test_from_the_same_place_it_is_the_picture_itself(empty: EmptyTable) -> None:
    sheet = sheet_of(empty.pose, MAT, empty.pose.size_px)
    light, known = bare_light(sheet, empty.pose, empty)
    assert np.array_equal(light, inputs(empty.picture, sheet, empty.pose, empty.light)[LIGHT])
    assert known[16:-48, 16:-48].all()


def test_a_knocked_camera_sees_stripes_where_they_are(empty: EmptyTable) -> None:
    matrix = cv2.getRotationMatrix2D((640, 360), -3.0, 1.02)
    knocked = np.asarray(cv2.warpAffine(empty.picture, matrix, (1280, 720)), np.uint8)
    table, now = seen(knocked)
    sheet = sheet_of(table.pose, MAT, table.pose.size_px)
    there = beside_empty(now, sheet, table.pose, empty)
    inner = np.s_[:, 150:450, 300:900]
    assert there[KNOWN][inner].all()
    assert now[LIGHT][inner].std() > 0.3
    assert np.abs(there[RATIO][inner]).mean() < 0.08


def test_another_exposure_makes_no_difference(empty: EmptyTable) -> None:
    darker = np.asarray(empty.picture * 0.8, np.uint8)
    sheet = sheet_of(empty.pose, MAT, empty.pose.size_px)
    there = beside_empty(inputs(darker, sheet, empty.pose, empty.light), sheet, empty.pose, empty)
    assert np.abs(there[RATIO]).mean() < 0.05


def test_a_part_of_a_sheet_is_where_it_says(empty: EmptyTable) -> None:
    sheet = sheet_of(empty.pose, MAT, empty.pose.size_px)
    same = np.ones((180, 320), np.uint8)
    same[80:90, 150:170] = 0
    (part,) = sheet.around(same)
    assert part != sheet
    whole = inputs(empty.picture, sheet, empty.pose, empty.light)[LIGHT]
    alone = inputs(empty.picture, part, empty.pose, empty.light)[LIGHT]
    assert np.abs(whole[:, *sheet.part(part)] - alone).mean() < 0.02

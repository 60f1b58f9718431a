"""The print of a table is taken out of a picture, in front of plastic and beside it."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.plan import Mat
from vision.calibration.calibration import EmptyTable
from vision.image.light import LINEAR
from vision.image.picture import Picture, read_picture
from vision.readers.pyramids.sheet import KNOWN, LIGHT, RATIO, Sheet, beside_empty, inputs, sheet_of
from vision.readers.pyramids.unprinted import Unprinted, without_print
from vision.registration.registered_image import find_table

DATA = Path(__file__).parents[3] / "data" / "calibration"
MAT = Mat(600, 400, 40)
PART = np.s_[330:370, 600:640]
"""A square of the picture, across stripes."""


def calibrated(picture: Picture) -> EmptyTable:
    table = find_table(read_picture(DATA / "stripes-empty.jpg"), MAT)
    return EmptyTable(picture, table.pose, table.light, MAT)


@pytest.fixture(scope="module")
def empty() -> EmptyTable:
    return calibrated(read_picture(DATA / "stripes-empty.jpg"))


def with_plastic(empty: EmptyTable, share: float, own: float) -> Picture:
    """The table with a square piece on it that lets a share of its light through, and adds light of its own."""
    light = LINEAR[empty.picture[PART]] * share + own
    picture = empty.picture.copy()
    picture[PART] = np.searchsorted(LINEAR, np.clip(light, 0, 1))
    return picture


def unprinted(picture: Picture, empty: EmptyTable) -> tuple[np.ndarray, Sheet, Unprinted]:
    sheet = sheet_of(empty.pose, MAT, empty.pose.size_px)
    seen = beside_empty(inputs(picture, sheet, empty.pose, empty.light), sheet, empty.pose, empty)
    found = without_print(picture, seen, sheet, [sheet], empty.pose, empty.light, empty)
    assert found is not None
    return seen, sheet, found


def inside(sheet: Sheet, margin_px: int = 4) -> tuple[slice, slice]:
    """The part of a sheet that shows the piece, without its border."""
    rows, columns = PART
    corners = np.array([(columns.start, rows.start), (columns.stop, rows.stop)], np.float64)
    (left, top), (right, bottom) = np.rint(sheet.to_sheet(corners)).astype(int)
    return slice(top + margin_px, bottom - margin_px), slice(left + margin_px, right - margin_px)


def edges(logs: np.ndarray) -> float:
    """How much places two millimeters apart differ at the strongest edges; wide stripes may fade into each other."""
    apart = [np.abs(logs[:, :, 3:] - logs[:, :, :-3]), np.abs(logs[:, 3:] - logs[:, :-3])]
    return max(float(np.quantile(one, 0.98)) for one in apart)


def test_a_free_table_has_no_edges(empty: EmptyTable) -> None:
    seen, _, found = unprinted(with_plastic(empty, 0.5, 0.02), empty)
    free = np.s_[:, 150:250, 100:200]
    assert edges(seen[LIGHT][free]) > 0.4
    assert edges(found.inputs[0][LIGHT][free]) < 0.2
    assert np.abs(found.inputs[0][RATIO][free]).mean() < 0.05


@pytest.mark.parametrize(("share", "own"), [(0.7, 0.01), (0.4, 0.03)])
def test_stripes_do_not_show_through_plastic(empty: EmptyTable, share: float, own: float) -> None:
    seen, sheet, found = unprinted(with_plastic(empty, share, own), empty)
    part = (slice(None), *inside(sheet))
    assert edges(found.inputs[0][LIGHT][part]) < 0.5 * edges(seen[LIGHT][part])
    assert (found.inputs[0][RATIO][part].mean(axis=(1, 2)) < -0.1).all() == (
        seen[RATIO][part].mean(axis=(1, 2)) < -0.1
    ).all()


def test_an_opaque_piece_gets_no_stripes(empty: EmptyTable) -> None:
    _, sheet, found = unprinted(with_plastic(empty, 0.0, 0.2), empty)
    assert edges(found.inputs[0][LIGHT][(slice(None), *inside(sheet))]) < 0.15


def test_the_picture_loses_its_print_as_the_sheet_does(empty: EmptyTable) -> None:
    _, sheet, found = unprinted(with_plastic(empty, 0.5, 0.02), empty)
    again = inputs(found.picture, sheet, empty.pose, empty.light)[LIGHT]
    free = np.s_[:, 150:250, 100:200]
    assert edges(again[free]) < 0.2
    assert np.abs(again[free] - found.inputs[0][LIGHT][free]).mean() < 0.08


def test_what_the_empty_table_does_not_show_stays(empty: EmptyTable) -> None:
    seen, _, found = unprinted(with_plastic(empty, 0.5, 0.02), empty)
    unknown = seen[KNOWN][0] == 0
    assert np.array_equal(found.inputs[0][LIGHT][:, unknown], seen[LIGHT][:, unknown])


def test_a_plain_table_is_read_as_it_is(empty: EmptyTable) -> None:
    even = calibrated(np.asarray(cv2.blur(empty.picture, (301, 301)), np.uint8))
    sheet = sheet_of(even.pose, MAT, even.pose.size_px)
    seen = beside_empty(inputs(even.picture, sheet, even.pose, even.light), sheet, even.pose, even)
    assert without_print(even.picture, seen, sheet, [sheet], even.pose, even.light, even) is None


def test_a_part_is_the_same_as_in_the_whole(empty: EmptyTable) -> None:
    picture = with_plastic(empty, 0.5, 0.02)
    seen, sheet, found = unprinted(picture, empty)
    same = np.ones((picture.shape[0] // 4, picture.shape[1] // 4), np.uint8)
    same[PART[0].start // 4 : PART[0].stop // 4, PART[1].start // 4 : PART[1].stop // 4] = 0
    (part,) = sheet.around(same)
    alone = without_print(picture, seen, sheet, [part], empty.pose, empty.light, empty)
    assert alone is not None and part.size < sheet.size
    where = (slice(None), *(slice(one.start + 40, one.stop - 40) for one in sheet.part(part)))
    assert np.abs(alone.inputs[0][LIGHT][:, 40:-40, 40:-40] - found.inputs[0][LIGHT][where]).mean() < 0.02
    assert np.abs(alone.picture[PART].astype(int) - found.picture[PART]).mean() < 3
    assert np.array_equal(alone.picture[:40], picture[:40])

"""A marble table is shown empty once, and known again."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from companion.core.foundation.errors import WrongTable, WrongUsage
from companion.core.plan import Mat
from vision.calibration.calibration import Calibration
from vision.image.picture import Picture, read_picture
from vision.registration.registered_image import find_table
from vision.setup.calibrating import calibrate

DATA = Path(__file__).parents[2] / "data" / "calibration"
MAT = Mat(600, 400, 40)


@pytest.fixture(scope="module")
def empty() -> Picture:
    return read_picture(DATA / "marble-empty.jpg")


@pytest.fixture(scope="module")
def marble(empty: Picture) -> Calibration:
    return calibrate("pyramids", MAT, [empty]).calibration


def test_the_camera_that_stands_where_it_stood_keeps_its_pose(marble: Calibration) -> None:
    table = find_table(read_picture(DATA / "marble-scatter.jpg"), MAT, calibration=marble)
    assert table.pose == marble.empty.pose
    assert table.calibration is marble


def test_a_knocked_camera_is_placed_anew_with_the_lens_that_is_known(marble: Calibration) -> None:
    picture = read_picture(DATA / "marble-scatter.jpg")
    matrix = cv2.getRotationMatrix2D((640, 360), 2.0, 1.0)
    knocked = np.asarray(cv2.warpAffine(picture, matrix, (1280, 720), borderMode=cv2.BORDER_REFLECT), np.uint8)
    table = find_table(knocked, MAT, calibration=marble)
    assert table.pose != marble.empty.pose
    assert table.pose.focal_px == pytest.approx(marble.empty.pose.focal_px, rel=0.02)
    corners = np.column_stack([np.array(MAT.corners_mm()), np.zeros(4)])
    wanted = marble.empty.pose.project(corners) @ matrix[:, :2].T + matrix[:, 2]
    assert np.abs(table.pose.project(corners) - wanted).max() < 1.5


def test_another_table_is_refused(marble: Calibration) -> None:
    with pytest.raises(WrongTable, match="does not look like the one that was shown empty"):
        find_table(read_picture(DATA / "stripes-empty.jpg"), MAT, calibration=marble)


def test_another_mat_is_refused(marble: Calibration, empty: Picture) -> None:
    with pytest.raises(WrongTable, match="600 x 400 mm mat"):
        find_table(empty, Mat(500, 400, 40), calibration=marble)


def test_several_empty_pictures_tell_the_noise(empty: Picture) -> None:
    noise = np.random.default_rng(1).normal(0, 3, empty.shape)
    second = np.clip(empty + noise, 0, 255).astype(np.uint8)
    both = calibrate("pyramids", MAT, [empty, second]).calibration.empty
    assert both.noise > 0.01
    assert np.abs(both.picture.astype(float) - empty).mean() < np.abs(second.astype(float) - empty).mean()


def test_empty_pictures_from_two_places_are_refused(empty: Picture) -> None:
    moved = np.roll(empty, 12, axis=1)
    with pytest.raises(WrongTable, match="moved between the first empty picture and number 2"):
        calibrate("pyramids", MAT, [empty, moved])


def test_what_is_not_read_so_is_refused(empty: Picture) -> None:
    with pytest.raises(WrongUsage, match="not read with an empty table"):
        calibrate("chess", MAT, [empty])


def test_a_smaller_picture_of_the_same_camera_is_known_too(marble: Calibration) -> None:
    picture = read_picture(DATA / "marble-scatter.jpg")
    half = np.asarray(cv2.resize(picture, (960, 540), interpolation=cv2.INTER_AREA), np.uint8)
    table = find_table(half, MAT, calibration=marble)
    assert table.pose.focal_px == pytest.approx(marble.empty.pose.focal_px * 0.75, rel=1e-6)
    assert replace(table.pose, size_px=(0, 0)).k1 == marble.empty.pose.k1

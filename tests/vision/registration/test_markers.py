"""Markers: as printed, as found, and found again where they are expected."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from msgspec import structs

from tests.vision.labeled import MAT, load
from vision.registration.markers import FAR_CELLS, find_markers, look_again, looks_mirrored, marker_cells
from vision.registration.pose_estimate import center_px
from vision.registration.registered_image import find_table


def test_a_marker_as_printed_has_a_black_border_around_four_by_four_cells() -> None:
    for number in range(4):
        cells = np.array(marker_cells(number))
        assert cells.shape == (6, 6)
        assert not cells[[0, -1]].any() and not cells[:, [0, -1]].any()
        assert cells.any()


@pytest.mark.parametrize("number", range(4))
def test_what_is_printed_is_found(number: int) -> None:
    cells = np.array(marker_cells(number), np.uint8) * 255
    sheet = np.full((300, 400, 3), 255, np.uint8)
    sheet[80:200, 150:270] = np.repeat(np.repeat(cells, 20, 0), 20, 1)[..., None]
    seen = find_markers(sheet)
    assert list(seen) == [number]
    assert center_px(seen[number][0]) == pytest.approx((209.5, 139.5), abs=0.6)


def test_other_markers_of_the_dictionary_are_nobody_s() -> None:
    image = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), 17, 120)
    sheet = np.full((300, 400, 3), 255, np.uint8)
    sheet[80:200, 150:270] = np.asarray(image)[..., None]
    assert find_markers(sheet) == {}


def test_two_sheets_with_one_number_are_both_seen() -> None:
    cells = np.repeat(np.repeat(np.array(marker_cells(2), np.uint8) * 255, 15, 0), 15, 1)[..., None]
    sheet = np.full((300, 500, 3), 255, np.uint8)
    sheet[100:190, 60:150] = cells
    sheet[100:190, 340:430] = cells
    assert len(find_markers(sheet)[2]) == 2


def test_a_marker_is_found_again_where_the_pose_expects_it() -> None:
    picture, label = load("spectrangle-0030")
    table = find_table(picture, MAT)
    again = look_again(picture, table.pose, MAT, range(4))
    for number, corners in again.items():
        assert center_px(corners[0]) == pytest.approx(label["mat"]["corners_px"][number], abs=1.5)
    assert len(again) >= 3


def test_a_marker_is_found_again_where_a_pose_from_two_markers_is_40_mm_off() -> None:
    picture, label = load("spectrangle-0030")
    pose = find_table(picture, MAT).pose
    turn = np.asarray(cv2.Rodrigues(np.array(pose.rvec))[0])
    x, y, z = (float(v) for v in np.array(pose.tvec) + turn @ (-25.0, 31.0, 0.0))
    again = look_again(picture, structs.replace(pose, tvec=(x, y, z)), MAT, range(4), FAR_CELLS)
    assert len(again) >= 3
    for number, corners in again.items():
        assert center_px(corners[0]) == pytest.approx(label["mat"]["corners_px"][number], abs=1.5)


def test_only_a_flipped_picture_looks_mirrored() -> None:
    picture, _ = load("spectrangle-0030")
    assert not looks_mirrored(picture)
    assert looks_mirrored(np.ascontiguousarray(picture[:, ::-1]))

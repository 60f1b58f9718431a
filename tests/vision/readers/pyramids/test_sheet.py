"""A sheet shows the mat at one scale, in units of white paper."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.readers.pyramids.ideal import MAT, SIZE_PX, camera
from vision.readers.pyramids.sheet import CHANNELS, PX_PER_MM, inputs, sheet_of


class White:
    """The same white everywhere."""

    def __init__(self, level: float) -> None:
        self.level = level

    def white(self, xy_mm: np.ndarray) -> np.ndarray:
        return np.full((len(xy_mm), 3), self.level)


@pytest.mark.parametrize("tilt_deg", [0.0, 30.0, 50.0])
def test_the_scale_at_the_middle_is_the_same_for_all_cameras(tilt_deg: float) -> None:
    eye = camera(tilt_deg)
    sheet = sheet_of(eye, MAT, SIZE_PX)
    seen = sheet.to_sheet(eye.project(np.array([(300, 200, 0), (305, 200, 0), (300, 205, 0)])))
    right, down = seen[1] - seen[0], seen[2] - seen[0]
    assert np.sqrt(abs(right[0] * down[1] - right[1] * down[0])) / 5 == pytest.approx(PX_PER_MM, rel=0.02)
    assert all(side % 32 == 0 for side in sheet.size)


def test_pixels_go_there_and_back() -> None:
    sheet = sheet_of(camera(), MAT, SIZE_PX)
    pixels = np.array([(300.0, 200.0), (900.5, 600.25)])
    assert np.allclose(sheet.to_picture(sheet.to_sheet(pixels)), pixels)


def test_half_the_light_on_a_white_half_as_bright_is_the_same() -> None:
    eye = camera()
    sheet = sheet_of(eye, MAT, SIZE_PX)
    bright, dim = np.full((720, 1280, 3), 188, np.uint8), np.full((720, 1280, 3), 137, np.uint8)
    a, b = inputs(bright, sheet, eye, White(0.8)), inputs(dim, sheet, eye, White(0.4))
    assert a.shape == (CHANNELS, sheet.size[1], sheet.size[0])
    assert np.abs(a - b).max() < 0.03


def test_things_rise_upwards_in_a_picture_from_the_near_side() -> None:
    eye = camera(45.0)
    sheet = sheet_of(eye, MAT, SIZE_PX)
    rise = inputs(np.zeros((720, 1280, 3), np.uint8), sheet, eye, White(0.5))[3:5]
    assert (rise[1] < -0.4).all()


def test_only_what_changed_is_cut_out() -> None:
    sheet = sheet_of(camera(), MAT, SIZE_PX)
    same = np.ones((180, 320), np.uint8)
    same[90:95, 150:160] = 0
    (part,) = sheet.around(same)
    assert part.scale == sheet.scale
    assert part.size[0] < 0.35 * sheet.size[0]
    middle = part.to_sheet(np.array([(620.0, 370.0)]))[0]
    assert (middle > 30).all()
    assert (middle < np.array(part.size) - 30).all()
    assert sheet.around(np.zeros((180, 320), np.uint8)) == [sheet]
    assert sheet.around(np.ones((180, 320), np.uint8)) == []

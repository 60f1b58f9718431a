"""A closeup shows one place at one scale, whatever the camera, with up upwards."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.readers.pyramids.ideal import MAT, SIZE_PX, camera
from vision.readers.pyramids.closeup import CHANNELS, HEIGHT, PLACE, PX_PER_MM, WIDTH, Closeup, closeup, cut, shown
from vision.readers.pyramids.sheet import CHANNELS as SHEET_CHANNELS
from vision.readers.pyramids.sheet import KNOWN, LIGHT, RATIO, Sheet, directions, sheet_of
from vision.readers.pyramids.training.drawn.camera import DrawnCamera


def at(x: float, y: float, tilt_deg: float) -> tuple[Closeup, Sheet, DrawnCamera]:
    eye = camera(tilt_deg)
    sheet = sheet_of(eye, MAT, SIZE_PX)
    rise, scale = directions(sheet, eye, np.array([(x, y)]))
    place = sheet.to_sheet(eye.project(np.array([(x, y, 0.0)])))[0]
    return closeup(place, rise[0], float(scale[0])), sheet, eye


@pytest.mark.parametrize(("x", "y", "tilt_deg"), [(300, 200, 5), (100, 80, 25), (520, 330, 48)])
def test_the_place_is_where_it_should_be_and_up_is_upwards(x: float, y: float, tilt_deg: float) -> None:
    close, sheet, eye = at(x, y, tilt_deg)
    seen = sheet.to_sheet(eye.project(np.array([(x, y, 0.0), (x, y, 20.0)])))
    low, high = seen @ close.matrix[:, :2].T + close.matrix[:, 2]
    assert low == pytest.approx(PLACE, abs=0.01)
    assert abs(high[0] - low[0]) < 0.5
    assert (low[1] - high[1]) / (20 * PX_PER_MM) == pytest.approx(close.rise, abs=0.04)
    assert close.back(low[None])[0] == pytest.approx(seen[0], abs=0.01)


@pytest.mark.parametrize("tilt_deg", [5, 45])
def test_millimeters_are_as_large_everywhere(tilt_deg: float) -> None:
    for x, y in ((60, 60), (540, 340)):
        close, sheet, eye = at(x, y, tilt_deg)
        seen = sheet.to_sheet(eye.project(np.array([(x, y, 0), (x + 5, y, 0), (x, y + 5, 0)]))) @ close.matrix[:, :2].T
        right, down = seen[1] - seen[0], seen[2] - seen[0]
        assert np.sqrt(abs(right[0] * down[1] - right[1] * down[0])) / 5 == pytest.approx(PX_PER_MM, rel=0.03)


def test_what_is_cut_has_light_rise_and_what_differs_from_the_empty_table() -> None:
    close, sheet, _ = at(300, 200, 40)
    seen = np.zeros((SHEET_CHANNELS, sheet.size[1], sheet.size[0]), np.float32)
    seen[LIGHT] = 0.5
    alone = cut(shown(seen), close)
    assert alone.shape == (CHANNELS, HEIGHT, WIDTH)
    assert (alone[:3] == 0.5).all()
    assert (alone[3] == np.float32(close.rise)).all()
    assert not alone[4:].any()
    seen[RATIO], seen[KNOWN] = -0.25, 1
    beside = cut(shown(seen), close)
    assert (beside[:4] == alone[:4]).all()
    assert (beside[4:7] == -0.25).all()
    assert (beside[7] == 1).all()


def test_straight_from_above_any_direction_will_do() -> None:
    close = closeup(np.array([100.0, 100.0]), np.zeros(2), 0.0)
    assert close.rise == 0
    assert np.isfinite(close.matrix).all()

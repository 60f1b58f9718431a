"""The turn of a stack is the one whose outline holds most plastic."""

from __future__ import annotations

import pytest

from tests.vision.pyramids.cells.ideal import answers, camera, standing
from vision.pyramids.cells.turns import best_turn


@pytest.mark.parametrize("yaw", [4.0, 33.0, 70.0])
@pytest.mark.parametrize("tilt_deg", [5.0, 40.0])
def test_a_turned_stack_is_found_turned(yaw: float, tilt_deg: float) -> None:
    thing = standing(250, 180, "red large", "red medium", yaw=yaw)
    eye = camera(tilt_deg)
    told, sheet = answers([thing], eye)
    found = best_turn(thing.place.moved(0, 0, -yaw), told, sheet, eye, 3).turn_deg
    assert abs((found - yaw + 45) % 90 - 45) <= 6

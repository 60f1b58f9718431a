"""The board's geometry is the rule book's."""

from __future__ import annotations

import math

import numpy as np
import pytest

from companion.core.pieces import WHEEL
from vision.readers.pawns.wheel import SPACES, Wheel


def test_brd_1_paths_follow_each_other_clockwise_as_seen_from_above() -> None:
    wheel = Wheel(280, 280, 240, 90)
    middles = wheel.to_table(wheel.middles())
    red, orange, yellow = (middles[9 * WHEEL.index(color)] for color in ("red", "orange", "yellow"))
    assert red == pytest.approx((280, 280 - 240 + 210 / 18))  # red points up the picture, y runs down
    assert orange[0] > 280 and orange[1] < 280  # then to the right
    assert yellow[1] > orange[1]


def test_brd_2_there_are_108_spaces_and_their_middles_are_on_nine_equal_rings() -> None:
    assert len({space.spot for space in SPACES}) == 108
    assert SPACES[0].spot == "red.1" and SPACES[-1].spot == "purple-red.9"
    away = np.hypot(*Wheel(0, 0, 240, 0).middles().T).reshape(12, 9)
    assert away[0, 0] == pytest.approx(240 - 210 / 18)
    assert away[5, 8] == pytest.approx(30 + 210 / 18)
    assert np.allclose(np.diff(away, axis=1), -210 / 9)


@pytest.mark.parametrize("heading", [0, 90, 178.5, -77])
def test_board_space_and_table_space_are_each_others_reverse(heading: float) -> None:
    wheel = Wheel(270, 291, 240, heading)
    there = np.array([[0, 0], [240, 0], [-30, 55.5]])
    assert np.allclose(wheel.to_board(wheel.to_table(there)), there)
    rim = wheel.to_table(np.array([[240.0, 0.0]]))[0]
    angle = math.degrees(math.atan2(-(rim[1] - 291), rim[0] - 270))
    assert (angle - heading + 180) % 360 - 180 == pytest.approx(0)

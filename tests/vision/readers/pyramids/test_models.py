"""Shapes of pyramids are exact: they stand, lie and stack as the real ones do."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from companion.core.pieces import PYRAMID_SIZES, SHAPES
from vision.readers.pyramids.hypothesis import lifts_mm, lying, standing


@pytest.mark.parametrize("size", PYRAMID_SIZES)
@pytest.mark.parametrize("yaw", [0, 17, 45, 80])
def test_a_standing_piece_has_its_measures(size: str, yaw: float) -> None:
    points = standing(100, 50, yaw, size)
    base, tip = points[:4], points[4]
    sides = np.linalg.norm(base - np.roll(base, -1, axis=0), axis=1)
    assert sides == pytest.approx([SHAPES[size].base_mm] * 4)
    assert base.mean(axis=0) == pytest.approx([100, 50, 0])
    assert tip == pytest.approx([100, 50, SHAPES[size].height_mm])


@pytest.mark.parametrize("size", PYRAMID_SIZES)
@pytest.mark.parametrize("heading", [0, 30, 135, 300])
def test_a_lying_piece_is_the_same_body_on_its_side(size: str, heading: float) -> None:
    flat, upright = lying(100, 50, heading, size), standing(0, 0, 0, size)
    for a in range(5):
        for b in range(a):
            assert np.linalg.norm(flat[a] - flat[b]) == pytest.approx(np.linalg.norm(upright[a] - upright[b]))


def test_a_lying_piece_rests_on_a_side_and_points_along_its_heading() -> None:
    points = lying(100, 50, 90, "large")
    assert points[[0, 1, 4], 2] == pytest.approx([0, 0, 0])
    assert points[[2, 3], 2].min() > 20
    assert points[:4, :2].mean(axis=0) == pytest.approx([100, 50])
    # Counter-clockwise from above with y down: 90 degrees points to smaller y.
    assert points[4, 0] == pytest.approx(100)
    assert points[4, 1] < 50 - 40


def test_half_a_turn_of_a_lying_piece_swaps_its_ends() -> None:
    there, back = lying(0, 0, 20, "small"), lying(0, 0, 200, "small")
    assert there[4, :2] == pytest.approx(-back[4, :2])


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        (["small"], [0]),
        (["large", "large"], [0, 7.5]),
        (["large", "medium"], [0, 17.3]),
        (["large", "medium", "small"], [0, 17.3, 34.5]),
        (["large", "large", "medium", "medium"], [0, 7.5, 24.8, 32.3]),
    ],
)
def test_each_tip_of_a_stack_is_one_step_above_the_one_below(sizes: list[str], expected: list[float]) -> None:
    lifts = lifts_mm(sizes)
    assert lifts == pytest.approx(expected, abs=0.01)
    tips = [lift + SHAPES[size].height_mm for lift, size in zip(lifts, sizes, strict=True)]
    assert [b - a for a, b in pairwise(tips)] == pytest.approx([7.5] * (len(sizes) - 1))


def test_yaw_turns_counter_clockwise_seen_from_above() -> None:
    corner = standing(0, 0, 30, "large")[1] - standing(0, 0, 30, "large")[0]
    assert math.degrees(math.atan2(-corner[1], corner[0])) == pytest.approx(30)

"""Outlines of guesses."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.pieces import SHAPES
from vision.memory.tracked_thing import overlap_mm
from vision.readers.pyramids.hypothesis import StackHypothesis, outlines


@pytest.mark.parametrize(
    "guess",
    [
        StackHypothesis(30, 40, 25, ("large",)),
        StackHypothesis(30, 40, 25, ("large", "large", "small")),
        StackHypothesis(30, 40, 200, ("medium",), True),
    ],
)
def test_outlines_are_the_projected_points_of_the_model(guess: StackHypothesis, above: Any) -> None:
    other = StackHypothesis(5, 6, 70, ("small", "small"))
    first, second = outlines([guess, other], above)
    assert first == pytest.approx(guess.points()[..., :2] * 2, abs=1e-6)
    assert second == pytest.approx(other.points()[..., :2] * 2, abs=1e-6)


@pytest.mark.parametrize(
    ("stood", "come", "overlap"),
    [
        (("large",), ("medium",), 22.6),
        (("large", "medium", "small"), ("small",), 19.85),
        (("small",), ("small", "small"), 14.3),
    ],
)
def test_the_circles_within_two_bases_overlap_by_what_their_middles_are_too_near(
    stood: tuple[str, ...], come: tuple[str, ...], overlap: float
) -> None:
    one, other = StackHypothesis(30, 40, 10, stood), StackHypothesis(38, 46, 80, come)
    assert overlap_mm(one.footprint_mm(), other.footprint_mm()) == pytest.approx(overlap - 10, abs=0.5)


def test_a_lying_piece_takes_up_the_side_on_which_it_rests() -> None:
    lying = StackHypothesis(100, 100, 0, ("large",), lies=True)
    tip = StackHypothesis(100 + SHAPES["large"].height_mm, 100, 0, ("small",))
    behind = StackHypothesis(100 - 30, 100, 0, ("small",))
    assert overlap_mm(lying.footprint_mm(), tip.footprint_mm()) > 3
    assert overlap_mm(lying.footprint_mm(), behind.footprint_mm()) == 0

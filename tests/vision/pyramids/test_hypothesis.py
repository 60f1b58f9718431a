"""Outlines of guesses."""

from __future__ import annotations

from typing import Any

import pytest

from vision.pyramids.hypothesis import StackHypothesis, outlines


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

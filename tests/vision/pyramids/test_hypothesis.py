"""Outlines of guesses."""

from __future__ import annotations

from typing import Any

import pytest

from vision.pyramids.hypothesis import Hypothesis, outlines


@pytest.mark.parametrize(
    "guess",
    [
        Hypothesis(30, 40, 25, ("large",)),
        Hypothesis(30, 40, 25, ("large", "large", "small")),
        Hypothesis(30, 40, 200, ("medium",), True),
    ],
)
def test_outlines_are_the_projected_points_of_the_model(guess: Hypothesis, above: Any) -> None:
    other = Hypothesis(5, 6, 70, ("small", "small"))
    first, second = outlines([guess, other], above)
    assert first == pytest.approx(guess.points()[..., :2] * 2, abs=1e-6)
    assert second == pytest.approx(other.points()[..., :2] * 2, abs=1e-6)

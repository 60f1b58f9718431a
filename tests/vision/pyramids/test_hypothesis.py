"""Outlines of guesses and their weight on the evidence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vision.pyramids.hypothesis import Canvas, Hypothesis, outlines


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


def test_a_guess_weighs_the_odds_inside_its_outline(above: Any) -> None:
    odds = np.ones((120, 160), np.float32)
    guess = Hypothesis(40, 30, 0, ("large",))
    weight = Canvas(odds, (0, 0), 2).weigh(outlines([guess], above)[0])
    assert weight == pytest.approx((25.4 * 2) ** 2, rel=0.04)


def test_where_there_is_only_table_every_guess_weighs_less_than_nothing(above: Any) -> None:
    canvas = Canvas(np.full((120, 160), -1.0, np.float32), (0, 0), 1)
    assert canvas.weigh(outlines([Hypothesis(40, 30, 0, ("small",))], above)[0]) < 0


@pytest.mark.parametrize("guess", [Hypothesis(40, 30, 20, ("large",)), Hypothesis(40, 30, 70, ("large",), True)])
def test_sampling_many_single_pieces_comes_near_the_exact_weight(guess: Hypothesis, above: Any) -> None:
    rows, columns = np.mgrid[0:120, 0:160]
    odds = (np.hypot(columns - 80, rows - 60) < 30).astype(np.float32) * 2 - 1
    canvas = Canvas(odds, (0, 0), 2)
    outline = outlines([guess], above)[0]
    area = Canvas(np.ones((120, 160), np.float32), (0, 0), 2).weigh(outline)
    assert canvas.estimate(outline)[0] == pytest.approx(canvas.weigh(outline), abs=0.07 * area)

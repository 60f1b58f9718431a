"""A conditional logit model finds the levels and slopes again by which choices were made."""

from __future__ import annotations

from math import exp, log
from random import Random

import pytest

from simulation.drawn.conditional_logit import Choice, fitted

FREE = 1e-3
"""Terms that are hardly held."""


def chosen(rng: Random, chances: list[float], level: float, slope: float) -> Choice:
    """A choice between options of which the second has a level and a slope more."""
    odds = [chances[0], chances[1] * exp(level + slope * log(chances[1])), *chances[2:]]
    (true,) = rng.choices(range(len(odds)), odds)
    return Choice([(f"option {at}",) for at in range(len(odds))], [log(chance) for chance in chances], true)


def choices(level: float, slope: float, count: int = 6000) -> list[Choice]:
    rng = Random(3)
    found = []
    for _ in range(count):
        first = rng.uniform(0.1, 0.95)
        second = (1 - first) * rng.uniform(0.1, 0.9)
        found.append(chosen(rng, [first, second, 1 - first - second], level, slope))
    return found


def test_levels_and_slopes_are_found_again() -> None:
    terms = fitted(choices(1.2, 0.5), {"option 0": 1e6, "option 1": FREE, "option 2": 1e6})
    assert terms["option 1"].level == pytest.approx(1.2, abs=0.2)
    assert terms["option 1"].slope == pytest.approx(0.5, abs=0.15)
    assert terms["option 0"] == pytest.approx((0.0, 0.0), abs=1e-3), "what is held stays"


def test_who_gives_true_probabilities_is_left_alone() -> None:
    terms = fitted(choices(0.0, 0.0), dict.fromkeys(("option 0", "option 1", "option 2"), 1.0))
    assert all(abs(term.level) < 0.2 and abs(term.slope) < 0.15 for term in terms.values())


def test_few_cases_are_held() -> None:
    few, many = (
        fitted(choices(2.0, 0.0, count), {"option 0": 1e6, "option 1": 5.0, "option 2": 1e6})["option 1"].level
        for count in (10, 4000)
    )
    assert abs(few) < 1.0 < many

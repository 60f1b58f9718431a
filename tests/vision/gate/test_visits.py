"""Visits of hands: one arm that stays is one, another arm or a later one is another."""

from __future__ import annotations

import numpy as np

from vision.gate.change import Map
from vision.gate.hand import Visits


def arm(left: int, right: int) -> Map:
    hides = np.zeros((10, 20), np.uint8)
    hides[:, left:right] = 1
    return hides


def most(*pictures: tuple[float, Map]) -> int:
    visits = Visits()
    for t_s, hides in pictures:
        visits.add(hides, t_s)
    return 0 if visits.counts is None else int(visits.counts.max())


def test_an_arm_that_stays_is_one_visit() -> None:
    assert most() == 0
    assert most((1.0, arm(2, 8)), (1.5, arm(3, 9)), (2.0, arm(4, 10))) == 1


def test_an_arm_that_reaches_in_and_draws_back_is_one_visit() -> None:
    assert most((1.0, arm(0, 2)), (1.1, arm(0, 9)), (1.2, arm(0, 3))) == 1


def test_an_arm_from_another_side_is_another_visit() -> None:
    assert most((1.0, arm(2, 8)), (1.5, arm(6, 14))) == 2


def test_a_later_arm_is_another_visit() -> None:
    assert most((1.0, arm(2, 8)), (3.5, arm(2, 8))) == 2


def test_an_arm_beside_is_no_visit_here() -> None:
    visits = Visits()
    visits.add(arm(0, 5), 1.0)
    visits.add(arm(10, 15), 1.1)
    assert visits.counts is not None
    assert visits.counts.tolist() == (arm(0, 5) + arm(10, 15)).tolist()

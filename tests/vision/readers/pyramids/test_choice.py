"""Where the set is known, doubtful sizes give way to sure ones."""

from __future__ import annotations

import numpy as np

from companion.core.pieces import PYRAMID_COLORS, Pyramid
from vision.readers.pyramids.assignment import Option, choose

GREEN = PYRAMID_COLORS.index("green")


def option(probability: float, *sizes: str) -> Option:
    color_logs = np.full((len(sizes), len(PYRAMID_COLORS)), -9.0)
    color_logs[:, GREEN] = 0.0
    return Option(probability, sizes, color_logs)


def limits(**counts: int) -> dict[Pyramid, int]:
    return {Pyramid("green", size): count for size, count in counts.items()}


def test_what_is_within_the_limits_stays() -> None:
    places = [[option(0.6, "large"), option(0.4, "medium")], [option(0.9, "large"), option(0.1, "medium")]]
    assert choose(places, limits(large=2, medium=2)) == [0, 0]


def test_the_least_sure_of_too_many_takes_its_next_best() -> None:
    places = [
        [option(0.9, "large"), option(0.1, "medium")],
        [option(0.55, "large"), option(0.45, "medium")],
        [option(0.6, "large"), option(0.4, "medium")],
    ]
    assert choose(places, limits(large=2, medium=1)) == [0, 1, 0]


def test_two_places_change_together_where_one_alone_would_not_help() -> None:
    places = [
        [option(0.6, "large"), option(0.4, "medium")],
        [option(0.6, "medium"), option(0.4, "small")],
        [option(0.99, "large"), option(0.01, "small")],
    ]
    assert choose(places, limits(large=1, medium=1, small=1)) == [1, 1, 0]


def test_a_stack_counts_with_all_its_pieces() -> None:
    places = [[option(0.6, "large", "large"), option(0.4, "large")], [option(0.8, "large"), option(0.2, "small")]]
    assert choose(places, limits(large=2, small=1)) == [1, 0]


def test_what_is_plainly_seen_is_believed_against_the_set() -> None:
    places = [[option(0.999, "large"), option(0.001, "medium")] for _ in range(3)]
    assert choose(places, limits(large=2, medium=1)) == [0, 0, 0], "a foul must stay visible"


def test_a_doubtful_color_may_give_way_instead() -> None:
    color_logs = np.full((1, len(PYRAMID_COLORS)), -9.0)
    color_logs[0, GREEN], color_logs[0, PYRAMID_COLORS.index("cyan")] = 0.0, -0.1
    places = [[Option(0.95, ("large",), color_logs), option(0.05, "medium")], [option(0.95, "large")]]
    known = {**limits(large=1, medium=1), Pyramid("cyan", "large"): 1}
    assert choose(places, known) == [0, 0]


def test_no_places_are_no_fault() -> None:
    assert choose([], limits(large=1)) == []

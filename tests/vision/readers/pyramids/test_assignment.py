"""Names given together: no more of a piece than the set holds, unless the picture insists."""

from __future__ import annotations

import numpy as np

from companion.core.pieces import PYRAMID_COLORS, Pyramid
from vision.readers.pyramids.assignment import assign

RED, ORANGE = PYRAMID_COLORS.index("red"), PYRAMID_COLORS.index("orange")


def color_logs(*rows: dict[str, float]) -> np.ndarray:
    """Log likelihoods; what a row does not name is very unlikely."""
    return np.log(np.array([[row.get(color, 1e-6) for color in PYRAMID_COLORS] for row in rows]))


def test_without_a_conflict_the_likeliest_names_stand() -> None:
    limits = {Pyramid("red", "large"): 1, Pyramid("orange", "large"): 1}
    seen = color_logs({"red": 0.9, "orange": 0.1}, {"orange": 0.8, "red": 0.2})
    assert assign(seen, ["large", "large"], limits) == [RED, ORANGE]


def test_where_two_want_the_only_red_the_less_sure_one_yields() -> None:
    limits = {Pyramid("red", "large"): 1, Pyramid("orange", "large"): 5}
    seen = color_logs({"red": 0.55, "orange": 0.45}, {"red": 0.9, "orange": 0.1})
    assert assign(seen, ["large", "large"], limits) == [ORANGE, RED]


def test_a_chain_of_three_is_found() -> None:
    limits = {Pyramid("red", "small"): 1, Pyramid("orange", "small"): 1, Pyramid("yellow", "small"): 1}
    seen = color_logs({"red": 0.9, "orange": 0.1}, {"red": 0.8, "orange": 0.2}, {"orange": 0.6, "yellow": 0.4})
    names = assign(seen, ["small"] * 3, limits)
    assert [PYRAMID_COLORS[n] for n in names] == ["red", "orange", "yellow"]


def test_a_size_has_its_own_limit() -> None:
    limits = {Pyramid("red", "large"): 1, Pyramid("red", "small"): 1, Pyramid("orange", "large"): 1}
    seen = color_logs({"red": 0.9, "orange": 0.1}, {"red": 0.9, "orange": 0.1})
    assert assign(seen, ["large", "small"], limits) == [RED, RED]


def test_a_surplus_that_the_picture_insists_on_is_reported() -> None:
    limits = {Pyramid("red", "large"): 1, Pyramid("orange", "large"): 1}
    seen = color_logs({"red": 1.0}, {"red": 1.0})
    assert assign(seen, ["large", "large"], limits) == [RED, RED]


def test_nothing_seen_needs_no_names() -> None:
    assert assign(np.zeros((0, 10)), [], {}) == []

"""Scores over time as a scene."""

from __future__ import annotations

import itertools

import pytest

from web.scene.chart import chart
from web.scene.signs import SIGN_PATHS, signs


def texts(scene: object) -> list[str]:
    return [str(shape.children[0]) for shape in scene.walk() if shape.tag == "text"]  # type: ignore[attr-defined]


def test_every_player_has_a_line_a_sign_and_a_name() -> None:
    scene = chart(["Ann", "Ben"], signs((0, 1)), [(0, (0, 0)), (1, (5, 0)), (2, (5, 12))])
    assert scene.get("role") == "img"
    assert scene.get("aria-label") == "Scores after each row. Now: Ann 5, Ben 12."
    assert {"Ann", "Ben", "Start", "Row 2"} <= set(texts(scene))
    shown = [shape.get("d") for shape in scene.walk() if (shape.get("class") or "").startswith("sign-shape")]
    assert set(shown) == {SIGN_PATHS["circle"], SIGN_PATHS["square"]}


def test_lines_step_at_each_row() -> None:
    scene = chart(["Ann"], signs((0,)), [(0, (0,)), (1, (10,))])
    (line,) = [shape.get("d") or "" for shape in scene.walk() if shape.get("class") == "line"]
    assert line.startswith("M28 132H232V8")


@pytest.mark.parametrize("totals", [[(0, (0, 0))], [(0, (0, 0)), (9, (-40, 1000))], [(0, (0, 0)), (1, (0, 0))]])
def test_few_rows_negative_and_large_scores_stay_in_the_picture(totals: list) -> None:
    scene = chart(["A" * 40, "B"], signs((0, 1)), totals)
    for shape in scene.walk():
        if shape.tag == "line":
            assert 0 <= float(shape.get("y1") or 0) <= 150
    assert 2 <= sum(shape.get("class") == "grid" for shape in scene.walk()) <= 8
    assert any(text.endswith("…") for text in texts(scene)), "a long name is cut"


def test_names_of_equal_scores_do_not_cover_each_other() -> None:
    scene = chart(list("ABCD"), signs(range(4)), [(0, (0, 0, 0, 0)), (1, (7, 7, 7, 7))])
    heights = sorted(float(s.get("y") or 0) for s in scene.walk() if s.get("class") == "series-name")
    assert all(later - earlier >= 10 for earlier, later in itertools.pairwise(heights))

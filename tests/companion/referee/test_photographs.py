"""Reports on photographs, from readings as readers and people give them."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.foundation.errors import BadRecord
from companion.core.pieces import Pyramid
from companion.games import GAMES
from companion.games.spectra.exchanges import yields
from companion.referee.photographs import DOMAINS, report_on


def board(**cells: str) -> dict[str, Any]:
    """A reading of tiles: `c12="RGB"` are the colors of the left, right and flat edge."""
    found: list[dict[str, str] | None] = [None] * 36
    for spot, letters in cells.items():
        found[int(spot[1:])] = dict(zip(("left", "right", "flat"), letters, strict=True))
    return {"cells": found}


def test_tri_8_the_first_tile_may_not_lie_on_a_bonus() -> None:
    (note,) = report_on("spectrangle", [board(c20="GGY")], 2).notes
    assert note.broken and note.rule == "TRI-8" and note.where == "c20"
    (note,) = report_on("spectrangle", [board(c12="GGY")], 2).notes
    assert not note.broken


def test_tri_19_each_turn_has_its_points() -> None:
    row = [board(c12="GGY"), board(c12="GGY", c13="GGB"), board(c12="GGY", c13="GGB", c21="RRB")]
    report = report_on("spectrangle", row, 2)
    assert [turn.seat for turn in report.turns] == [0, 1, 0]
    assert report.turns[0].points == 4
    # Five of the green and blue tile, times four for the bonus cell, for one matching edge.
    assert report.turns[1].points == 20
    assert report.totals == (report.turns[0].points + (report.turns[2].points or 0), 20)


def test_tri_11_a_tile_without_a_matching_edge_is_named() -> None:
    report = report_on("spectrangle", [board(c12="GGY", c13="BRR")], 2)
    assert {note.where for note in report.notes if note.broken} == {"c12", "c13"}
    assert all(note.rule == "TRI-11" for note in report.notes if note.broken)


def test_tri_9_a_tile_apart_is_named() -> None:
    report = report_on("spectrangle", [board(c12="GGY", c13="GGB", c30="RRB")], 2)
    assert [(note.where, note.rule) for note in report.notes if note.broken] == [("c30", "TRI-9")]


def test_tri_1_a_tile_that_lies_twice_is_named_and_no_game_goes_on() -> None:
    report = report_on("spectrangle", [board(c12="GGY", c13="YGG")], 2)
    assert any(note.rule == "TRI-1" and note.broken for note in report.notes)
    assert report.position is None


def test_two_islands_cannot_have_come_by_play() -> None:
    report = report_on("spectrangle", [board(c12="GGY", c13="GGB", c30="RRB", c31="RRY")], 2)
    assert any(note.broken for note in report.notes)


def test_tri_13_a_tile_that_is_gone_is_said() -> None:
    report = report_on("spectrangle", [board(c12="GGY"), board(c7="GGY")], 2)
    assert "c12" in report.turns[1].text and report.turns[1].points is None


def test_a_game_goes_on_from_the_last_photo() -> None:
    report = report_on("spectrangle", [board(c12="GGY"), board(c12="GGY", c13="GGB")], 2)
    game = GAMES["spectrangle"]
    assert report.position is not None
    state = game.from_record(2, game.Options(**report.options), report.position)
    assert [score.total for score in state.scores()] == [4, 20]
    assert state.turn == 0


def test_rol_7_a_roll_scores_in_every_row_that_it_meets() -> None:
    faces = ["red"] * 4 + ["green-blue"] * 3 + ["yellow", "blue"]
    reading = {"dice": [{"kind": "spectrum-d12", "face": face} for face in faces]}
    notes = {note.where: note.points for note in report_on("roll-and-color", [reading], 1).notes}
    assert notes["red"] == 6 and notes["green-blue"] == 10 and notes["spectrum combo 1"] == 32
    assert "orange" not in notes


def test_rol_1_a_roll_has_nine_dice() -> None:
    (note,) = report_on("roll-and-color", [{"dice": [{"kind": "spectrum-d6", "face": "red"}]}], 1).notes
    assert note.broken and note.rule == "ROL-1"


def test_brd_36_a_pawn_jumps_over_another_one() -> None:
    pawns = [{"color": "blue", "path": "blue", "space": 4}, {"color": "red", "path": "blue", "space": 5}]
    report = report_on("spectrum", [{"pawns": pawns}], 2)
    text = next(note.text for note in report.notes if note.where == "blue.4")
    jumps = set(text.rstrip(".").partition("by a jump to ")[2].split(", "))
    assert jumps == {"B6", "GB5", "BP5", "GB6", "BP6"}
    game = GAMES["spectrum"]
    assert report.position is not None
    game.from_record(2, game.Options(**report.options), report.position)


def stack(*pieces: str) -> dict[str, Any]:
    return {"pieces": [dict(zip(("color", "size"), piece.split(), strict=True)) for piece in pieces]}


def test_ice_18_complete_stalks_score() -> None:
    stacks = [
        stack("green large", "green medium", "green small"),
        stack("red large", "orange large", "yellow medium", "green small"),
        stack("blue large", "purple medium"),
        stack("cyan large", "green large", "cyan medium"),
    ]
    notes = report_on("ice-stalks", [{"stacks": stacks}], 2).notes
    assert [note.points for note in notes] == [5, 1, 4, 0, None]
    assert notes[-1].broken


def test_spa_25_three_trees_win() -> None:
    trees = [stack("red large"), stack("red medium"), stack("red small")] * 3
    notes = report_on("spectra", [{"stacks": [*trees, stack("blue small")]}], 2).notes
    assert notes[0].points == 3 and "wins" in notes[0].text


@pytest.mark.parametrize(
    ("one", "other", "gained"),
    [
        ("red small", "yellow small", ["orange small"]),
        ("red small", "orange large", ["yellow medium"]),
        ("red small", "green small", []),
        ("orange small", "green small", []),
        ("black large", "red large", ["orange large", "purple large"]),
        ("white small", "green small", ["blue small", "yellow small"]),
        ("black large", "red small", []),
    ],
)
def test_spa_14_to_17_exchanges(one: str, other: str, gained: list[str]) -> None:
    first, second = (Pyramid(*text.split()) for text in (one, other))
    assert sorted(f"{piece.color} {piece.size}" for piece in yields(first, second)) == gained


@pytest.mark.parametrize("game", [*DOMAINS, "chess"])
@pytest.mark.parametrize(
    "reading", [{}, {"cells": [None]}, {"cells": 3}, {"dice": [{}]}, {"pawns": [{"path": 1}]}, {"stacks": [{}]}]
)
def test_a_reading_that_is_none_is_refused(game: str, reading: dict[str, Any]) -> None:
    with pytest.raises(BadRecord):
        report_on(game, [reading], 2)


def test_spa_1_pieces_that_spectra_does_not_have_are_named() -> None:
    foreign = [{"color": "cyan", "size": "large"}, {"color": "red", "size": "small"}]
    reading = {"stacks": [{"pieces": [piece]} for piece in foreign], "lying": []}
    notes = report_on("spectra", [reading], 2).notes
    assert [(note.rule, note.where) for note in notes if note.broken] == [("SPA-1", "cyan")]
    assert any(note.where == "red" and not note.broken for note in notes)

"""Verdicts in words: names, notation, points, the rule, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.layout import Detection, Layout
from companion.core.pieces import TILES, Tile
from companion.core.plan import Mat, Plan
from companion.games import GAMES
from companion.games.spectrangle.moves import PLACES
from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from companion.referee.telling import ToldVerdict, tell


@pytest.fixture
def table(tmp_path: Path) -> Table:
    sessions = SessionManager(Journal.open(tmp_path / "journal.sqlite"), GAMES, Plan(Mat(440, 400, 40)))
    return sessions.start("spectrangle", ("Ada", "Ben"), {"hands": "unseen"}, draws="unseen")


def see(table: Table, layout: Layout) -> tuple[ToldVerdict, ...]:
    return tell(table, table.see(layout, 1, further=(layout, layout)))


def laid(table: Table, **cells: Tile) -> Layout:
    """What the position predicts, with other tiles on some cells."""
    predicted = table.session.state.layout()
    return Layout({**predicted.cells, **{spot: Detection.sure(tile) for spot, tile in cells.items()}}, predicted.heaps)


def test_a_placement_is_told_with_its_points(table: Table) -> None:
    (told,) = see(table, table.session.state.apply(PLACES[17]["YPG"]).layout())
    assert told.words == {
        "player": 0,
        "type": "place",
        "cell": 17,
        "tile": {"left": "Y", "right": "P", "flat": "G", "value": 2},
        "points": 2,
        "legal": True,
    }
    assert told.text == "Ada: YPG2 c17 YPG, YPG2 on c17: 1 edge x 2 = 2."


def test_a_refusal_names_the_rule_and_what_to_do(table: Table) -> None:
    (told,) = see(table, laid(table, c20=Tile("R", "Y", "R", 5)))
    assert told.words is not None
    assert (told.words["legal"], told.words["rule"]) == (False, "TRI-8")
    assert told.text.startswith("Ada: RRY5 c20 RYR is not allowed. TRI-8: ")


def test_what_was_put_back_is_told_as_legal(table: Table) -> None:
    see(table, laid(table, c20=Tile("R", "Y", "R", 5)))
    (told,) = see(table, table.session.state.layout())
    assert told.words is not None
    assert (told.words["type"], told.words["cell"], told.words["legal"]) == ("take_back", 20, True)
    assert "points" not in told.words
    assert told.text == "Ada: RRY5 c20 RYR was put back."


def test_a_table_that_nothing_explains_says_where_it_differs(table: Table) -> None:
    cells = {f"c{cell}": tile for cell, tile in zip(range(0, 36, 3), TILES, strict=False)}
    for _ in range(3):
        (told,) = see(table, laid(table, **cells))
    assert told.words is None
    assert "c0, c3" in told.text


def test_nothing_new_is_told_as_nothing(table: Table) -> None:
    assert see(table, table.session.state.layout()) == ()

"""Replaying games: do these rules still say what the journal says?"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.contract import Drawn
from companion.games import GAMES
from companion.referee.journal import Header, Journal, Row
from companion.referee.journal.record import ReplayDifference, replay
from companion.referee.matching import LOOKS
from companion.referee.table.table import Table
from simulation.ladder import LADDER, SET, Ladder, Lay
from simulation.play import header, played

TILE = {tile.name: tile for tile in SET}


@pytest.fixture
def game(tmp_path: Path) -> tuple[Header, tuple[Row, ...]]:
    """A game with everything in it: moves, draws, an undo, a correction, a set position, a refusal that was agreed to."""
    journal = Journal.open(tmp_path / "games.journal")
    table = Table(LADDER, journal.begin(header("ladder")), journal, clock=lambda: 5.0)
    table.play(Drawn(1, (TILE["BBB6"], TILE["RRP5"])), source="tower")
    table.play(Drawn(0, (TILE["RRR6"], TILE["RRY5"])), source="tower")
    table.play(Lay(4, TILE["RRR6"]), source="camera")
    table.undo(2, "hasty", source="page")
    table.play(Lay(4, TILE["RRY5"]), source="camera")
    table.play(Drawn(0, (TILE["GGG6"],)), source="camera")
    table.correct(5, Lay(3, TILE["RRY5"]), "misread", source="page")
    after = table.session.state.apply_unchecked(Lay(4, TILE["BBB6"])).layout()
    for frame in range(LOOKS):
        table.see(after, frame)
    table.agree(source="page")
    table.set_position(
        {"cells": [None] * 9, "hands": [[], []], "laid": [], "turn": 1, "skips": 0}, "cat", source="page"
    )
    journal.close()
    return table.session.header, table.session.rows()


def test_a_game_that_today_s_rules_agree_with(game: tuple[Header, tuple[Row, ...]]) -> None:
    kinds = [row.kind for row in game[1]]
    assert kinds == [
        "chance", "chance", "move", "undo", "move", "chance", "correct", "refused", "agreed", "position",
    ]  # fmt: skip
    found = replay(LADDER, *game)
    assert found.change is None
    assert found.timeline is not None and found.timeline.n == 10


def test_a_whole_game_of_spectrangle(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "games.journal")
    table = played(journal, Random(7))
    found = replay(GAMES["spectrangle"], table.session.header, journal.rows(table.session.header.id))
    assert found.change is None
    assert found.timeline is not None and found.timeline.state == table.session.state
    journal.close()


class Generous(Ladder, frozen=True):
    """Rules under which a tile scores twice its value."""

    def scores(self) -> Any:
        return tuple(replace(score, total=2 * score.total) for score in super().scores())


GENEROUS = dataclasses.replace(LADDER, rules=2, begin=lambda seats, options: Generous((None,) * options.cells))


def test_the_first_row_where_scores_differ_is_named(game: tuple[Header, tuple[Row, ...]]) -> None:
    found = replay(GENEROUS, *game)
    assert found.change == ReplayDifference(3, "scores", (6, 0), (12, 0))
    assert found.change.sentence == ("After row 3 the scores are (12, 0) by today's rules; the journal says (6, 0).")


@pytest.mark.parametrize(("what", "value"), [("legal", 99), ("digest", "0" * 16)])
def test_the_first_row_where_anything_else_differs_is_named(
    game: tuple[Header, tuple[Row, ...]], what: str, value: Any
) -> None:
    head, rows = game
    changed = (*rows[:5], replace(rows[5], **{what: value}), *rows[6:])
    found = replay(LADDER, head, changed)
    assert found.change is not None
    assert (found.change.n, found.change.what, found.change.recorded) == (6, what, value)


def test_a_row_that_today_s_rules_refuse_is_named(game: tuple[Header, tuple[Row, ...]]) -> None:
    head, rows = game
    wrong = replace(rows[2], event={"type": "lay", "cell": 4, "tile": rows[0].event["pieces"][0]})  # type: ignore[index]
    found = replay(LADDER, head, (*rows[:2], wrong, *rows[3:]))
    assert found.change is not None
    assert (found.change.n, found.change.what) == (3, "event")
    assert "LAD-4" in found.change.sentence
    assert found.timeline is not None and found.timeline.n == 2


def test_a_game_that_cannot_even_begin_is_shown_all_the_same(game: tuple[Header, tuple[Row, ...]]) -> None:
    head, rows = game
    found = replay(LADDER, replace(head, options={"cells": 99}), rows)
    assert found.timeline is None
    assert found.change is not None and found.change.n == 0
    assert found.rows == rows


def test_progress_sees_every_row(game: tuple[Header, tuple[Row, ...]]) -> None:
    seen: list[int] = []

    def count(rows: Any) -> Any:
        for row in rows:
            seen.append(row.n)
            yield row

    replay(LADDER, *game, progress=count)
    assert seen == list(range(1, 11))

"""Score sheets."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from companion.core.contract import Drawn, Outcome, Score
from companion.referee.journal import Journal
from companion.referee.journal.record import replay
from companion.referee.journal.sheet import score_sheet
from companion.referee.journal.timeline import Timeline
from companion.referee.matching import LOOKS
from companion.referee.table.table import Table
from simulation.ladder import LADDER, SET, Lay
from simulation.play import header

TILE = {tile.name: tile for tile in SET}


@pytest.fixture
def table(tmp_path: Path) -> Table:
    journal = Journal.open(tmp_path / "games.journal")
    begun = journal.begin(header("ladder", names=('Ada "Ace"', "Bea"), options={"cells": 9}))
    table = Table(LADDER, begun, journal, clock=lambda: 5.0)
    table.play(Drawn(1, (TILE["BBB6"], TILE["RRP5"])), source="tower")
    table.play(Drawn(0, (TILE["RRR6"], TILE["RRY5"])), source="tower")
    table.play(Lay(4, TILE["RRR6"]), source="camera")
    return table


def sheet(table: Table, *, trusted: bool = True) -> list[str]:
    line = replay(LADDER, table.session.header, table.session.rows()).timeline if trusted else None
    return score_sheet(
        "Ladder", table.session.header, table.session.rows(), line, "" if trusted else "By older rules."
    ).splitlines()


def test_every_sentence_is_put_into_the_language_of_the_sheet_and_no_tag_or_move(table: Table) -> None:
    table.undo(table.session.seq - 1, "Bea was asleep", source="page")
    line = replay(LADDER, table.session.header, table.session.rows()).timeline
    asked: list[str] = []

    def words(text: str) -> str:
        asked.append(text)
        return f"<{text}>"

    text = score_sheet("Ladder", table.session.header, table.session.rows(), line, words=words)
    assert "<undone>: " in text
    assert all(f"<{one}>" in text for one in asked)
    assert not any(one in text for one in ("<[", "<RRR6", "<Bea"))


def test_tags_turns_and_reasons(table: Table) -> None:
    assert sheet(table) == [
        '[Game "Ladder"]',
        '[Rules "1"]',
        '[Id "ladder-20231114-221320"]',
        '[Date "2023.11.14"]',
        '[Time "22:13:20 UTC"]',
        '[Seat0 "Ada \\"Ace\\""]',
        '[Seat1 "Bea"]',
        '[Option cells "9"]',
        '[Result "*"]',
        "",
        "     (draw 1 BBB6 RRP5)",
        "     (draw 0 RRR6 RRY5)",
        '  1. Ada "Ace"    RRR6 c4                        6-0',
        "     {+6: value 6 (LAD-7)}",
        "",
        "*",
    ]


def test_what_was_undone_and_why(table: Table) -> None:
    table.undo(2, "hasty", source="page")
    found = sheet(table)
    assert '; 3: undone: Ada "Ace" RRR6 c4' in found
    assert "; 4: back to row 2 (hasty)" in found


def test_what_was_corrected_and_the_scores_that_follow(table: Table) -> None:
    table.correct(3, Lay(4, TILE["RRY5"]), "misread", source="page")
    found = sheet(table)
    assert '  1. Ada "Ace"    RRY5 c4                        5-0' in found
    assert "     {corrected from RRR6 c4 (misread)}" in found


def test_what_was_refused_and_agreed_to(table: Table) -> None:
    table.play(Drawn(0, (TILE["PPP6"],)), source="page")
    wrong = table.session.state.apply_unchecked(Lay(5, TILE["BBB6"])).layout()
    for frame in range(LOOKS):
        table.see(wrong, frame)
    table.agree(source="page")
    found = "\n".join(sheet(table))
    assert "; 5: Bea BBB6 c5 was refused. LAD-3: BBB6 shares no color with a neighbor of c5." in found
    assert "  2. Bea          BBB6 c5" in found
    assert "{the table agreed: LAD-3: " in found


def test_a_game_of_older_rules_is_shown_as_it_was_recorded(table: Table) -> None:
    found = sheet(table, trusted=False)
    assert "; By older rules." in found
    assert '  1. Ada "Ace"    RRR6 c4                        6-0' in found
    assert not any(line.strip().startswith("{") for line in found)


def test_a_finished_game_has_a_result(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "games.journal")
    table = Table(LADDER, journal.begin(header("ladder", options={"cells": 2})), journal)
    for event in (
        Drawn(1, (TILE["BBB6"], TILE["RRP5"])),
        Drawn(0, (TILE["RRR6"], TILE["RRY5"])),
        Lay(0, TILE["RRR6"]),
        Drawn(0, (TILE["PPP6"],)),
        Lay(1, TILE["RRP5"]),
    ):
        table.play(event, source="page")
    found = sheet(table)
    assert '[Result "6-5"]' in found
    assert found[-1] == "6-5"
    journal.close()


@pytest.mark.parametrize(
    ("totals", "places", "result"),
    [
        ((3, 5), ((1,), (0,)), "3-5"),
        ((4, 4), ((0, 1),), "4-4"),
        ((0, 0), ((1,), (0,)), "0-0, won by Bea"),
        ((0, 0, 0), ((0, 2), (1,)), "0-0-0, won by Ada and Cyd"),
        ((210, 40), ((1,), (0,)), "210-40, won by Bea"),
    ],
)
def test_a_sheet_says_who_won_where_the_points_do_not(
    tmp_path: Path, totals: tuple[int, ...], places: tuple[tuple[int, ...], ...], result: str
) -> None:
    names = ("Ada", "Bea", "Cyd")[: len(totals)]
    outcome = Outcome(places, "LAD-9", "It is over.")
    ended = SimpleNamespace(outcome=lambda: outcome, scores=lambda: tuple(Score(total) for total in totals))
    line = SimpleNamespace(state=ended, steps=lambda: (), undone=frozenset)
    sheet = score_sheet("Ladder", header("ladder", names=names), (), cast(Timeline, line)).splitlines()
    assert f'[Result "{result}"]' in sheet and sheet[-1] == result

"""The counting that people get wrong is in the record, event by event: in score sheets and in rows of the history."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.contract import Over
from companion.core.plan import Mat, Plan
from companion.referee.journal.sheet import listed, score_breakdown, score_sheet
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.companion.dealt import begun, played
from tests.sessions import sessions_in
from web.boards import PRESENTERS
from web.views.row_view import row_data

CRIBBAGE = {
    "dealer": 1, "hands": [["R5"], ["B6"]], "laid": [["Y1", "Y2", "G3"], ["G1", "P2", "O3"]], "starter": "G9",
    "played": [["R6", "R7", "R8", "Y6", "Y7"], ["O9", "O12", "B1", "B2", "P4"]],
}  # fmt: skip
SPECTRUMP = {
    "hands": [["", "R5 B2"], ["", "R6 G1"]], "session": 2, "set": 2, "bid": "player 1 bids red 1", "played": 1,
    "leader": 0, "won": ["R1 RO1", "O3 PR2"],
}  # fmt: skip
CASINO = {"hands": [["R9"], ["B9"]], "board": ["G4", "RO5", "Y12"], "chosen": "red", "deal": 11}
FIVE_HUNDRED = {
    "hands": [["R4", "RO4", "B12"], ["G3", "P7"]], "melds": [{"0": ["R5", "RO6", "R7", "PR8"]}], "discards": ["O7"],
    "turn": 0, "dealer": 1,
}  # fmt: skip
STORIES: tuple[tuple[str, dict[str, Any], dict[str, Any], tuple[str, ...], tuple[str, ...]], ...] = (
    (
        "cribbage", {}, CRIBBAGE, ("player 1 plays R5", "player 2 plays B6", "player 1 counts hand"),
        ("+2: R5 + R6 + R7 = 18 (CRB-7)", "+2: pair R6 Y6 (CRB-7)", "+5: run of 5: R5 R6 R7 R8 G9 (CRB-7)"),
    ),
    (
        "spectrump", {"deck": 72, "rounds": 1}, SPECTRUMP, ("player 1 plays B2", "player 2 plays R6"),
        ("player 2 takes the trick: R6 is the highest card of the trump color red. (UMP-8)", "-6: R6: trump costs its rank (UMP-5)"),
    ),
    (
        "casino", {}, CASINO, ("player 1 takes G4, RO5 with R9",),
        ("R9 takes G4 + RO5 (CAS-3)", "+2: Chosen Color, 1 of red x 2 (CAS-8)"),
    ),
    (
        "five-hundred", {}, FIVE_HUNDRED,
        ("player 1 takes discards down to O7", "player 1 lays off R4 on meld 1", "player 1 discards RO4", "player 2 calls Spectrum down to RO4"),
        ("+5: R4 on meld 1 (500-4)",),
    ),
)  # fmt: skip


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[SessionManager]:
    with sessions_in(
        tmp_path, Plan(Mat(440, 400, 40)), clock=lambda: 5.0, random_bytes=lambda count: bytes(range(count))
    ) as found:
        yield found


def sheet(table: Table) -> str:
    return score_sheet(table.session.game.title, table.session.header, table.session.rows(), table.session.timeline)


@pytest.mark.parametrize(("game", "options", "position", "lines", "said"), STORIES, ids=[one[0] for one in STORIES])
def test_sheet_and_history_say_why(
    sessions: SessionManager,
    game: str,
    options: dict[str, Any],
    position: dict[str, Any],
    lines: tuple[str, ...],
    said: tuple[str, ...],
) -> None:
    table = sessions.start(game, ("Ann", "Ben"), options, position=position)
    for line in lines:
        event = table.session.game.parse(table.session.state, line)
        if table.session.state.violations(event):
            break
        table.play(event, source="page")
    text = sheet(table)
    rows = [row_data(table, row, (0, 0), PRESENTERS[game]) for row in table.session.rows()]
    told = {f"{line['text']} ({line['rule']})" for row in rows for line in row.get("lines", ())}
    for one in said:
        assert f"{{{one}}}" in text
        assert one.split(": ", 1)[-1] in told or one in told


def test_500_8_a_call_says_what_it_can_meld(sessions: SessionManager) -> None:
    position = {
        "hands": [["B1"], ["G3", "P7"], ["Y2", "Y3"]], "melds": [{"0": ["R5", "RO6", "R7", "PR8"]}],
        "discards": ["O7", "RO4", "B12"], "turn": 1, "discarded": 0,
    }  # fmt: skip
    table = sessions.start("five-hundred", ("Ann", "Ben", "Cid"), {}, position=position)
    lines = listed(
        table.session.game,
        table.session.state,
        table.session.game.parse(table.session.state, "player 3 calls Spectrum down to RO4"),
    )
    assert [line.text for line in lines] == ["can be melded with discards alone: RO4 on meld 1"]


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("cribbage", 2, {"target": 40}),
        ("cribbage", 4, {"target": 90}),
        ("casino", 3, {}),
        ("spectrump", 4, {"rounds": 1, "deck": 72, "partners": True}),
        ("five-hundred", 2, {}),
        ("solitaire", 1, {}),
    ],
)
def test_what_is_listed_adds_up_to_what_was_gained(
    sessions: SessionManager, game: str, seats: int, options: dict[str, Any]
) -> None:
    """Every point of a whole game has its line, so far as one event brings it."""
    table = begun(sessions, game, seats, **options)
    while not isinstance(table.session.state.expects(), Over) and table.session.seq < 400:
        played(table, number=table.session.seq, most=20)
    explained = 0
    for step in table.session.steps():
        if step.parent is None or game == "solitaire":
            continue
        before, after = step.parent.state, step.state
        gains = {id(now): now.total - was.total for was, now in zip(before.scores(), after.scores(), strict=True)}
        lines = listed(table.session.game, before, step.event)
        if lines:
            explained += 1
            assert set(lines) <= set(score_breakdown(table.session.game, before, step.event, after))
            if not isinstance(after.expects(), Over) and game in ("cribbage", "casino", "five-hundred"):
                assert sum(line.points for line in lines) == sum(gains.values())
    assert explained > 2 or game == "solitaire"


def test_sol_11_giving_up_lists_the_whole_score(sessions: SessionManager) -> None:
    table = begun(sessions, "solitaire", 1)
    played(table, most=12)
    table.play(table.session.game.parse(table.session.state, "concede"), source="page")
    text = sheet(table)
    for line in table.session.state.scores()[0].lines:
        assert f"{line.text} (SOL-11)}}" in text

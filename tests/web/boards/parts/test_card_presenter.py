"""A card of the table that was read wrongly is found in its row, and another card takes its place there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.foundation.errors import BadEvent, MoveError
from companion.core.plan import Mat, Plan
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.sessions import sessions_in
from web.boards import PRESENTERS
from web.boards.parts.card_presenter import card_of
from web.views.trial_view import correction_data


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[SessionManager]:
    with sessions_in(tmp_path, Plan(Mat(440, 400, 40)), clock=lambda: 5.0) as found:
        yield found


def spectrumo(sessions: SessionManager) -> Table:
    """Returns a game with hands that nobody knows, in which player 1 has played GB6."""
    table = sessions.start("spectrumo", ("Ada", "Ben"), {}, position={"table": "B8"}, draws="unseen")
    table.play(table.session.game.parse(table.session.state, "player 1 plays GB6"), source="camera")
    return table


def change(table: Table, spot: str, code: str) -> dict[str, Any]:
    presenter = PRESENTERS[table.session.game.name]
    return correction_data(table, table.session.timeline, spot, card_of(code), presenter)


def test_the_top_of_a_pile_is_corrected_in_the_row_of_its_play(sessions: SessionManager) -> None:
    table = spectrumo(sessions)
    found = change(table, "discard", "GB9")
    assert found["kind"] == "correct"
    assert found["does"] == "Row 1 is corrected: player 1 plays GB9 instead of player 1 plays GB6."
    event = table.session.game.event(found["request"]["event"])
    table.correct(found["request"]["n"], event, "misread", source="page")
    presenter = PRESENTERS["spectrumo"]
    assert presenter.holds(table.session.state, "discard") == card_of("GB9")


def test_a_card_that_the_rules_do_not_allow_is_no_correction(sessions: SessionManager) -> None:
    table = spectrumo(sessions)
    with pytest.raises(MoveError, match="UMO-2"):
        change(table, "discard", "R5")


def test_a_card_that_lies_there_from_the_start_has_no_row(sessions: SessionManager) -> None:
    table = sessions.start("spectrumo", ("Ada", "Ben"), {}, position={"table": "B8"}, draws="unseen")
    presenter = PRESENTERS["spectrumo"]
    assert presenter.origin(table.session.timeline, "discard") is None
    with pytest.raises(BadEvent):
        change(table, "discard", "GB9")


def test_a_card_that_moved_is_corrected_where_it_was_turned_up(sessions: SessionManager) -> None:
    piles = ["R9", "?? RO8", "G3"]
    table = sessions.start("solitaire", ("Ada",), {}, position={"piles": piles}, draws="told")
    for line in ("RO8 on pile 1", "turned up B5"):
        table.play(table.session.game.parse(table.session.state, line), source="camera")
    presenter = PRESENTERS["solitaire"]
    assert presenter.origin(table.session.timeline, "pile1.RO8") is None
    assert presenter.origin(table.session.timeline, "pile2.B5") == 2
    found = change(table, "pile2.B5", "B6")
    assert found["request"]["n"] == 2 and "turned up B6" in found["does"]


def test_places_without_an_open_card_hold_nothing(sessions: SessionManager) -> None:
    presenter, state = (
        PRESENTERS["solitaire"],
        sessions.start("solitaire", ("Ada",), {}, position={"piles": ["?? R9"]}, draws="told").session.state,
    )
    assert presenter.holds(state, "stock") is None
    assert presenter.holds(state, "pile1.B2") is None
    assert presenter.holds(state, "pile2") is None
    assert presenter.holds(state, "pile1.R9") == card_of("R9")

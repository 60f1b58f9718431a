"""Hints at a table: off until somebody allows them, and every one of them in the record."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.foundation.errors import BadEvent, StaleCommand
from companion.games import PLANS
from companion.referee.journal.sheet import score_sheet
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.sessions import sessions_in


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[SessionManager]:
    with sessions_in(tmp_path, PLANS["regenbogen"](2)) as found:
        yield found


@pytest.fixture
def table(sessions: SessionManager) -> Table:
    return sessions.start("regenbogen", ("Ann", "Ben"), {})


def test_a_table_begins_without_hints(table: Table) -> None:
    assert not table.session.hints
    with pytest.raises(BadEvent, match="not allowed"):
        table.session.note_hint(0, source="page")
    assert table.session.rows() == ()


def test_allowing_and_showing_are_rows_that_change_no_state(table: Table) -> None:
    before = table.session.state
    table.session.allow_hints(True, source="page")
    row = table.session.note_hint(0, source="page")
    assert table.session.hints and table.session.state == before
    assert [one.text for one in table.session.rows()] == ["hints are allowed", "is shown a good move"]
    assert (row.kind, row.seat, row.event) == ("hint", 0, None), "which move it was is not kept"
    table.session.allow_hints(False, source="page")
    assert not table.session.hints
    with pytest.raises(BadEvent):
        table.session.note_hint(1, source="page")


def test_a_hint_for_a_position_that_has_gone_by_is_not_shown(table: Table) -> None:
    table.session.allow_hints(True, source="page")
    table.play(table.session.game.parse(table.session.state, "white moves b2 to b4"), source="page")
    with pytest.raises(StaleCommand):
        table.session.note_hint(0, source="page", expected=1)


def test_a_resumed_game_knows_whether_hints_are_allowed(sessions: SessionManager, table: Table) -> None:
    table.session.allow_hints(True, source="page")
    table.play(table.session.game.parse(table.session.state, "white moves b2 to b4"), source="page")
    again = sessions.resume(table.session.header.id)
    assert again.session.hints and again.session.state == table.session.state


def test_an_undo_leaves_the_permission_as_it_is(table: Table) -> None:
    table.play(table.session.game.parse(table.session.state, "white moves b2 to b4"), source="page")
    table.session.allow_hints(True, source="page")
    table.undo(0, "", source="page")
    assert table.session.hints and table.session.state.moved is None


def test_the_sheet_tells_it(table: Table) -> None:
    table.session.allow_hints(True, source="page")
    table.session.note_hint(1, source="page")
    text = score_sheet(table.session.game.title, table.session.header, table.session.rows(), table.session.timeline)
    assert "hints are allowed" in text and "Ben is shown a good move" in text

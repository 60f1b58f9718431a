"""What was told while a recording was made is told before the picture that came after it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.commands.recording_starter import TranscriptPlayer
from companion.core.layout import Layout
from companion.core.recording import Spoken
from companion.games import GAMES, PLANS
from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager

ROLL = "rolls d6 red yellow blue green, d12 red-orange red red blue purple"


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[SessionManager]:
    journal = Journal.open(tmp_path / "games.journal")
    sessions = SessionManager(journal, GAMES, PLANS["roll-and-color"](2))
    sessions.start("roll-and-color", ("Ada", "Ben"), {})
    yield sessions
    journal.close()


def test_words_are_told_in_time_and_once(sessions: SessionManager) -> None:
    words = (Spoken(5, "player 1 enters 0 in green-blue"), Spoken(3, ROLL))
    prompter = TranscriptPlayer(sessions, words)
    assert sessions.table is not None
    assert prompter.before(2) == () and sessions.table.session.seq == 0
    (told,) = prompter.before(3)
    assert told.text.startswith(f"Ada: {ROLL}") and told.words is not None and told.words["legal"]
    assert prompter.before(4) == () and sessions.table.session.seq == 1
    assert [row.source for row in sessions.table.session.rows()] == ["page"]
    prompter.see(Layout(), 9)
    assert sessions.table.session.rows()[-1].text == "player 1 enters 0 in green-blue"


def test_what_no_longer_fits_is_left_out(sessions: SessionManager) -> None:
    words = (Spoken(1, "player 2 enters 0 in green"), Spoken(1, "no event"), Spoken(1, ROLL))
    told = TranscriptPlayer(sessions, words).before(1)
    assert [one.words["type"] for one in told if one.words] == ["roll"]


def test_before_a_game_began_nothing_is_told(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "other.journal")
    try:
        empty = SessionManager(journal, GAMES, PLANS["roll-and-color"](2))
        assert TranscriptPlayer(empty, (Spoken(1, ROLL),)).before(4) == ()
    finally:
        journal.close()

"""A recording on the page: its pace, pauses, steps, the wait at an illegal move, and the start again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pytest

from companion.app.commands.demo import RecordingProjector
from companion.app.commands.runtime import Runtime
from companion.core.recording import Recording
from companion.games import GAMES, PLANS
from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager
from tests.web.doubles import HandClock, PaintedEyes, play
from tests.web.views.test_alert_view import refuse
from vision.sources.source import Source

PICTURES = 5
PACE_S = 2.0


class Screen:
    """A runtime whose eyes take no picture by themselves: a test asks for the next one."""

    def __init__(self, sessions: SessionManager) -> None:
        self.sessions = sessions
        self.reels: list[Source] = []

    def watch(self, source: Source, game: str, recording: Recording) -> None:
        self.reels.append(source)
        self.sessions.eyes = PaintedEyes()
        self.sessions.start(game, recording.names, {}, recorded=True)

    def watch_nothing(self) -> None:
        self.reels[-1].close()
        self.sessions.watch(None)

    def shows(self) -> str | None:
        """The picture that is due now."""
        shot = self.reels[-1].next(0.001)
        return None if shot is None else shot.name


class Showing:
    """A projector, its screen and its clock."""

    def __init__(self, folder: Path, journal: Journal) -> None:
        plan = PLANS["spectrangle"](2)
        for i in range(PICTURES):
            cv2.imwrite(str(folder / f"{i}.png"), np.zeros((64, 64, 3), np.uint8))
        self.clock = HandClock()
        self.screen = Screen(SessionManager(journal, GAMES, plan))
        recording = Recording(("Ada", "Ben"), {}, None, plan, "told")
        runtime: Any = self.screen
        self.projector = RecordingProjector(
            cast(Runtime, runtime), "Two players", folder, "spectrangle", recording, PACE_S, tick=self.clock
        )
        self.screen.sessions.playback = self.projector

    def due(self) -> str | None:
        """The picture that is due after the pace's time."""
        self.clock.pass_(PACE_S)
        return self.screen.shows()


@pytest.fixture
def showing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Showing]:
    journal = Journal.open(tmp_path / "journal.sqlite")
    showing = Showing(tmp_path, journal)
    # Nobody wakes a thread here that waits for the clock of a hand.
    monkeypatch.setattr(showing.projector._changed, "wait", lambda seconds: showing.clock.pass_(seconds))
    yield showing
    journal.close()


def test_pictures_come_at_their_pace(showing: Showing) -> None:
    assert showing.screen.shows() == "0.png"
    assert showing.screen.shows() is None
    assert showing.due() == "1.png"
    status = showing.projector.status()
    assert (status.state, status.number, status.total) == ("playing", 2, PICTURES)
    assert status.text.startswith("Demo: Two players. A recorded game")


def test_it_is_paused_stepped_and_goes_on(showing: Showing) -> None:
    showing.projector.pause()
    assert showing.due() is None and showing.projector.status().state == "paused"
    showing.projector.step()
    assert showing.screen.shows() == "0.png"
    assert showing.due() is None
    showing.projector.play()
    assert showing.due() == "1.png"


def test_it_waits_at_an_illegal_move_until_it_was_read(showing: Showing) -> None:
    assert showing.due() == "0.png"
    table = showing.screen.sessions.table
    assert table is not None
    play(table, 22)
    refuse(table)
    assert showing.due() is None
    assert showing.projector.status().state == "waiting"
    assert "waits here until you have read why" in showing.projector.status().text
    showing.projector.play()
    assert showing.due() == "1.png"
    assert showing.projector.status().state == "playing"


def test_it_is_over_after_the_last_picture_and_starts_again_with_a_new_game(showing: Showing) -> None:
    first = showing.screen.sessions.table
    assert first is not None
    play(first, 22)
    refuse(first)
    showing.projector.play()
    assert [showing.due() for _ in range(PICTURES)] == [f"{i}.png" for i in range(PICTURES)]
    assert showing.due() is None
    assert showing.projector.status().state == "over"
    assert "set up a game of your own" in showing.projector.status().text
    showing.projector.restart()
    assert showing.screen.sessions.table is not first
    assert showing.projector.status().state == "playing"
    assert showing.screen.shows() == "0.png"
    assert showing.screen.reels[0].next(0.001) is None, "the showing before gives no picture any more"


def test_a_recording_leaves_the_table_before_somebody_begins_a_game_of_their_own(showing: Showing) -> None:
    sessions = showing.screen.sessions
    assert showing.due() == "0.png"
    own = sessions.start("spectrangle", ("Cleo", "Dan"), {})
    assert showing.due() is None
    assert sessions.playback is None and sessions.eyes.status().state == "off"
    showing.projector.restart()
    assert sessions.table is own and len(showing.screen.reels) == 1


def test_a_recording_leaves_the_table_before_an_earlier_game_goes_on(showing: Showing) -> None:
    sessions = showing.screen.sessions
    sessions.playback = None
    earlier = sessions.start("spectrangle", ("Cleo", "Dan"), {})
    sessions.playback = showing.projector
    sessions.resume(earlier.session.header.id)
    assert showing.due() is None
    assert sessions.playback is None and sessions.eyes.status().state == "off"

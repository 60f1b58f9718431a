"""Begins a recorded game from its first steady picture.

Some recordings name the hands but not their places, and some begin in the middle of a game; then the first picture
decides. A `RecordingStarter` takes the place of a reader, begins the game before it passes on the first reading, and is
only a reader from then on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.foundation.errors import WrongUsage
from companion.core.layout import Layout
from companion.core.plan import Plan, Point
from companion.core.recording import Recording
from companion.referee.journal.timeline import options_of
from companion.referee.session_manager import SessionManager

if TYPE_CHECKING:
    from vision.gate.change import Map
    from vision.image.picture import Picture
    from vision.table_reader import Reading, TableReader
from collections.abc import Sequence

from companion.core.foundation.errors import MoveError
from companion.core.recording import Spoken
from companion.core.verdict import Verdict
from companion.referee.telling import ToldVerdict, accepted


class TranscriptPlayer:
    """Enters recorded sentences in a session manager. It is called from the thread that reads pictures."""

    def __init__(self, sessions: SessionManager, said: Sequence[Spoken]) -> None:
        self._sessions = sessions
        self._waiting = sorted(said, key=lambda word: word.before)

    def before(self, number: int) -> tuple[ToldVerdict, ...]:
        """Enters the sentences before a picture; those that do not fit the present game are left out."""
        table = self._sessions.table
        told: list[ToldVerdict] = []
        while self._waiting and self._waiting[0].before <= number and table is not None:
            word = self._waiting.pop(0)
            state = table.session.state
            try:
                event = table.session.game.parse(state, word.text)
                table.play(event, source="page")
            except MoveError:
                continue
            told += accepted(table, state, (event,))
        return tuple(told)

    def see(self, layout: Layout, number: int) -> Verdict | None:
        """Hands the reading of a picture to the session manager, after the sentences before it."""
        self.before(number)
        return self._sessions.see(layout, number)


class RecordingStarter:
    """A reader that begins a game with its first picture. It is called from one thread, like all readers."""

    def __init__(self, reader: TableReader, sessions: SessionManager, game: str, recording: Recording) -> None:
        self._reader = reader
        self._sessions = sessions
        self._game = game
        self._recording = recording
        self._before = sessions.table
        if recording.hands is None and not recording.begun:
            self._begin(None)

    @property
    def plan(self) -> Plan:
        """The plan of the table."""
        return self._reader.plan

    def set_corners(self, corners_px: tuple[Point, Point, Point, Point] | None) -> None:
        """Passes the corners on to the reader."""
        self._reader.set_corners(corners_px)

    def set_covered(self, covered: Map | None) -> None:
        """Passes the covered areas on to the reader."""
        self._reader.set_covered(covered)

    def set_stirred(self, stirred: Map) -> None:
        """Passes the stirred areas on to the reader."""
        self._reader.set_stirred(stirred)

    def confirm_position(self, position: Layout) -> None:
        """Passes the confirmed position on to the reader."""
        self._reader.confirm_position(position)

    def read(self, picture: Picture) -> Reading:
        """Reads a steady picture; the first one begins the game.

        Raises:
            SeeError: The table or the board cannot be found in it.
            BadRecord: The picture shows no position.
        """
        if self._sessions.table is self._before:
            if self._recording.hands is not None:
                from vision.readers.tiles.hands import propose_plan
                from vision.unmarked_table import table_of_plan

                table = table_of_plan(picture, self._reader.plan)
                self._sessions.set_plan(propose_plan(table, self._reader.plan, self._recording.hands))
            self._begin(self._reader.read(picture) if self._recording.begun else None)
        return self._reader.read(picture)

    def read_again(self, picture: Picture) -> Reading:
        """Reads a further picture of the same table."""
        return self._reader.read_again(picture)

    def _begin(self, seen: Reading | None) -> None:
        recording = self._recording
        position = recording.position
        if seen is not None:
            game = self._sessions.game(self._game)
            shown = None if game.proposer is None else game.proposer.seen_position
            if shown is None:
                raise WrongUsage(f"{game.title} cannot begin from a picture. Give its position in the setup.")
            position = shown(len(recording.names), options_of(game, recording.options), seen.layout)
        self._sessions.start(
            self._game,
            recording.names,
            recording.options,
            position=position,
            draws=recording.draws,
            begun=seen is not None,
            recorded=True,
        )

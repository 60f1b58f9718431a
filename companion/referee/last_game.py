"""Remembers, beside the journal, which game was on the table last, so that a restart or a power cut continues it.

The journal knows when a game began, but not which one was resumed last. Without this note, or if it cannot be read, the
game that began last is continued.
"""

from __future__ import annotations

from pathlib import Path

from companion.core.foundation.errors import CompanionError
from companion.core.foundation.kept_file import Spoiled, read_kept, write_whole
from companion.games import GAMES
from companion.referee.journal import Header, Journal
from companion.referee.journal.rows import is_id
from companion.referee.journal.timeline import Timeline, begin

NOTE_MOST = 64
"""The size limit of the note in bytes."""


def check_note(data: bytes) -> str:
    """Returns the id that a note contains.

    Raises:
        Spoiled: The note does not contain an id.
    """
    noted = data.decode("latin-1")
    if not is_id(noted):
        raise Spoiled("it names no game")
    return noted


class LastGame:
    """The note beside one journal."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._path: Path = journal.path.with_name(journal.path.name + ".table")
        self._noted: str | None = None

    def note(self, game: str) -> None:
        """Notes that this game is on the table now. If the note cannot be written, the game goes on."""
        if game == self._noted:
            return
        try:
            write_whole(self._path, game.encode("ascii"))
        except OSError:
            return
        self._noted = game

    def header(self) -> Header | None:
        """Returns the header of the game that was on the table last; None if the journal has no games.

        Raises:
            JournalError: The journal cannot be read.
        """
        headers = self._journal.games()
        noted = read_kept(self._path, check_note, NOTE_MOST)
        if not headers:
            return None
        return next((header for header in headers if header.id == noted), headers[-1])

    def unfinished(self) -> Header | None:
        """Returns the header of the game that was on the table last, if it or its match is not over.

        It also returns None if the game cannot be continued, because its rules have changed or its rows are damaged.
        """
        try:
            header = self.header()
            if header is None or header.game not in GAMES or header.rules != GAMES[header.game].rules:
                return None
            timeline: Timeline = begin(GAMES[header.game], header)
            for row in self._journal.rows(header.id):
                timeline = timeline.read(row)
        except CompanionError:
            return None
        if timeline.state.outcome() is None:
            return header
        following = GAMES[header.game].next_position
        return header if following is not None and following(timeline.state) is not None else None

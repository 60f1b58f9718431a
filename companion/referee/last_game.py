"""Which game lay on the table last, kept beside the journal, so that a restart or a power cut goes on with it.

The journal knows when a game was begun, not which one was taken up again. Without this note, or with one that cannot be
read, it is the game that was begun last.
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
"""A larger note is none of ours."""


def check_note(data: bytes) -> str:
    """The id that a note holds.

    Raises:
        Spoiled: It holds none.
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
        """This game is on the table now. A failed note stops no game."""
        if game == self._noted:
            return
        try:
            write_whole(self._path, game.encode("ascii"))
        except OSError:
            return
        self._noted = game

    def header(self) -> Header | None:
        """The game that lay on the table last; None if the journal has none.

        Raises:
            JournalError: The journal cannot be read.
        """
        headers = self._journal.games()
        noted = read_kept(self._path, check_note, NOTE_MOST)
        if not headers:
            return None
        return next((header for header in headers if header.id == noted), headers[-1])

    def unfinished(self) -> Header | None:
        """The game that lay on the table last, if it, or the match that it belongs to, is not over.

        None, too, where it cannot be continued: its rules have changed, or its rows are damaged.
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

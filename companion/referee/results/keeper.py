"""Keeps results up to date with the journal, on a thread of its own: no move waits for it."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable

from companion.core.foundation.errors import CompanionError
from companion.referee.journal import Header
from companion.referee.journal.timeline import begin
from companion.referee.results.result import Result, result_of
from companion.referee.results.store import Results
from companion.referee.session_manager import SessionManager

WAIT_S = 0.5


class Keeper:
    """Follows one session manager. A context manager: leaving it ends the thread."""

    def __init__(
        self, sessions: SessionManager, results: Results, after_game: Callable[[], object] | None = None
    ) -> None:
        """
        Args:
            after_game: Is called on this thread whenever a game on the table has ended.
        """
        self._sessions = sessions
        self._after_game = after_game
        self._results = results
        self._over = threading.Event()
        self._known = {result.id: result for result in results.all()}
        self._thread = threading.Thread(target=self._follow, name="results", daemon=True)

    def catch_up(self) -> None:
        """Take up every game of the journal of which more has been played than is remembered."""
        for header in self._sessions.journal.games():
            if self._over.is_set():
                return
            known = self._known.get(header.id)
            if known is None or not known.finished:
                self._take_up(header)

    def follow(self) -> None:
        """Take up the game on the table as it stands; a game that is over is backed up."""
        table = self._sessions.table
        if table is None:
            return
        session = table.session
        with session.lock:
            header, rows, line = session.header, session.rows(), session.timeline
        before = self._known.get(header.id)
        if before is None or before.rows != len(rows):
            result = result_of(header, rows, line)
            self._note(result)
            if self._after_game is not None and result.finished and (before is None or not before.finished):
                self._after_game()

    def __enter__(self) -> Keeper:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._sessions.touch()
        self._thread.join(timeout=5)
        self._results.close()

    def _follow(self) -> None:
        self.catch_up()
        version = -1
        while not self._over.is_set():
            now = self._sessions.wait(version, WAIT_S)
            if now != version:
                version = now
                self.follow()
        self.follow()

    def _take_up(self, header: Header) -> None:
        try:
            rows = self._sessions.journal.rows(header.id)
            line = begin(self._sessions.game(header.game), header)
            for row in rows:
                line = line.read(row)
        except CompanionError:
            # Rules have changed, or rows are damaged: `companion replay` says which.
            return
        known = self._known.get(header.id)
        if known is None or known.rows != len(rows):
            self._note(result_of(header, rows, line))

    def _note(self, result: Result) -> None:
        before = self._known.get(result.id)
        self._known[result.id] = result
        try:
            self._results.note(result)
            if result.finished and (before is None or not before.finished):
                self._results.back_up()
        except (sqlite3.Error, OSError):
            # The journal has everything; the next start makes the file anew.
            del self._known[result.id]

"""The file of results: an SQLite database beside the journal, with its own backup copies.

It can be rebuilt from the journal at any time, so a damaged file is set aside and a new one begun.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec

from companion.core.foundation.errors import CompanionError, JournalError
from companion.core.foundation.kept_file import JsonForm, Spoiled, say_aside
from companion.core.foundation.sqlite_file import check_pages, check_schema, connect, move_aside
from companion.referee.journal import Header
from companion.referee.journal.timeline import begin
from companion.referee.results.result import Result, result_of
from companion.referee.session_manager import SessionManager

COPIES = 5
"""The number of copies that are kept; `results`.1 is the newest."""


class Results:
    """Results by the game's id. Every method may be called from any thread."""

    def __init__(self, path: Path) -> None:
        """
        Args:
                path: The file; it is created if there is none. A damaged one is set aside.

        Raises:
                JournalError: The file cannot be opened or created.
        """
        self.path = path
        self._lock = threading.Lock()
        try:
            self._connection = _opened(path)
        except sqlite3.OperationalError as error:
            said = f"The results in {path} cannot be opened ({error}). Check that its folder is there and yours."
            raise JournalError(said) from error
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            say_aside(path, move_aside(path), str(error))
            self._connection = _opened(path)

    def note(self, result: Result) -> None:
        """Remembers the result of a game, in place of an earlier one."""
        with self._lock:
            self._connection.execute(
                "INSERT OR REPLACE INTO result (id, result) VALUES (?, ?)",
                (result.id, msgspec.json.encode(result).decode()),
            )

    def all(self) -> tuple[Result, ...]:
        """Returns all remembered results, the newest first, without entries that cannot be read."""
        with self._lock:
            found = self._connection.execute("SELECT result FROM result").fetchall()
        results = []
        for (text,) in found:
            try:
                results.append(_DECODER.decode(text))
            except Spoiled:
                continue
        return tuple(sorted(results, key=lambda result: result.started, reverse=True))

    def back_up(self) -> Path:
        """Copies the file by SQLite's online backup, and keeps the newest `COPIES` copies.

        Returns:
            The path of the newest copy.
        """
        newest = self._copy(1)
        part = newest.with_name(newest.name + ".part")
        with self._lock:
            part.unlink(missing_ok=True)
            target = connect(part)
            try:
                self._connection.backup(target)
            finally:
                target.close()
            for number in range(COPIES, 1, -1):
                if self._copy(number - 1).exists():
                    self._copy(number - 1).replace(self._copy(number))
            part.replace(newest)
        return newest

    def close(self) -> None:
        """Closes the file. Closing twice is allowed."""
        with self._lock:
            self._connection.close()

    def _copy(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.name}.{number}")


def check_results(path: Path) -> None:
    """Opens a file of results as the program does, to check it.

    Raises:
        Spoiled: The file has no results, or is damaged.
    """
    try:
        _opened(path).close()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise Spoiled(error) from error


_DECODER = JsonForm(Result)
_SCHEMA = ("CREATE TABLE IF NOT EXISTS result (id TEXT PRIMARY KEY, result TEXT NOT NULL)",)


def _opened(path: Path) -> sqlite3.Connection:
    connection = connect(path)
    try:
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
            connection.execute(*_SCHEMA)
        check_schema(connection, _SCHEMA)
        check_pages(connection)
    except BaseException:
        connection.close()
        raise
    return connection


WAIT_S = 0.5


class Keeper:
    """Follows the games of one session manager. As a context manager it ends its thread on leaving."""

    def __init__(
        self, sessions: SessionManager, results: Results, after_game: Callable[[], object] | None = None
    ) -> None:
        """
        Args:
            after_game: A function that is called on this thread whenever a game on the table has ended.
        """
        self._sessions = sessions
        self._after_game = after_game
        self._results = results
        self._over = threading.Event()
        self._known = {result.id: result for result in results.all()}
        self._thread = threading.Thread(target=self._follow, name="results", daemon=True)

    def catch_up(self) -> None:
        """Updates the result of every unfinished or unknown game of the journal."""
        for header in self._sessions.journal.games():
            if self._over.is_set():
                return
            known = self._known.get(header.id)
            if known is None or not known.finished:
                self._take_up(header)

    def follow(self) -> None:
        """Updates the result of the game on the table."""
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
            # The rules have changed, or rows are damaged; `companion replay` says which.
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
            # The journal has all results; the next start rebuilds the file.
            del self._known[result.id]

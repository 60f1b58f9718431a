"""Journals on disk: SQLite files to which rows are only added; each row is committed before any screen shows it.

A process may be killed at any moment; SQLite's write-ahead log with `synchronous=FULL` keeps every committed row
through that and through a power cut. The file contains only what `rows` defines, one JSON text per row, so any SQLite
shell shows it, and a server's database keeps the very same rows.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from companion.core.foundation.errors import JournalError
from companion.core.foundation.sqlite_file import connect, connect_reading, move_aside, transaction
from companion.referee.journal import seeds
from companion.referee.journal.chained import ChainedGames, Tip
from companion.referee.journal.file import Heads, KeptGames, Stored, check, inspect, make, plainly

# A journal whose file is deleted, cut or replaced during use is detected before the next row is confirmed, and is
# written again with all its rows.
#
# An open file keeps accepting rows after its name is gone; such rows would be lost. So the file and its write-ahead log
# are compared with their earlier state: they must be the same files and never smaller. Files found in their place are
# set aside and never overwritten.

_LOG = "-wal"


class FileMark(NamedTuple):
    """The identity (inode) and size of a file at an earlier moment."""

    file: int
    size: int


def marks(path: Path) -> tuple[FileMark | None, FileMark | None]:
    """Returns the marks of the file and of its write-ahead log; None for a missing one."""
    name = os.fspath(path)  # A string: Python would intern the parts of new paths, and this runs twice for each row.
    return _mark(name), _mark(name + _LOG)


def is_whole(before: tuple[FileMark | None, FileMark | None], path: Path) -> bool:
    """True if both files are the same ones and have not shrunk; during use, neither ever does."""
    return all(
        was is None or (now is not None and now.file == was.file and now.size >= was.size)
        for was, now in zip(before, marks(path), strict=True)
    )


def write_anew(path: Path, connection: sqlite3.Connection, kept: KeptGames) -> Path | None:
    """Replaces a journal that was deleted, cut or replaced by a complete one; `connection` is closed.

    Args:
        connection: The open journal; if the file was only deleted, it can still read all rows.
        kept: The games that the new file must contain, whatever the old file still contains.

    Returns:
        The new path of the file that was found in its place; None if there was none.

    Raises:
        sqlite3.Error: The new file could not be written.
    """
    part = _beside(path, ".part")
    part.unlink(missing_ok=True)
    try:
        _copy(connection, part)
        if not _holds(part, kept):
            raise JournalError("The copy lacks rows.")
    except (sqlite3.Error, JournalError, UnicodeDecodeError):
        part.unlink(missing_ok=True)
        _write(part, kept)
    connection.close()
    aside = move_aside(path)
    part.replace(path)
    return aside


def _copy(connection: sqlite3.Connection, part: Path) -> None:
    copy = connect(part)
    try:
        connection.backup(copy)
        check(part, copy)
    finally:
        copy.close()


def _holds(part: Path, kept: KeptGames) -> bool:
    """True if a journal has every known row, unchanged."""
    copy = connect(part)
    try:
        for game, known in kept.items():
            rows = copy.execute("SELECT n, entry, hash FROM row WHERE game = ? ORDER BY n", (game,)).fetchall()
            header = copy.execute("SELECT header FROM game WHERE id = ?", (game,)).fetchone()
            if header != (known.header,) or rows[: len(known.rows)] != known.rows:
                return False
    finally:
        copy.close()
    return True


def _write(part: Path, kept: KeptGames) -> None:
    fresh = connect(part)
    try:
        fresh.execute("PRAGMA synchronous=FULL")
        make(fresh)
        with transaction(fresh):
            for game, known in kept.items():
                fresh.execute("INSERT INTO game VALUES (?, ?)", (game, known.header))
                fresh.executemany("INSERT INTO row VALUES (?, ?, ?, ?)", [(game, *row) for row in known.rows])
                if known.seed is not None:
                    seeds.keep(fresh, game, known.seed)
    finally:
        fresh.close()


def _beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


def _mark(name: str) -> FileMark | None:
    try:
        found = os.stat(name)  # noqa: PTH116
    except OSError:
        return None
    return FileMark(found.st_ino, found.st_size)


class Journal(ChainedGames):
    """One journal file with any number of games. Every method may be called from any thread."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Makes a journal from an open connection; use `Journal.open` or `Journal.read` instead."""
        super().__init__(str(path))
        self.path = path
        self.notice: str | None = None
        """A sentence about a problem with the file during use, or None."""
        self.grown: Callable[[str], None] | None = None
        """A function that is called with the id of a game that has grown on disk; it must return at once and not read
        the journal."""
        self._connection = connection
        self._heads = Heads(path)
        self._kept = KeptGames()
        """The games that this run has begun or continued."""
        self._marks = marks(path)
        self._closed = self._wrote = False

    @classmethod
    def open(cls, path: Path) -> Journal:
        """Opens a journal for writing, and creates it if there is none.

        Raises:
            JournalError: The file is not a journal, is damaged or from a newer program, or its folder cannot be
                written. The
                file is left as it is.
        """
        path = Path(path)
        inspect(path, may_be_new=True)
        with plainly(path, "opened"):
            connection = _connected(path)
        journal = cls(path, connection)
        journal._look_at_heads()
        if journal.notice is not None:
            journal._heads.set_aside(journal.notice)
        return journal

    @classmethod
    def read(cls, path: Path) -> Journal:
        """Opens a journal for reading only, so it works in a read-only folder.

        Raises:
            JournalError: The file is missing, not a journal, damaged, or from a newer program.
        """
        path = Path(path)
        inspect(path, may_be_new=False)
        with plainly(path, "opened"):
            connection = connect_reading(path)
            try:
                check(path, connection)
            except BaseException:
                connection.close()
                raise
        journal = cls(path, connection)
        journal._look_at_heads()
        return journal

    def _look_at_heads(self) -> None:
        """Checks for rows that were cut off while the file was closed."""
        try:
            with plainly(self.path, "opened"):
                self.notice = self._heads.lost(self._connection)
        except BaseException:
            self._connection.close()
            raise

    def close(self) -> None:
        """Closes the file. Closing twice is allowed."""
        with self._lock:
            if not self._closed and self._wrote:
                self._heads.tidy()
            self._closed = True
            self._connection.close()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self._lock, plainly(self.path, "read"):
            yield

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Runs one transaction, and makes sure that the rows it confirms are in a file that still has a name."""
        with self._lock, plainly(self.path, "written"):
            self._mend()
            self._due = []
            with transaction(self._connection):
                yield
            self._settle()
            self._mend()

    def _headers(self) -> Iterator[tuple[str, str]]:
        return self._connection.execute("SELECT id, header FROM game")

    def _header_text(self, game: str) -> str | None:
        found = self._connection.execute("SELECT header FROM game WHERE id = ?", (game,)).fetchone()
        return None if found is None else found[0]

    def _last(self, game: str) -> Tip | None:
        found = self._connection.execute(
            "SELECT n, hash FROM row WHERE game = ? ORDER BY n DESC LIMIT 1", (game,)
        ).fetchone()
        return None if found is None else Tip(int(found[0]), str(found[1]))

    def _standings(self) -> list[tuple[str, int | None, str | None, bool]]:
        seeded = seeds.games(self._connection)
        found = self._connection.execute(
            "SELECT game.id, row.n, row.hash FROM game LEFT JOIN row ON row.game = game.id"
            " AND row.n = (SELECT max(n) FROM row WHERE row.game = game.id)"
        ).fetchall()
        return [(game, n, said, game in seeded) for game, n, said in found]

    def _stored(self, game: str, after: int, most: int | None) -> list[Stored]:
        return self._connection.execute(
            "SELECT n, entry, hash FROM row WHERE game = ? AND n > ? ORDER BY n LIMIT ?",
            (game, after, -1 if most is None else most),
        ).fetchall()

    def _enter(self, game: str, header: str) -> None:
        self._connection.execute("INSERT INTO game VALUES (?, ?)", (game, header))

    def _add(self, game: str, rows: Sequence[Stored]) -> None:
        self._connection.executemany("INSERT INTO row VALUES (?, ?, ?, ?)", [(game, *row) for row in rows])

    def _keep_seed(self, game: str, seed: bytes) -> None:
        seeds.keep(self._connection, game, seed)

    def _seed(self, game: str) -> bytes | None:
        return seeds.read(self._connection, game)

    def _entered(self, game: str, header: str) -> None:
        self._kept.begin(game, header)
        self._tell(game)

    def _added(self, game: str, rows: Sequence[Stored]) -> None:
        self._heads.note(game, rows[-1][0], rows[-1][2])
        self._wrote = True
        for row in rows:
            self._kept.add(game, row)
        self._tell(game)

    def _seeded(self, game: str, seed: bytes) -> None:
        self._kept.keep_seed(game, seed)
        self._tell(game)

    def _checked(self, game: str, header: str, rows: list[Stored]) -> None:
        self._kept.keep(game, header, rows)

    def _tell(self, game: str) -> None:
        if self.grown is not None:
            self.grown(game)

    def _mend(self) -> None:
        """Writes the journal again if its file was deleted, cut or replaced since the last write."""
        if self._closed:
            return
        if is_whole(self._marks, self.path):
            self._marks = marks(self.path)
            return
        aside = write_anew(self.path, self._connection, self._kept)
        self._connection = _connected(self.path)
        self._marks = marks(self.path)
        self.notice = f"The journal {self.path} was deleted while it was in use, and was written again with everything."
        if aside is not None:
            self.notice = (
                f"The journal {self.path} was changed by something else while it was in use. The file in its place was"
                f" renamed to {aside.name}, and the journal was written again with "
                + ("the last games of this evening." if self._kept.dropped else "every game of this evening.")
            )


def _connected(path: Path) -> sqlite3.Connection:
    """Returns a connection for writing; it creates the file if there is none, and checks it."""
    connection = connect(path)
    try:
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        make(connection)
        check(path, connection)
        connection.execute("PRAGMA journal_mode=WAL").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection

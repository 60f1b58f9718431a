"""A journal whose file is deleted, cut or replaced while it is in use: noticed before the next row is confirmed, and
written anew with everything.

An open file goes on taking rows after its name is gone, which are lost. So file and write-ahead log are compared with
their earlier state: the same file, never smaller. Files found in their place are set aside and never overwritten.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import NamedTuple

from companion.core.foundation.errors import JournalError
from companion.core.foundation.sqlite_file import connect, move_aside, transaction
from companion.referee.journal import seeds
from companion.referee.journal.file import check, make
from companion.referee.journal.kept import KeptGames

_LOG = "-wal"


class FileMark(NamedTuple):
    """A file as it was: which one, and how large."""

    file: int
    size: int


def marks(path: Path) -> tuple[FileMark | None, FileMark | None]:
    """The file and its write-ahead log; None for one that is not there."""
    name = os.fspath(
        path
    )  # twice a row: no paths are made for it, whose parts Python would enter in its table of names
    return _mark(name), _mark(name + _LOG)


def is_whole(before: tuple[FileMark | None, FileMark | None], path: Path) -> bool:
    """True if both files are the same ones and have not become smaller, as neither ever does while it is in use."""
    return all(
        was is None or (now is not None and now.file == was.file and now.size >= was.size)
        for was, now in zip(before, marks(path), strict=True)
    )


def write_anew(path: Path, connection: sqlite3.Connection, kept: KeptGames) -> Path | None:
    """Put a whole journal in the place of one that was deleted, cut or replaced; `connection` is closed.

    :param connection: the open journal; of a file that is only deleted it still reads everything.
    :param kept: what must be in it, whatever the file still says.
    :return: where the file that was found in its place is now; None if there was none.
    :raises sqlite3.Error: it could not be written.
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
    """True if every row that is known is in a journal, unchanged."""
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

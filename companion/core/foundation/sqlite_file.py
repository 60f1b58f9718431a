"""Opens SQLite files that disks may have damaged or strangers made, and compares their schema with ours.

A database can run code when it is read or written: a view in the place of a table, a trigger that deletes confirmed
rows. So the whole schema is compared before any table is read. `companion.core.foundation.kept_file` is the same for
other kinds of files.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path

from companion.core.foundation.kept_file import name_aside
from companion.core.printable import one_line

MAGIC = b"SQLite format 3\x00"
"""The first bytes of every SQLite file."""
_INDEX = "-shm"
LOGS = ("-wal", "-journal", _INDEX)
"""How the names go on of the files that SQLite keeps beside a database."""
BUSY_S = 5.0
"""The time to wait for another program's write."""
LONGEST_TEXT = 16 * 2**20
"""Bytes of one value: a longer one is none that we wrote, and would fill memory."""

Statements = tuple[str, ...]
"""The statements of a schema."""


class ForeignSchema(sqlite3.DatabaseError):
    """A file whose tables, triggers, views and indexes are not exactly ours; the text names the first that differs."""


def connect(path: Path, *, timeout_s: float = BUSY_S) -> sqlite3.Connection:
    """A connection that reads and writes; a file that is made by it is its owner's alone.

    Raises:
        sqlite3.Error: It cannot be opened.
    """
    # SQLite gives its log and its index the mode of the file. An error here is met again, and named, by SQLite.
    with suppress(OSError, ValueError):
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    return _bounded(_opened(str(path), timeout_s))


def connect_reading(path: Path) -> sqlite3.Connection:
    """A connection that cannot write.

    A write-ahead log needs a neighbor file even to read; where the folder cannot take one and no log is waiting, the
    file is read as it stands.

    Raises:
        sqlite3.Error: It cannot be opened.
    """
    uri = path.resolve().as_uri()
    connection = _opened(f"{uri}?mode=ro")
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        connection.close()
        log = path.with_name(path.name + "-wal")
        if log.exists() and log.stat().st_size:
            raise
        connection = _opened(f"{uri}?immutable=1")
    return _bounded(connection)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commits everything inside, or none of it. The write lock is taken at once, so a refusal comes before any work."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def check_schema(connection: sqlite3.Connection, *whole: Statements) -> None:
    """Hold the schema of a file against those that it may have.

    Args:
        whole: Each is all that makes one schema.

    Raises:
        ForeignSchema: It is none of them.
        sqlite3.Error: It cannot be read.
    """
    found = _schema(connection)
    known = [_made(statements) for statements in whole]
    if found in known:
        return
    nearest = min(known, key=lambda one: len(one ^ found))
    foreign, missing = sorted(found - nearest), sorted(nearest - found)
    kind, name = (foreign or missing)[0][:2]
    shown = one_line(name[:60])
    raise ForeignSchema(f'its {kind} "{shown}" {"is not ours" if foreign else "is gone"}')


def check_pages(connection: sqlite3.Connection) -> None:
    """Check that pages and indexes hold together; a cut or overwritten file fails here.

    Raises:
        sqlite3.DatabaseError: They do not.
    """
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise sqlite3.DatabaseError(f"malformed: {' '.join(str(found).replace('***', '').split())}")


def move_aside(path: Path) -> Path | None:
    """Give whatever has a database's name another one, with its logs: one left over would be read into the next file.

    Returns:
        Where it is now; None if there was no such file.

    Raises:
        OSError: It cannot be renamed.
    """
    aside = name_aside(path)
    there = path.exists()
    for log in LOGS:
        left = path.with_name(path.name + log)
        if there and log != _INDEX and left.exists():
            left.replace(aside.with_name(aside.name + log))
        left.unlink(missing_ok=True)
    if not there:
        return None
    path.replace(aside)
    return aside


Entry = tuple[str, str, str, str]
"""Kind, name, table and text of one thing in a schema."""


def _schema(connection: sqlite3.Connection) -> frozenset[Entry]:
    found = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    return frozenset((str(kind), str(name), str(table), " ".join(str(sql).split())) for kind, name, table, sql in found)


@cache
def _made(statements: Statements) -> frozenset[Entry]:
    """The schema that statements make, as SQLite writes it down."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in statements:
            connection.execute(statement)
        return _schema(connection)


def _opened(where: str, timeout_s: float = BUSY_S) -> sqlite3.Connection:
    uri = where.startswith("file:")
    return sqlite3.connect(where, uri=uri, timeout=timeout_s, isolation_level=None, check_same_thread=False)


def _bounded(connection: sqlite3.Connection) -> sqlite3.Connection:
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_TEXT)
    connection.execute("PRAGMA trusted_schema=OFF")
    return connection

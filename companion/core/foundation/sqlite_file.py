"""Opens SQLite files that may be damaged or hostile, and compares their schema with the expected one.

A database can run code when it is read or written: a view in place of a table, or a trigger that deletes confirmed
rows. So the whole schema is compared before any table is read. `companion.core.foundation.kept_file` does the same for
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
"""The suffixes of the files that SQLite keeps beside a database."""
BUSY_S = 5.0
"""The number of seconds to wait for another program's write."""
LONGEST_TEXT = 16 * 2**20
"""The size limit of one value, in bytes. This program never writes a longer one, and it would fill memory."""

Statements = tuple[str, ...]
"""The SQL statements that create a schema."""


class ForeignSchema(sqlite3.DatabaseError):
    """A file whose tables, triggers, views or indexes differ from the expected ones; the message names the first
    difference.
    """


def connect(path: Path, *, timeout_s: float = BUSY_S) -> sqlite3.Connection:
    """Returns a connection that reads and writes. If it creates the file, only the owner may read it.

    Raises:
        sqlite3.Error: The file cannot be opened.
    """
    # SQLite gives its log and its index the mode of the file. SQLite reports an error here again when it opens the
    # file.
    with suppress(OSError, ValueError):
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    return _bounded(_opened(str(path), timeout_s))


def connect_reading(path: Path) -> sqlite3.Connection:
    """Returns a connection that cannot write.

    A write-ahead log needs a second file even for reading. Where the folder is not writable and no log is waiting, the
    file is read without one.

    Raises:
        sqlite3.Error: The file cannot be opened.
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
    """Commits everything inside, or nothing. It takes the write lock at once, so that a refusal comes before any
    work.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def check_schema(connection: sqlite3.Connection, *whole: Statements) -> None:
    """Compares the schema of a file with those that it may have.

    Args:
        whole: The statements of each allowed schema.

    Raises:
        ForeignSchema: The schema is none of them.
        sqlite3.Error: The schema cannot be read.
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
    """Checks that pages and indexes are consistent; a cut or overwritten file fails this check.

    Raises:
        sqlite3.DatabaseError: They are not.
    """
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise sqlite3.DatabaseError(f"malformed: {' '.join(str(found).replace('***', '').split())}")


def move_aside(path: Path) -> Path | None:
    """Renames a database and its log files, because a log that is left behind would be read into the next file.

    Returns:
        The new path; None if there was no such file.

    Raises:
        OSError: The file cannot be renamed.
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
"""The kind, name, table and SQL text of one entry in a schema."""


def _schema(connection: sqlite3.Connection) -> frozenset[Entry]:
    found = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    return frozenset((str(kind), str(name), str(table), " ".join(str(sql).split())) for kind, name, table, sql in found)


@cache
def _made(statements: Statements) -> frozenset[Entry]:
    """Returns the schema that statements create, as SQLite records it."""
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

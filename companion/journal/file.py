"""The file of a journal: told from other files before SQLite touches it, made, checked; its troubles in plain words."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.errors import JournalError
from companion.journal.rows import FORMAT

APPLICATION_ID = 0x54544331
"""In the file's header, so that a journal is told from every other SQLite file."""

_MAGIC = b"SQLite format 3\x00"
_BUSY_S = 5.0

_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS game (id TEXT PRIMARY KEY, header TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS row (game TEXT NOT NULL REFERENCES game (id), n INTEGER NOT NULL, entry TEXT NOT NULL,"
    " hash TEXT NOT NULL, PRIMARY KEY (game, n)) WITHOUT ROWID",
    *(
        f"CREATE TRIGGER IF NOT EXISTS {table}_{verb} BEFORE {verb.upper()} ON {table}"
        " BEGIN SELECT RAISE(ABORT, 'a journal only grows'); END"
        for table in ("game", "row")
        for verb in ("update", "delete")
    ),
)


def inspect(path: Path, *, may_be_new: bool) -> None:
    """Refuse what is no journal by its first 100 bytes, before SQLite touches it: opening already writes.

    Bytes 60 and 68 of an SQLite file hold the user version (our format) and the application id.
    """
    try:
        if not path.exists():
            if may_be_new:
                return
            raise JournalError(f"There is no journal {path}. Give the path of a journal file.")
        if path.is_dir():
            raise JournalError(f"{path} is a folder, not a journal. Give the path of a journal file.")
        with path.open("rb") as file:
            head = file.read(100)
    except OSError as error:
        raise JournalError(f"The journal {path} cannot be read ({error.strerror}).") from error
    if not head:
        if may_be_new:
            return
        raise JournalError(f"{path} is empty: it holds no game.")
    if not head.startswith(_MAGIC) or len(head) < 100:
        raise JournalError(f"{path} is not a journal. It was left as it is; give another path.")
    version, application = int.from_bytes(head[60:64], "big"), int.from_bytes(head[68:72], "big")
    if application == version == 0 and may_be_new:
        return
    if application != APPLICATION_ID:
        raise JournalError(f"{path} is a database of another program. It was left as it is; give another path.")
    if version > FORMAT:
        raise JournalError(
            f"{path} was written by a newer program (format {version}; this one knows {FORMAT}). Update it."
        )


def make(connection: sqlite3.Connection) -> None:
    """Tables of a new journal, all or nothing.

    A file that another program left with no application id is told by its tables.
    """
    with transaction(connection):
        if connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID:
            return
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise JournalError("This file is a database of another program. It was left as it is; give another path.")
        for statement in _SCHEMA:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version={FORMAT}")


def check(path: Path, connection: sqlite3.Connection) -> None:
    """Check pages and tables; a cut or overwritten file fails here."""
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        said = " ".join(str(found).replace("***", "").split())
        raise JournalError(f"The journal {path} is damaged ({said}). It was left as it is; use a copy of the file.")
    connection.execute("SELECT count(*) FROM game").fetchone()


def connect(path: Path) -> sqlite3.Connection:
    """A connection that reads and writes."""
    return sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)


def connect_reading(path: Path) -> sqlite3.Connection:
    """A connection that cannot write.

    A write-ahead log needs a neighbor file even to read; where the folder cannot take one and no log is waiting, the
    file is read as it stands.
    """
    uri = path.resolve().as_uri()
    connection = sqlite3.connect(
        f"{uri}?mode=ro", uri=True, timeout=_BUSY_S, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        connection.close()
        log = path.with_name(path.name + "-wal")
        if log.exists() and log.stat().st_size:
            raise
        connection = sqlite3.connect(f"{uri}?immutable=1", uri=True, isolation_level=None, check_same_thread=False)
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Everything inside, or nothing. The write lock is taken at once, so a refusal comes before any work."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _damaged(path: Path) -> str:
    return f"The journal {path} is damaged. It was left as it is; use a copy of the file."


_PLAIN: tuple[tuple[str, Callable[[Path], str]], ...] = (
    ("full", lambda path: f"The disk that holds {path} is full. Nothing was changed; make room and try again."),
    (
        "readonly",
        lambda path: f"{path} or its folder cannot be written. Nothing was changed; allow writing or move it.",
    ),
    ("unable to open", lambda path: f"{path} cannot be opened. Check that its folder is there and may be written."),
    ("locked", lambda path: f"Another program is writing to {path}. Nothing was changed; close it and try again."),
    ("not a database", lambda path: f"{path} is not a journal. It was left as it is; give another path."),
    ("malformed", lambda path: _damaged(path)),
    ("decode to UTF-8", lambda path: _damaged(path)),
    ("closed database", lambda path: f"The journal {path} was closed. Open it again."),
)
"""What SQLite says, and the sentence for people."""


@contextmanager
def plainly(path: Path, done: str) -> Iterator[None]:
    """SQLite's errors as one sentence each."""
    try:
        yield
    except UnicodeDecodeError as error:
        # SQLite hands out damaged names and messages as they are.
        raise JournalError(_damaged(path)) from error
    except sqlite3.Error as error:
        said = str(error)
        for sign, sentence in _PLAIN:
            if sign in said:
                raise JournalError(sentence(path)) from error
        raise JournalError(f"The journal {path} could not be {done} ({said}). Nothing was changed.") from error

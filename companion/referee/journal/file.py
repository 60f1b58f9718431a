"""The file of a journal: it is recognized before SQLite opens it, created and checked; errors become plain
sentences.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.core.foundation.errors import DamagedJournal, JournalError
from companion.core.foundation.sqlite_file import MAGIC, ForeignSchema, check_pages, check_schema, transaction
from companion.referee.journal import seeds
from companion.referee.journal.rows import FORMAT

APPLICATION_ID = 0x54544331
"""The number in the file's header that distinguishes a journal from every other SQLite file."""

SCHEMA = (
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
"""The statements that create a journal; `companion.referee.journal.seeds` adds tables once software deals."""


def inspect(path: Path, *, may_be_new: bool) -> None:
    """Refuses files that are not journals by their first 100 bytes, before SQLite opens them, because opening may
    write.

    Bytes 60 and 68 of an SQLite file hold the user version (the format of this program) and the application id.

    Raises:
        JournalError: The file is not a journal, or is from a newer program.
        DamagedJournal: The file has only zeros, as after a power cut during its creation.
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
        raise JournalError(f"{path} is empty: it has no game.")
    if not any(head):
        raise DamagedJournal(_damaged(path, "it begins with zeros"))
    if not head.startswith(MAGIC) or len(head) < 100:
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
    """Creates the tables of a new journal, all or none. A file without an application id must have no tables of another
    program.
    """
    with transaction(connection):
        if connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID:
            return
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise JournalError("This file is a database of another program. It was left as it is; give another path.")
        for statement in SCHEMA:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version={FORMAT}")


def check(path: Path, connection: sqlite3.Connection) -> None:
    """Checks schema, pages and tables. A cut or overwritten file fails here, and so does one with foreign triggers.

    Raises:
        DamagedJournal: The file is damaged.
    """
    try:
        check_schema(connection, SCHEMA, (*SCHEMA, *seeds.SCHEMA))
    except ForeignSchema as error:
        raise DamagedJournal(_damaged(path, str(error))) from error
    check_pages(connection)
    connection.execute("SELECT count(*) FROM game").fetchone()


def _damaged(path: Path, why: str = "") -> str:
    shown = f" ({why})" if why else ""
    return f"The journal {path} is damaged{shown}. It was left as it is; use a copy of the file."


_PLAIN: tuple[tuple[str, Callable[[Path], str]], ...] = (
    ("full", lambda path: f"The disk that holds {path} is full. Nothing was changed; make room and try again."),
    (
        "readonly",
        lambda path: f"{path} or its folder cannot be written. Nothing was changed; allow writing or move it.",
    ),
    ("unable to open", lambda path: f"{path} cannot be opened. Check that its folder is there and may be written."),
    ("locked", lambda path: f"Another program is writing to {path}. Nothing was changed; close it and try again."),
    ("closed database", lambda path: f"The journal {path} was closed. Open it again."),
)
"""Parts of SQLite's messages, and the sentences that replace them."""
_SPOILED = ("malformed", "not a database", "decode to UTF-8", "string or blob too big", "unsupported file format")
"""Parts of SQLite's messages about a damaged file."""


@contextmanager
def plainly(path: Path, done: str) -> Iterator[None]:
    """Turns SQLite's errors into one sentence each.

    Raises:
        DamagedJournal: The file is damaged.
        JournalError: Any other error.
    """
    try:
        yield
    except UnicodeDecodeError as error:
        # SQLite does not check that stored names and messages are valid text.
        raise DamagedJournal(_damaged(path)) from error
    except sqlite3.Error as error:
        said = str(error)
        if any(sign in said for sign in _SPOILED):
            # A message about a text that cannot be decoded quotes the text, which may reveal hands.
            why = "" if "decode" in said else said.removeprefix("malformed: ")
            raise DamagedJournal(_damaged(path, why)) from error
        for sign, sentence in _PLAIN:
            if sign in said:
                raise JournalError(sentence(path)) from error
        raise JournalError(f"The journal {path} could not be {done} ({said}). Nothing was changed.") from error

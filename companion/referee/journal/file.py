"""The file of a journal, and its guards against lost rows: last rows in a file beside it, and open games in memory.

The file is recognized before SQLite opens it, created and checked; errors become plain sentences. A journal that lost
its last rows, or an older copy, still has a valid chain; only the file of last rows reveals the loss. A line is added
after each row is on disk, without waiting: a lost line weakens the check but never raises a false alarm. The games that
this run of the program has begun or continued are also kept in memory, compressed and within a bound, in case their
file is lost. Rows repeat each other's words and shrink to a tenth when compressed, so an evening of many games fits
easily.
"""

from __future__ import annotations

import logging
import os
import re
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from companion.core.foundation.errors import DamagedJournal, JournalError
from companion.core.foundation.kept_file import JsonForm, Spoiled, name_aside, read_bytes, write_whole
from companion.core.foundation.logs import note
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


MOST_BYTES = 4 * 2**20
"""The largest size of headers and compressed rows in bytes, enough for 900 games; the games that began first are
dropped beyond it."""
_BLOCK = 64
"""The number of rows that are compressed together."""

Stored = tuple[int, str, str]
"""The number, entry and hash of a row."""


class KeptOpen(NamedTuple):
    """A game as this run of the program knows it."""

    header: str
    rows: list[Stored]
    seed: bytes | None = None


class _Held:
    """One game: compressed blocks of rows, and the last rows uncompressed."""

    def __init__(self, header: str) -> None:
        self.header = header
        self.blocks: list[bytes] = []
        self.recent: list[Stored] = []
        self.count = 0
        self.seed: bytes | None = None

    def pack(self) -> int:
        """Compresses the remaining rows; returns the number of bytes."""
        if not self.recent:
            return 0
        self.blocks.append(zlib.compress(msgspec.json.encode(self.recent)))
        self.recent = []
        return len(self.blocks[-1])

    def rows(self) -> list[Stored]:
        return [row for block in self.blocks for row in _ROWS.decode(zlib.decompress(block))] + self.recent


class KeptGames:
    """Games by id, in the order in which they were added."""

    def __init__(self) -> None:
        self._games: dict[str, _Held] = {}
        self._size = 0
        self.dropped = False
        """True if games were dropped for lack of room."""

    def begin(self, game: str, header: str) -> None:
        """Starts to hold a game, and compresses the rows of all other games."""
        for held in self._games.values():
            self._size += held.pack()
        self._games[game] = _Held(header)
        self._size += len(header)
        self._keep_bound(game)

    def add(self, game: str, row: Stored) -> None:
        """Adds a row to a game; it does nothing if the game is not held."""
        held = self._games.get(game)
        if held is None:
            return
        held.recent.append(row)
        held.count += 1
        if len(held.recent) == _BLOCK:
            self._size += held.pack()
            self._keep_bound(game)

    def keep(self, game: str, header: str, rows: list[Stored]) -> None:
        """Holds a whole game, unless it is already held with as many rows."""
        known = self._games.get(game)
        if known is not None and known.count >= len(rows):
            return
        seed = None if known is None else known.seed
        if known is not None:
            self._drop(game)
        self.begin(game, header)
        for row in rows:
            self.add(game, row)
        self.keep_seed(game, seed)

    def keep_seed(self, game: str, seed: bytes | None) -> None:
        """Holds the seed by which software deals a game; it does nothing if the game is not held."""
        if game in self._games:
            self._games[game].seed = seed

    def items(self) -> Iterator[tuple[str, KeptOpen]]:
        """Yields every held game, uncompressed one at a time."""
        for game, held in self._games.items():
            yield game, KeptOpen(held.header, held.rows(), held.seed)

    def _keep_bound(self, game: str) -> None:
        """Drops the oldest games until the rest fits, but never this one."""
        while self._size > MOST_BYTES and (first := next(iter(self._games))) != game:
            self._drop(first)
            self.dropped = True

    def _drop(self, game: str) -> None:
        held = self._games.pop(game)
        self._size -= len(held.header) + sum(map(len, held.blocks))


_ROWS = JsonForm(list[Stored])


END = ".heads"
"""The suffix of the file's name after the journal's name."""
TIDY_BYTES = 2**20
"""The size in bytes above which the file is rewritten with one line per game."""
_MOST_BYTES = 2**26
_LINE = re.compile(rb"([a-z0-9-]{1,32}) ([1-9][0-9]{0,9}) ([0-9a-f]{64})")

_LOG = logging.getLogger("companion.journal")


class Head(NamedTuple):
    """The last row of a game that was written."""

    n: int
    hash: str


class Heads:
    """The file beside one journal. Use it from one thread at a time."""

    def __init__(self, journal: Path) -> None:
        self.path = journal.with_name(journal.name + END)
        self._journal = journal

    def note(self, game: str, n: int, hash_: str) -> None:
        """Notes that this row is on disk."""
        with suppress(OSError):  # a full disk must not stop the game
            file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                os.write(file, f"{game} {n} {hash_}\n".encode("ascii"))
                large = os.fstat(file).st_size > TIDY_BYTES
            finally:
                os.close(file)
            if large:
                self.tidy()

    def tidy(self) -> None:
        """Rewrites the file with one line per game."""
        with suppress(OSError):
            heads = self._read()
            if heads:
                lines = "".join(f"{game} {head.n} {head.hash}\n" for game, head in heads.items())
                write_whole(self.path, lines.encode("ascii"))

    def lost(self, connection: sqlite3.Connection) -> str | None:
        """Returns a sentence on the rows that a journal has lost; None if it has them all.

        Raises:
            sqlite3.Error: The journal cannot be read.
        """
        lost: list[tuple[str, int, int]] = []
        for game, head in self._read().items():
            row = connection.execute("SELECT hash FROM row WHERE game = ? AND n = ?", (game, head.n)).fetchone()
            if row is None or row[0] != head.hash:
                (last,) = connection.execute("SELECT max(n) FROM row WHERE game = ?", (game,)).fetchone()
                lost.append((game, head.n, last or 0))
        if not lost:
            return None
        game, had, has = lost[-1]
        more = "" if len(lost) == 1 else f" So have {len(lost) - 1} other games."
        changed = f"has {has} rows and had {had}" if has < had else f"has another row {had}"
        return (
            f"The journal {self._journal} has lost rows since it was written: the game {game} {changed}.{more}"
            " It was cut, or is an older copy. Put a backup back to have them again."
        )

    def set_aside(self, why: str) -> None:
        """Starts a new file after the missing rows were reported; the old file is kept under another name."""
        with suppress(OSError):
            aside = self.path.replace(name_aside(self.path))
            note(_LOG, logging.WARNING, "rows lost", heads=aside.name, why=why)

    def _read(self) -> dict[str, Head]:
        """Returns the last row of each game. Lines that are invalid, such as one that was cut off by a crash, are
        skipped.
        """
        try:
            data = read_bytes(self.path, _MOST_BYTES)
        except (OSError, Spoiled):
            return {}
        heads: dict[str, Head] = {}
        for line in data.split(b"\n"):
            found = _LINE.fullmatch(line)
            if found is not None:
                game, n = found[1].decode("ascii"), int(found[2])
                if game not in heads or n >= heads[game].n:
                    heads[game] = Head(n, found[3].decode("ascii"))
        return heads

"""Journals on disk: SQLite, append-only, each row committed before anyone is told.

SQLite because a process may be killed at any instant, and its write-ahead log with `synchronous=FULL` keeps every
committed row through that and through a loss of power. The file holds only what `rows` defines, one JSON text a row, so
any SQLite shell shows it and a server's database can keep the very same rows.
"""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import strftime
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.contract import Points, Seat
from companion.errors import UNREADABLE, BrokenChain, JournalError
from companion.journal import seeds
from companion.journal.file import check, connect, connect_reading, inspect, make, plainly, transaction
from companion.journal.kept import KeptGames
from companion.journal.mending import is_whole, marks, write_anew
from companion.journal.moments import utc
from companion.journal.rows import Header, Kind, Row, Source, entry, head, link, root

_ID = re.compile(r"[a-z0-9-]{1,32}")


class Journal:
    """One journal file with any number of games. Every method may be called from any thread."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Use `Journal.open` or `Journal.read`."""
        self.path = path
        self.notice: str | None = None
        """What happened to the file while it was in use, in a sentence; None if nothing did."""
        self._connection = connection
        self._lock = threading.Lock()
        self._tips: dict[str, tuple[int, str]] = {}
        self._kept = KeptGames()
        """The games that this run has begun or gone on with."""
        self._marks = marks(path)
        self._closed = False

    @classmethod
    def open(cls, path: Path) -> Journal:
        """Open a journal to add to it; make it if there is none.

        :raises JournalError: it is not a journal, is damaged or of a newer program, or its folder cannot be written.
            The file is left as it is.
        """
        path = Path(path)
        inspect(path, may_be_new=True)
        with plainly(path, "opened"):
            connection = _connected(path)
        return cls(path, connection)

    @classmethod
    def read(cls, path: Path) -> Journal:
        """Open a journal to look at it; nothing is ever written, so a folder that cannot be written is no hindrance.

        :raises JournalError: there is none, it is not a journal, is damaged or of a newer program.
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
        return cls(path, connection)

    def games(self) -> tuple[Header, ...]:
        """Every game, in the order in which they were begun.

        :raises JournalError: a header cannot be read.
        """
        with self._lock, plainly(self.path, "read"):
            found = self._connection.execute("SELECT id, header FROM game").fetchall()
        headers = [self._header(name, text) for name, text in found]
        return tuple(sorted(headers, key=lambda header: (header.order, header.started, header.id)))

    def header(self, game: str) -> Header:
        """The header of one game.

        :raises JournalError: the journal has no such game.
        """
        with self._lock, plainly(self.path, "read"):
            found = self._connection.execute("SELECT header FROM game WHERE id = ?", (game,)).fetchone()
        if found is None:
            raise JournalError(f'The journal {self.path} has no game "{game}". `companion replay` lists its games.')
        return self._header(game, found[0])

    def begin(self, header: Header) -> Header:
        """Enter a new game; it is on disk when this returns.

        :return: the header with its id: the game's name and the time, in UTC.
        :raises JournalError: it could not be written; nothing was changed.
        """
        stem = f"{header.game[:12].strip('-')}-{strftime('%Y%m%d-%H%M%S', utc(header.started))}"
        with self._writing(), transaction(self._connection):
            known = dict(self._connection.execute("SELECT id, header FROM game").fetchall())
            order = max((self._header(*one).order for one in known.items()), default=0) + 1
            name, again = stem, 2
            while name in known:
                name, again = f"{stem}-{again}", again + 1
            entered = replace(header, id=name, order=order)
            self._connection.execute("INSERT INTO game VALUES (?, ?)", (name, _text(entered)))
            self._kept.begin(name, _text(entered))
        return entered

    def append(
        self,
        game: str,
        *,
        at: float,
        kind: Kind,
        seat: Seat | None,
        event: dict[str, Any] | None,
        text: str,
        source: Source,
        scores: tuple[Points, ...],
        legal: int,
        digest: str,
        more: dict[str, Any] | None = None,
        after: int | None = None,
    ) -> Row:
        """Add one row; it is on disk when this returns.

        :param after: number of the row that it must follow; None: whichever is last.
        :raises JournalError: it could not be written, or another program added to this game; nothing was changed.
        """
        with self._writing():
            with transaction(self._connection):
                n, before = self._tip(game)
                if after is not None and after != n:
                    raise JournalError(
                        f"Another program has added to the game {game} in {self.path}: it has {n} rows, not {after}."
                        " Close that program, then continue the game."
                    )
                row = Row(
                    n=n + 1,
                    at=at,
                    kind=kind,
                    seat=seat,
                    event=event,
                    text=text,
                    source=source,
                    scores=scores,
                    legal=legal,
                    digest=digest,
                    more=more or {},
                )
                stored = entry(row)
                row = replace(_ROW.decode(stored), hash=link(before, stored))
                self._connection.execute(
                    "INSERT INTO row VALUES (?, ?, ?, ?)", (game, row.n, stored.decode("utf-8"), row.hash)
                )
            self._tips[game] = row.n, row.hash
            self._kept.add(game, (row.n, stored.decode("utf-8"), row.hash))
        return row

    def insert(self, header: Header, rows: tuple[Row, ...]) -> Header:
        """Enter a whole game at once, as `companion.journal.lines` read it: all of it or nothing.

        :raises JournalError: a game of this id is there already, or it could not be written.
        """
        if not _ID.fullmatch(header.id):
            raise JournalError(f'"{header.id}" is no id of a game: use 1 to 32 of a-z, 0-9 and "-".')
        with self._writing(), transaction(self._connection):
            if self._connection.execute("SELECT 1 FROM game WHERE id = ?", (header.id,)).fetchone():
                raise JournalError(f"The journal {self.path} already has the game {header.id}. Nothing was added.")
            self._connection.execute("INSERT INTO game VALUES (?, ?)", (header.id, _text(header)))
            self._connection.executemany(
                "INSERT INTO row VALUES (?, ?, ?, ?)",
                [(header.id, row.n, entry(row).decode("utf-8"), row.hash) for row in rows],
            )
        return header

    def keep_seed(self, game: str, seed: bytes) -> None:
        """Keep the secret seed by which software deals a game, so that it can go on dealing after a restart.

        :raises JournalError: the game has one already, or it could not be written; nothing was changed.
        """
        with self._writing(), transaction(self._connection):
            seeds.keep(self._connection, game, seed)
            self._kept.keep_seed(game, seed)

    def seed(self, game: str) -> bytes | None:
        """The secret seed of a game; None if software does not deal it, or it was not kept here.

        :raises JournalError: it cannot be read.
        """
        try:
            with self._lock, plainly(self.path, "read"):
                return seeds.read(self._connection, game)
        except ValueError as error:
            raise JournalError(f"The seed of the game {game} in {self.path} cannot be read: {error}.") from error

    def rows(self, game: str) -> tuple[Row, ...]:
        """Every row of a game in order, its chain checked.

        :raises BrokenChain: a row is missing or was changed; it says which.
        :raises JournalError: the journal has no such game, or cannot be read.
        """
        before = root(self.header(game))
        with self._lock, plainly(self.path, "read"):
            found = self._connection.execute(
                "SELECT n, entry, hash FROM row WHERE game = ? ORDER BY n", (game,)
            ).fetchall()
            header = self._connection.execute("SELECT header FROM game WHERE id = ?", (game,)).fetchone()
        rows = []
        for place, (n, stored, said) in enumerate(found, 1):
            if not (isinstance(stored, str) and isinstance(said, str) and said.isascii()):
                raise JournalError(f"Row {n} of the game {game} in {self.path} is damaged. Use a copy of the file.")
            if n != place:
                raise BrokenChain(
                    f"Row {place} of the game {game} is missing from {self.path}. Use a copy of the file."
                )
            if link(before, stored.encode("utf-8")) != said:
                raise BrokenChain(
                    f"Row {n} of the game {game} in {self.path} does not follow from the row before it: the file was"
                    " changed. Use a copy of the file."
                )
            try:
                row = _ROW.decode(stored)
            except UNREADABLE as error:
                raise JournalError(f"Row {n} of the game {game} in {self.path} cannot be read: {error}.") from error
            rows.append(replace(row, hash=said))
            before = said
        if rows:
            self._tips.setdefault(game, (rows[-1].n, rows[-1].hash))
        with self._lock:
            self._kept.keep(game, header[0], found)
        return tuple(rows)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Hold the lock while something is written; what is confirmed afterwards is in a file that people can find."""
        with self._lock, plainly(self.path, "written"):
            self._mend()
            yield
            self._mend()

    def _mend(self) -> None:
        """Write the journal anew if its file was deleted, cut or replaced since it was written last."""
        if self._closed:
            return
        if is_whole(self._marks, self.path):
            self._marks = marks(self.path)
            return
        aside = write_anew(self.path, self._connection, self._kept)
        self._connection = _connected(self.path)
        self._marks = marks(self.path)
        self.notice = f"The journal {self.path} was deleted while it was in use, and was written anew with everything."
        if aside is not None:
            self.notice = (
                f"The journal {self.path} was changed by something else while it was in use. What was found there is"
                f" {aside.name} now, and the journal was written anew with "
                + ("the last games of this evening." if self._kept.dropped else "every game of this evening.")
            )

    def close(self) -> None:
        """Let go of the file. Closing twice is allowed."""
        with self._lock:
            self._closed = True
            self._connection.close()

    def _tip(self, game: str) -> tuple[int, str]:
        """Number and hash of the last row, read from the file: another program may have added one."""
        found = self._connection.execute(
            "SELECT n, hash FROM row WHERE game = ? ORDER BY n DESC LIMIT 1", (game,)
        ).fetchone()
        known = self._tips.get(game)
        if found is None:
            header = self._connection.execute("SELECT header FROM game WHERE id = ?", (game,)).fetchone()
            if header is None:
                raise JournalError(f'The journal {self.path} has no game "{game}". Begin it first.')
            return 0, root(self._header(game, header[0]))
        tip = int(found[0]), str(found[1])
        if known is not None and tip != known:
            raise JournalError(
                f"Another program has added to the game {game} in {self.path}."
                " Close that program, then continue the game."
            )
        return tip

    def _header(self, game: str, text: str) -> Header:
        try:
            return _HEADER.decode(text if isinstance(text, str) else "")
        except UNREADABLE as error:
            raise JournalError(f"The header of the game {game} in {self.path} cannot be read: {error}.") from error


def _connected(path: Path) -> sqlite3.Connection:
    """A connection to write with; the file is made if there is none, and checked."""
    connection = connect(path)
    try:
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        make(connection)
        connection.execute("PRAGMA journal_mode=WAL").fetchone()
        check(path, connection)
    except BaseException:
        connection.close()
        raise
    return connection


_HEADER = msgspec.json.Decoder(Header)
_ROW = msgspec.json.Decoder(Row)


def _text(header: Header) -> str:
    return head(header).decode("utf-8")

"""The common base of journals: it begins games, adds chained rows, and checks the chain when rows are read.

A journal is a `ChainedGames` with storage for rows: a file (`companion.referee.journal.store`) or a server's database
(`companion.referee.journal.database`). Both store the same texts, so both have the same chain.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.core.contract import Points, Seat
from companion.core.foundation.errors import BadPlan, BrokenChain, JournalError
from companion.core.foundation.kept_file import JsonForm, Spoiled
from companion.core.plan import check_plan
from companion.referee.journal.file import Stored
from companion.referee.journal.rows import Header, IdOf, Kind, Row, Source, by_time, entry, head, is_id, link, root

TIPS = 64
"""The number of games whose last row is remembered, to notice when another program has added one."""


class Tip(NamedTuple):
    """The last row of a game."""

    n: int
    """The number of the row; 0: the game has no row yet."""
    hash: str


class GameExtent(NamedTuple):
    """The length of a game."""

    n: int
    hash: str | None
    """The hash of the last row; None: there is no row yet."""
    seeded: bool
    """True if the journal also keeps the seed of the game's deals."""


class ChainedGames(ABC):
    """Any number of games, each a header and rows. Every method may be called from any thread."""

    name: str
    """The displayed place of the journal, without a password."""
    id_of: IdOf = staticmethod(by_time)

    def __init__(self, name: str) -> None:
        self.name = name
        self._lock = threading.Lock()
        self._tips: dict[str, Tip] = {}
        self._due: list[Callable[[], None]] = []

    @abstractmethod
    def close(self) -> None:
        """Closes the journal. Closing twice is allowed."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[None]:
        """Holds the lock during a read and turns errors into `JournalError`."""

    @abstractmethod
    def _writing(self) -> AbstractContextManager[None]:
        """Holds the lock for one transaction, and calls `_settle` once the written rows are safe."""

    @abstractmethod
    def _headers(self) -> Iterable[tuple[str, str]]:
        """Returns the id and the header text of every game, oldest entry first, one by one if possible."""

    @abstractmethod
    def _header_text(self, game: str) -> str | None:
        """Returns the text of one header; None if there is no such game."""

    @abstractmethod
    def _last(self, game: str) -> Tip | None:
        """Returns the last stored row, which another program may have added; None if there is none."""

    @abstractmethod
    def _standings(self) -> list[tuple[str, int | None, str | None, bool]]:
        """Returns for every game its id, the number and hash of its last row (None if there is none), and whether it
        has a seed.
        """

    @abstractmethod
    def _stored(self, game: str, after: int, most: int | None) -> list[Stored]:
        """Returns the rows after row `after` in order, at most `most` of them."""

    @abstractmethod
    def _enter(self, game: str, header: str) -> None:
        """Writes a header."""

    @abstractmethod
    def _add(self, game: str, rows: Sequence[Stored]) -> None:
        """Writes rows."""

    @abstractmethod
    def _keep_seed(self, game: str, seed: bytes) -> None:
        """Writes a seed."""

    @abstractmethod
    def _seed(self, game: str) -> bytes | None:
        """Returns the seed of a game. Raises ValueError: The stored bytes are not a seed."""

    @abstractmethod
    def _entered(self, game: str, header: str) -> None:
        """Is called with the lock held once a header is safe."""

    @abstractmethod
    def _added(self, game: str, rows: Sequence[Stored]) -> None:
        """Is called with the lock held once rows are safe."""

    @abstractmethod
    def _seeded(self, game: str, seed: bytes) -> None:
        """Is called with the lock held once a seed is safe."""

    def games(self) -> tuple[Header, ...]:
        """Returns the headers of all games, in the order in which they began.

        Raises:
            JournalError: A header cannot be read.
        """
        with self._reading():
            found = list(self._headers())
        return tuple(self._in_order([self._header(name, text) for name, text in found]))

    def people(self, names: Sequence[str]) -> tuple[int, ...]:
        """Returns a number for each of these people, from 0, in the order of their first games.

        Names are compared without regard to case. People who never played come last.

        Raises:
            JournalError: A header cannot be read.
        """
        known: dict[str, int] = {}
        for name in (*(name for header in self.games() for name in header.names), *names):
            known.setdefault(name.casefold(), len(known))
        return tuple(known[name.casefold()] for name in names)

    def _in_order(self, headers: list[Header]) -> list[Header]:
        """Returns the headers sorted by the order in which the games began."""
        return sorted(headers, key=lambda header: (header.order, header.started, header.id))

    def header(self, game: str) -> Header:
        """Returns the header of one game.

        Raises:
            JournalError: The journal has no such game, or the header has an impossible plan.
        """
        with self._reading():
            found = self._header_text(game)
        if found is None:
            raise JournalError(f'The journal {self.name} has no game "{game}". `companion replay` lists its games.')
        header = self._header(game, found)
        try:
            if header.plan is not None:
                check_plan(header.plan)
        except BadPlan as error:
            raise JournalError(f"The game {game} in {self.name} cannot be gone on with. {error}") from error
        return header

    def begin(self, header: Header) -> Header:
        """Enters a new game; the game is on disk when this returns.

        Returns:
            The header with the id that `id_of` makes.

        Raises:
            JournalError: The game could not be written; the journal is unchanged.
        """
        with self._writing():
            order = max((self._header(*one).order for one in self._headers()), default=0) + 1
            name = self.id_of(header, lambda name: self._header_text(name) is not None)
            entered = replace(header, id=name, order=order)
            self._write_header(entered.id, head(entered).decode("utf-8"))
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
        """Adds one row; the row is on disk when this returns.

        Args:
            after: The number of the row that the new one must follow; None: the last one.

        Raises:
            JournalError: The row could not be written, or another program added to this game; the journal is unchanged.
        """
        with self._writing():
            n, before = self._tip(game)
            if after is not None and after != n:
                raise JournalError(
                    f"Another program has added to the game {game} in {self.name}: it has {n} rows, not {after}."
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
            self._write_rows(game, [(row.n, stored.decode("utf-8"), row.hash)])
        return row

    def insert(self, header: Header, rows: tuple[Row, ...], seed: bytes | None = None) -> Header:
        """Enters a complete game, as `companion.referee.journal.lines` reads it: all rows or none.

        Raises:
            JournalError: The journal has a game with this id, or the game could not be written.
        """
        if not is_id(header.id):
            raise JournalError(f'"{header.id}" is not the id of a game: use 1 to 32 of a-z, 0-9 and "-".')
        with self._writing():
            if self._header_text(header.id) is not None:
                raise JournalError(f"The journal {self.name} already has the game {header.id}. Nothing was added.")
            self._write_header(header.id, head(header).decode("utf-8"))
            self._write_rows(header.id, [(row.n, entry(row).decode("utf-8"), row.hash) for row in rows])
            if seed is not None:
                self._write_seed(header.id, seed)
        return header

    def extend(self, game: str, after: Tip, rows: Sequence[Stored]) -> None:
        """Adds unchanged rows of another journal to a game: all of them or none.

        Args:
            after: The row that the new rows follow.

        Raises:
            JournalError: The game has other rows by now, or the rows could not be written.
        """
        with self._writing():
            if self._tip(game) != after:
                raise JournalError(f"The game {game} in {self.name} has grown meanwhile. Nothing was added.")
            self._write_rows(game, rows)

    def tip(self, game: str) -> Tip | None:
        """Returns the last stored row of a game; None if there is no such game.

        Raises:
            JournalError: The journal cannot be read.
        """
        with self._reading():
            header = self._header_text(game)
            return None if header is None else self._last(game) or Tip(0, root(self._header(game, header)))

    def standings(self) -> dict[str, GameExtent]:
        """Returns the length of every game, all read at the same moment.

        Raises:
            JournalError: The journal cannot be read.
        """
        with self._reading():
            found = self._standings()
        return {game: GameExtent(n or 0, said, seeded) for game, n, said, seeded in found}

    def stored(self, game: str, after: int = 0, most: int | None = None) -> list[Stored]:
        """Returns the stored rows of a game, unchecked.

        Args:
            after: The number of the row after which they begin.

        Raises:
            JournalError: The rows cannot be read.
        """
        with self._reading():
            return self._stored(game, after, most)

    def keep_seed(self, game: str, seed: bytes) -> None:
        """Stores the secret seed by which software deals a game, so that the deal can go on after a restart.

        Raises:
            JournalError: The game already has a seed, or the seed could not be written; the journal is unchanged.
        """
        with self._writing():
            self._write_seed(game, seed)

    def seed(self, game: str) -> bytes | None:
        """Returns the secret seed of a game; None if software does not deal the game, or if this journal lacks the
        seed.

        Raises:
            JournalError: The seed cannot be read.
        """
        try:
            with self._reading():
                return self._seed(game)
        except ValueError as error:
            raise JournalError(f"The seed of the game {game} in {self.name} cannot be read: {error}.") from error

    def rows(self, game: str) -> tuple[Row, ...]:
        """Returns all rows of a game in order, after checking the chain.

        Raises:
            BrokenChain: A row is missing or was changed; the message says which.
            JournalError: The journal has no such game, or cannot be read.
        """
        before = root(self.header(game))
        with self._reading():
            found = self._stored(game, 0, None)
            header = self._header_text(game)
        rows = []
        for place, (n, stored, said) in enumerate(found, 1):
            if not (isinstance(stored, str) and isinstance(said, str) and said.isascii()):
                raise JournalError(f"Row {n} of the game {game} in {self.name} is damaged. Use a copy of the file.")
            if n != place:
                raise BrokenChain(
                    f"Row {place} of the game {game} is missing from {self.name}. Use a copy of the file."
                )
            if link(before, stored.encode("utf-8")) != said:
                raise BrokenChain(
                    f"Row {n} of the game {game} in {self.name} does not follow from the row before it: the file was"
                    " changed. Use a copy of the file."
                )
            try:
                row = _ROW.decode(stored)
            except Spoiled as error:
                raise JournalError(f"Row {n} of the game {game} in {self.name} cannot be read: {error}.") from error
            rows.append(replace(row, hash=said))
            before = said
        with self._lock:
            if rows and game not in self._tips:
                self._keep_tip(game, Tip(rows[-1].n, rows[-1].hash))
            self._checked(game, header or "", found)
        return tuple(rows)

    @abstractmethod
    def _checked(self, game: str, header: str, rows: list[Stored]) -> None:
        """Is called with the lock held after a whole game was read and its chain is valid."""

    def _write_header(self, game: str, header: str) -> None:
        self._enter(game, header)
        self._due.append(lambda: self._entered(game, header))

    def _write_rows(self, game: str, rows: Sequence[Stored]) -> None:
        if not rows:
            return
        self._add(game, rows)
        last = Tip(rows[-1][0], rows[-1][2])
        self._due += [lambda: self._keep_tip(game, last), lambda: self._added(game, rows)]

    def _write_seed(self, game: str, seed: bytes) -> None:
        self._keep_seed(game, seed)
        self._due.append(lambda: self._seeded(game, seed))

    def _settle(self) -> None:
        """Records which rows are safe on disk."""
        due, self._due = self._due, []
        for note in due:
            note()

    def _keep_tip(self, game: str, last: Tip) -> None:
        """Remembers a game's last row, for the few games that were written last."""
        self._tips.pop(game, None)
        self._tips[game] = last
        if len(self._tips) > TIPS:
            del self._tips[next(iter(self._tips))]

    def _tip(self, game: str) -> Tip:
        """Returns the last row, and raises `JournalError` if another program has added one."""
        found = self._last(game)
        if found is None:
            header = self._header_text(game)
            if header is None:
                raise JournalError(f'The journal {self.name} has no game "{game}". Begin it first.')
            return Tip(0, root(self._header(game, header)))
        known = self._tips.get(game)
        if known is not None and found != known:
            raise JournalError(
                f"Another program has added to the game {game} in {self.name}."
                " Close that program, then continue the game."
            )
        return found

    def _header(self, game: str, text: str) -> Header:
        try:
            return _HEADER.decode(text if isinstance(text, str) else "")
        except Spoiled as error:
            raise JournalError(f"The header of the game {game} in {self.name} cannot be read: {error}.") from error


_HEADER = JsonForm(Header)
_ROW = JsonForm(Row)

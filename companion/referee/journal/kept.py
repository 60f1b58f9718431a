"""Keeps the games that this run of the program has begun or continued, compressed and within a bound, in case their
file is lost.

Rows repeat each other's words and shrink to a tenth when compressed, so an evening of many games fits easily.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from companion.core.foundation.kept_file import JsonForm

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

"""The games that this run of the program has begun or gone on with, should their file be lost: packed, within a bound.

Rows repeat each other's words, so that packed they take a tenth of the room, and an evening of many games fits easily.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from companion.core.foundation.kept_file import JsonForm

MOST_BYTES = 4 * 2**20
"""Headers and packed rows that are held at most, 900 games; beyond it the games that were begun first are let go."""
_BLOCK = 64
"""Rows that are packed together."""

Stored = tuple[int, str, str]
"""Number, entry and hash of a row."""


class KeptOpen(NamedTuple):
    """A game as this run of the program knows it."""

    header: str
    rows: list[Stored]
    seed: bytes | None = None


class _Held:
    """One game: rows in packed blocks, and the last ones as they are."""

    def __init__(self, header: str) -> None:
        self.header = header
        self.blocks: list[bytes] = []
        self.recent: list[Stored] = []
        self.count = 0
        self.seed: bytes | None = None

    def pack(self) -> int:
        """Packs the unpacked rows; returns the number of bytes."""
        if not self.recent:
            return 0
        self.blocks.append(zlib.compress(msgspec.json.encode(self.recent)))
        self.recent = []
        return len(self.blocks[-1])

    def rows(self) -> list[Stored]:
        return [row for block in self.blocks for row in _ROWS.decode(zlib.decompress(block))] + self.recent


class KeptGames:
    """Games by id, in the order in which they came."""

    def __init__(self) -> None:
        self._games: dict[str, _Held] = {}
        self._size = 0
        self.dropped = False
        """True if there were more than are held."""

    def begin(self, game: str, header: str) -> None:
        """Holds a game from its first row on; held rows of others are packed."""
        for held in self._games.values():
            self._size += held.pack()
        self._games[game] = _Held(header)
        self._size += len(header)
        self._keep_bound(game)

    def add(self, game: str, row: Stored) -> None:
        """Hold one more row of a game that is held."""
        held = self._games.get(game)
        if held is None:
            return
        held.recent.append(row)
        held.count += 1
        if len(held.recent) == _BLOCK:
            self._size += held.pack()
            self._keep_bound(game)

    def keep(self, game: str, header: str, rows: list[Stored]) -> None:
        """Hold a whole game, unless it is held with as many rows."""
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
        """Hold the seed by which software deals in a game that is held."""
        if game in self._games:
            self._games[game].seed = seed

    def items(self) -> Iterator[tuple[str, KeptOpen]]:
        """Every game that is held, one after the other unpacked."""
        for game, held in self._games.items():
            yield game, KeptOpen(held.header, held.rows(), held.seed)

    def _keep_bound(self, game: str) -> None:
        """Let go of the first games, but never of this one."""
        while self._size > MOST_BYTES and (first := next(iter(self._games))) != game:
            self._drop(first)
            self.dropped = True

    def _drop(self, game: str) -> None:
        held = self._games.pop(game)
        self._size -= len(held.header) + sum(map(len, held.blocks))


_ROWS = JsonForm(list[Stored])

"""The three things that a player can do in a turn: place, exchange or pass (TRI-15, TRI-16).

A move does not name its player: it is always the seat whose turn it is. All placements exist once, so that lists of
legal moves hold references and comparing them is cheap.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from companion.core.contract import Drawn, Shown
from companion.core.pieces import TILES, Tile
from companion.games.spectrangle.board import CELLS
from companion.games.spectrangle.lies import LIES


class PlaceTile(Struct, frozen=True, tag="place", cache_hash=True):
    """A tile is laid on a cell; `tile` holds the colors of the cell's left, right and flat edge."""

    cell: Annotated[int, Meta(ge=0, lt=CELLS)]
    tile: Tile


class Exchange(Struct, frozen=True, tag="exchange", cache_hash=True):
    """A tile is put aside for one from the bag; None is a tile that the referee was not shown (TRI-16).

    `tile` is written as TRI-1 prints it.
    """

    tile: Tile | None


class Pass(Struct, frozen=True, tag="pass"):
    """The turn is missed (TRI-16)."""


Move = PlaceTile | Exchange | Pass
SpectrangleEvent = Move | Drawn | Shown

PLACES: tuple[dict[str, PlaceTile], ...] = tuple(
    {letters: PlaceTile(cell, lie.tile) for letters, lie in LIES.items()} for cell in range(CELLS)
)
"""By cell and letters: every placement that exists."""

PASS = Pass()
EXCHANGES: tuple[Exchange, ...] = tuple(Exchange(tile) for tile in TILES)
"""By number of the tile that is put aside."""
EXCHANGE_HIDDEN = Exchange(None)

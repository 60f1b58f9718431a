"""How tiles can lie in a cell (TRI-1 to TRI-3).

A tile is called by its letters and value as TRI-1 prints them ("GGY4") and numbered by its place in `TILES`; a *lie* is
one way to put it into a cell. A tile of one color has one lie, of two colors three, of three colors six: three
turns, read in either direction.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import Literal, NamedTuple

from companion.core.layout import Detection
from companion.core.pieces import TILES, Piece, Tile

Handed = Literal["any", "cw", "ccw"]

COLOR_NAMES = {"R": "red", "G": "green", "B": "blue", "Y": "yellow", "P": "purple", "W": "white"}

UNKNOWN = -1
"""Number of a tile that the referee was not shown."""


class LyingTile(NamedTuple):
    """One tile in one turn."""

    number: int
    """The tile's place in `TILES`."""
    name: str
    """The tile as TRI-1 writes it."""
    letters: str
    """Colors of the left, right and flat edge of the cell it lies in."""
    tile: Tile
    """The same as a piece."""


def _lies(number: int, tile: Tile) -> dict[str, LyingTile]:
    ways = ["".join(way) for way in permutations(tile.edges)]
    return {way: LyingTile(number, tile.name, way, Tile(way[0], way[1], way[2], tile.value)) for way in ways}


LIES: dict[str, LyingTile] = {
    letters: lie for number, tile in enumerate(TILES) for letters, lie in _lies(number, tile).items()
}
"""All 126 lies by their letters; no two tiles share one (TRI-2)."""

LIE_OF: dict[Tile, LyingTile] = {lie.tile: lie for lie in LIES.values()}
"""The lie that a tile in a cell has."""

NAMES: tuple[str, ...] = tuple(tile.name for tile in TILES)
"""Names of the tiles by number."""

NUMBER: dict[Piece | None, int] = {tile: lie.number for tile, lie in LIE_OF.items()} | {None: UNKNOWN}
"""The number of a tile however it is turned; `UNKNOWN` for None."""

ALL_BITS = (1 << len(TILES)) - 1
"""The mask of the whole set: bit i is tile number i."""

SIGHTINGS: dict[str, Detection] = {letters: Detection.sure(lie.tile) for letters, lie in LIES.items()}
"""A sure sighting of each lie, made once."""


def clockwise(letters: str, points_up: bool) -> str:
    """The lie's colors read clockwise from the left edge.

    Clockwise, an upward cell has left, right, flat; a downward one left, flat, right.
    """
    return letters if points_up else letters[0] + letters[2] + letters[1]


def agrees(lie: LyingTile, points_up: bool, handed: Handed) -> bool:
    """True if the tile can lie so when its printed letters run one way only (TRI-3)."""
    if handed == "any":
        return True
    printed = lie.name[:3] if handed == "cw" else lie.name[2::-1]
    return clockwise(lie.letters, points_up) in printed + printed


@cache
def ways(number: int, points_up: bool, handed: Handed) -> tuple[LyingTile, ...]:
    """Every lie of a tile that TRI-3 allows in a cell of that direction."""
    return tuple(lie for lie in LIES.values() if lie.number == number and agrees(lie, points_up, handed))

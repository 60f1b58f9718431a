"""How tiles can lie in a cell (TRI-1 to TRI-3).

A tile is called by its letters and value as TRI-1 prints them ("GGY4"); a *lie* is one way to put it into a cell. A
tile of one color has one lie, of two colors three, of three colors six: three turns, read in either direction.
"""

from __future__ import annotations

from itertools import permutations
from typing import Literal, NamedTuple

from companion.layout import Sighting
from companion.pieces import TILES, Tile

Handed = Literal["any", "cw", "ccw"]

COLOR_NAMES = {"R": "red", "G": "green", "B": "blue", "Y": "yellow", "P": "purple", "W": "white"}


class Lie(NamedTuple):
    """One tile in one turn."""

    name: str
    """The tile as TRI-1 writes it."""
    letters: str
    """Colors of the left, right and flat edge of the cell it lies in."""
    tile: Tile
    """The same as a piece."""
    value: int
    bit: int
    """The tile's place in masks: bit i is `TILES[i]`."""


def _lies(place: int, tile: Tile) -> dict[str, Lie]:
    ways = ["".join(way) for way in permutations(tile.edges)]
    return {way: Lie(tile.name, way, Tile(way[0], way[1], way[2], tile.value), tile.value, 1 << place) for way in ways}


LIES: dict[str, Lie] = {letters: lie for place, tile in enumerate(TILES) for letters, lie in _lies(place, tile).items()}
"""All 126 lies by their letters; no two tiles share one (TRI-2)."""

LIE_OF: dict[Tile, Lie] = {lie.tile: lie for lie in LIES.values()}
"""The lie that a tile in a cell has."""

NAMES: tuple[str, ...] = tuple(tile.name for tile in TILES)
"""Names of the tiles in the order of `TILES`."""

TILE: dict[str, Tile] = {tile.name: tile for tile in TILES}
"""The tile of a name, as it is written off the board."""

VALUE: dict[str, int] = {tile.name: tile.value for tile in TILES}
BIT: dict[str, int] = {name: 1 << place for place, name in enumerate(NAMES)}
ALL_BITS = (1 << len(TILES)) - 1

SIGHTINGS: dict[str, Sighting] = {letters: Sighting.sure(lie.tile) for letters, lie in LIES.items()}
"""A sure sighting of each lie, made once."""


def names_in(mask: int) -> tuple[str, ...]:
    """Names of the tiles whose bits are set, in the order of `TILES`."""
    return tuple(name for name, bit in BIT.items() if mask & bit)


def clockwise(letters: str, points_up: bool) -> str:
    """The lie's colors read clockwise from the left edge.

    Clockwise, an upward cell has left, right, flat; a downward one left, flat, right.
    """
    return letters if points_up else letters[0] + letters[2] + letters[1]


def agrees(lie: Lie, points_up: bool, handed: Handed) -> bool:
    """Whether the tile can lie so when its printed letters run one way only (TRI-3)."""
    if handed == "any":
        return True
    printed = lie.name[:3] if handed == "cw" else lie.name[2::-1]
    return clockwise(lie.letters, points_up) in printed + printed


def _ways(name: str, points_up: bool, handed: Handed) -> tuple[Lie, ...]:
    return tuple(lie for lie in LIES.values() if lie.name == name and agrees(lie, points_up, handed))


_HANDS: tuple[Handed, ...] = ("any", "cw", "ccw")
WAYS: dict[tuple[str, bool, Handed], tuple[Lie, ...]] = {
    (name, up, handed): _ways(name, up, handed) for name in NAMES for up in (True, False) for handed in _HANDS
}
"""By tile, direction of the cell and reading: every lie that TRI-3 allows."""

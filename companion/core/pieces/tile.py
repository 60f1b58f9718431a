"""Spectrangle tiles: the colors of three edges and a value (TRI-1 to TRI-3).

A `Tile` says how it lies: `left`, `right` and `flat` are the edges of the cell it lies in, or, for a tile off the
board, its letters as TRI-1 writes them. `TILES` is the whole set, so a reader can weigh all 36 at once.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class EdgeColor(StrEnum):
    """Colors of a tile's edges; the value is the letter that stands for it everywhere."""

    RED = "R"
    GREEN = "G"
    BLUE = "B"
    YELLOW = "Y"
    PURPLE = "P"
    WHITE = "W"


JOKER = "WWW1"
"""Name of the all-white tile."""


class Tile(Struct, frozen=True, tag="tile", cache_hash=True):
    """One tile, as it lies.

    `left`, `right`, `flat` are letters of `EdgeColor`; `value` is 1 to 6.
    """

    left: str
    right: str
    flat: str
    value: int

    @property
    def edges(self) -> str:
        """The three letters in the order left, right, flat."""
        return self.left + self.right + self.flat

    @property
    def name(self) -> str:
        """Letters and value as they lie: "RGB3"."""
        return f"{self.left}{self.right}{self.flat}{self.value}"

    def turned(self, thirds: int) -> Tile:
        """The same tile after `thirds` turns of 120 degrees clockwise, in the same cell.

        A clockwise turn of an upward cell carries left to right, right to flat and flat to left.
        """
        edges = self.left, self.right, self.flat
        shift = thirds % 3
        left, right, flat = edges[-shift:] + edges[:-shift]
        return Tile(left, right, flat, self.value)


_VALUES = {
    6: "RRR BBB GGG YYY PPP",
    5: "RRY RRP BBR BBP GGR GGB YYG YYB PPY PPG",
    4: "RRB RRG BBG BBY GGY GGP YYR YYP PPR PPB",
    3: "YBP RGY BGP GRB",
    2: "BRP YPR YPG",
    1: "GRP BYG RYB WWW",
}

TILES: tuple[Tile, ...] = tuple(
    Tile(edges[0], edges[1], edges[2], value) for value, row in _VALUES.items() for edges in row.split()
)
"""The 36 tiles of TRI-1, letters as printed there, highest value first."""

_BY_LETTERS = {"".join(sorted(tile.edges)): tile for tile in TILES}


def identify(edges: str) -> Tile | None:
    """The tile of the set that has these three colors, whatever way it is turned or read (TRI-2).

    >>> identify("YGG").name
    'GGY4'
    """
    return _BY_LETTERS.get("".join(sorted(edges)))

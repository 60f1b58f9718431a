"""The vocabulary of physical pieces: their names, and which pieces a set contains. It knows no game and no picture."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, NamedTuple

from msgspec import Struct

# Spectrangle tiles: the colors of three edges and a value (TRI-1 to TRI-3).
#
# A `Tile` includes its rotation: `left`, `right` and `flat` are the edges of its cell, or, for a tile off the board,
# its letters as TRI-1 writes them. `TILES` is the whole set, so a reader can compare all 36 at once.


class EdgeColor(StrEnum):
    """The colors of a tile's edges; the value is the letter that stands for the color everywhere."""

    RED = "R"
    GREEN = "G"
    BLUE = "B"
    YELLOW = "Y"
    PURPLE = "P"
    WHITE = "W"


JOKER = "WWW1"
"""The name of the all-white tile."""


class Tile(Struct, frozen=True, tag="tile", cache_hash=True):
    """One tile in its present rotation.

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
        """The letters and the value in the present rotation: "RGB3"."""
        return f"{self.left}{self.right}{self.flat}{self.value}"

    def turned(self, thirds: int) -> Tile:
        """Returns the same tile after `thirds` turns of 120 degrees clockwise, in the same cell.

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
    """Returns the tile of the set that has these three colors, in any rotation and reading direction (TRI-2).

    >>> identify("YGG").name
    'GGY4'
    """
    return _BY_LETTERS.get("".join(sorted(edges)))


# Icehouse pyramids: a color and a size (SPA-1, ICE-2, RGB-3), with their dimensions.
#
# All three sizes have the same shape. Eight colors are translucent (clear among them), black and white are opaque.


class Rock(Struct, frozen=True, tag="rock", cache_hash=True):
    """One rock, which has only a color."""

    color: str


PYRAMID_COLORS = ("red", "orange", "yellow", "green", "cyan", "blue", "purple", "clear", "black", "white")
"""Every color a pyramid may have; the last two are opaque."""

PyramidSize = Literal["large", "medium", "small"]
PYRAMID_SIZES: tuple[PyramidSize, ...] = ("large", "medium", "small")
"""The sizes, largest first."""

STACK_STEP_MM = 7.5
"""The height in millimeters of a piece's tip above the tip of the piece right below it in a stack."""


class PyramidShape(NamedTuple):
    """The real dimensions of a pyramid."""

    base_mm: float
    """The side of the square base, in millimeters."""
    height_mm: float
    pips: int


SHAPES = {
    "large": PyramidShape(25.4, 44.5, 3),
    "medium": PyramidShape(19.8, 34.7, 2),
    "small": PyramidShape(14.3, 25.0, 1),
}
"""The dimensions of each size."""


def a_color(color: str) -> str:
    """Returns a color with its article: "a red", "an orange"."""
    return f"{'an' if color[0] in 'aeiou' else 'a'} {color}"


class Pyramid(Struct, frozen=True, tag="pyramid", cache_hash=True):
    """One pyramid: a name of `PYRAMID_COLORS` and one of `PYRAMID_SIZES`."""

    color: str
    size: str


# Pyramids that stand on each other count as one thing to see.
#
# Stacks have no fixed places on a table, and the order of their pieces matters. So a heap holds whole stacks: the heap
# has no order, each stack has one, and a stack that grows counts as one stack fewer and another one more.


class Stack(Struct, frozen=True, tag="stack", cache_hash=True):
    """Pyramids from bottom to top, never empty; a lone pyramid is a stack of one."""

    pieces: tuple[Pyramid, ...]

    def extends(self, other: Stack) -> bool:
        """Returns true if this stack is the other one with more pieces on it."""
        return len(self.pieces) > len(other.pieces) and self.pieces[: len(other.pieces)] == other.pieces


class Pawn(Struct, frozen=True, tag="pawn", cache_hash=True):
    """A pawn of one of the six primary colors."""

    color: str


WHEEL = (
    "red",
    "red-orange",
    "orange",
    "orange-yellow",
    "yellow",
    "yellow-green",
    "green",
    "green-blue",
    "blue",
    "blue-purple",
    "purple",
    "purple-red",
)
"""The color wheel, clockwise. Even indexes are primaries, odd ones intermediates; the opposite color is six places on.
"""

PRIMARIES = WHEEL[0::2]
"""The colors of pawns and of six-sided dice."""

INTERMEDIATES = WHEEL[1::2]
"""The intermediate colors; each lies between two primaries and is named after both."""


class Die(Struct, frozen=True, tag="die", cache_hash=True):
    """One die after a roll.

    `kind` is "spectrum-d6", "spectrum-d12" or "pips-d6"; `face` is the color name or the number of pips that is up.
    """

    kind: str
    face: str | int


FACES: Mapping[str, tuple[str | int, ...]] = {
    "spectrum-d6": PRIMARIES,
    "spectrum-d12": WHEEL,
    "pips-d6": (1, 2, 3, 4, 5, 6),
}
"""The equally likely faces of each kind of die."""


class Card(Struct, frozen=True, tag="card", cache_hash=True):
    """A number card: a color of the wheel and a rank from 1 to 12."""

    color: str
    rank: int


class Special(Struct, frozen=True, tag="special", cache_hash=True):
    """A special card, named by its kind: "swap red/green", "draw", "pass hand left", ..."""

    kind: str


Piece = Tile | Die | Pyramid | Rock | Stack | Pawn | Card | Special
"""Any piece that can be seen, drawn or shown. The types are tagged so that JSON keeps them apart."""

__all__ = [
    "FACES",
    "INTERMEDIATES",
    "JOKER",
    "PRIMARIES",
    "PYRAMID_COLORS",
    "PYRAMID_SIZES",
    "SHAPES",
    "STACK_STEP_MM",
    "TILES",
    "WHEEL",
    "Card",
    "Die",
    "EdgeColor",
    "Pawn",
    "Piece",
    "Pyramid",
    "PyramidShape",
    "PyramidSize",
    "Rock",
    "Special",
    "Stack",
    "Tile",
    "a_color",
    "identify",
]

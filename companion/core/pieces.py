"""The vocabulary of physical pieces: what they are called and which of them a set holds. No game, no pixel."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, NamedTuple

from msgspec import Struct

# Spectrangle tiles: the colors of three edges and a value (TRI-1 to TRI-3).
#
# A `Tile` says how it lies: `left`, `right` and `flat` are the edges of the cell it lies in, or, for a tile off the
# board, its letters as TRI-1 writes them. `TILES` is the whole set, so a reader can weigh all 36 at once.


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


# Icehouse pyramids: a color and a size (SPA-1, ICE-2, RGB-3), with their measures.
#
# All three sizes have the same shape. Eight colors are translucent (clear among them), black and white are opaque.


class Rock(Struct, frozen=True, tag="rock", cache_hash=True):
    """One rock, which has only a color."""

    color: str


PYRAMID_COLORS = ("red", "orange", "yellow", "green", "cyan", "blue", "purple", "clear", "black", "white")
"""Every color a pyramid may have; the last two are opaque."""

PyramidSize = Literal["large", "medium", "small"]
PYRAMID_SIZES: tuple[PyramidSize, ...] = ("large", "medium", "small")
"""Largest first."""

STACK_STEP_MM = 7.5
"""The height of a piece's tip above the tip of the piece right below it in a stack."""


class PyramidShape(NamedTuple):
    """True size of a pyramid."""

    base_mm: float
    """Side of the square base."""
    height_mm: float
    pips: int


SHAPES = {
    "large": PyramidShape(25.4, 44.5, 3),
    "medium": PyramidShape(19.8, 34.7, 2),
    "small": PyramidShape(14.3, 25.0, 1),
}
"""Size name to measures."""


def a_color(color: str) -> str:
    """A color with its article: "a red", "an orange"."""
    return f"{'an' if color[0] in 'aeiou' else 'a'} {color}"


class Pyramid(Struct, frozen=True, tag="pyramid", cache_hash=True):
    """One pyramid: a name of `PYRAMID_COLORS` and one of `PYRAMID_SIZES`."""

    color: str
    size: str


# Pyramids that stand on each other, as one thing to see.
#
# Stacks have no fixed place on a table, and their order matters. So a heap holds whole stacks: the heap has no order,
# each stack in it has one, and a stack that grows is one stack less and another one more.


class Stack(Struct, frozen=True, tag="stack", cache_hash=True):
    """Pyramids bottom to top, never empty; a lone pyramid is a stack of one."""

    pieces: tuple[Pyramid, ...]


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
"""Clockwise; even places are primaries, odd ones intermediates; the opposite is six places on."""

PRIMARIES = WHEEL[0::2]
"""The colors of pawns and of six-sided dice."""

INTERMEDIATES = WHEEL[1::2]
"""Each lies between two primaries and is named for both."""


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
"""Kind to its faces, each as likely as the others."""


class Card(Struct, frozen=True, tag="card", cache_hash=True):
    """A number card: a color of the wheel and a rank of 1 to 12."""

    color: str
    rank: int


class Special(Struct, frozen=True, tag="special", cache_hash=True):
    """A special card, by its kind: "swap red/green", "draw", "pass hand left", ..."""

    kind: str


Piece = Tile | Die | Pyramid | Rock | Stack | Pawn | Card | Special
"""Any piece that can be seen, drawn or shown. Tagged, so JSON knows which is which."""

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

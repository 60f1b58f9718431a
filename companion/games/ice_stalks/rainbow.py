"""Colors in a line, sizes, rocks, and how a stalk is written (ICE-1 to ICE-3).

A stalk is a text, two characters a piece from the bottom up: the color's letter and the number of pips. "B3C3G2" is a
blue large, a cyan large and a green medium. It is quick to grow and to compare, and it can be read in a journal.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.contract import Seat
from companion.core.layout import Spot
from companion.core.pieces import PYRAMID_SIZES, SHAPES, Pyramid, Rock

RAINBOW = ("red", "orange", "yellow", "green", "cyan", "blue", "purple")
"""The line of colors (ICE-1); its ends do not meet (ICE-3)."""
SIZES = PYRAMID_SIZES
"""Largest first."""
EACH = 5
"""Rocks of a color, and pieces of a color and size (ICE-2)."""
ROCKS = {color: Rock(color) for color in RAINBOW}

LARGE, MEDIUM, SMALL = range(3)
"""Places in `SIZES`."""

Kind = int
"""3 * place in the rainbow + place in `SIZES`."""
KINDS: tuple[Pyramid, ...] = tuple(Pyramid(color, size) for color in RAINBOW for size in SIZES)
KIND = {piece: kind for kind, piece in enumerate(KINDS)}
CODES = tuple(piece.color[0].upper() + str(SHAPES[piece.size].pips) for piece in KINDS)
"""By kind: the two characters that stand for the piece in a stalk."""
KIND_OF_CODE = {code: kind for kind, code in enumerate(CODES)}

Stalk = str

STALKS_SPOT: Spot = "stalks"
"""The heap of the stalks that grow on the table."""
ROCKS_SPOT: Spot = "rocks"
"""The heap of the rocks that were drawn (ICE-4)."""


def taken_spot(seat: Seat) -> Spot:
    """The heap of the stalks that a seat took (ICE-16)."""
    return f"seat{seat}.stalks"


def kinds_of(stalk: Stalk) -> tuple[Kind, ...]:
    """The pieces of a stalk, bottom to top.

    >>> [name(KINDS[kind]) for kind in kinds_of("B3C2")]
    ['blue large', 'cyan medium']
    """
    return tuple([KIND_OF_CODE[stalk[at : at + 2]] for at in range(0, len(stalk), 2)])


def pieces_of(stalk: Stalk) -> tuple[Pyramid, ...]:
    """The pieces of a stalk, bottom to top."""
    return tuple([KINDS[kind] for kind in kinds_of(stalk)])


def stalk_of(pieces: Iterable[Pyramid]) -> Stalk:
    """The text of a stalk of these pieces, bottom to top.

    Raises:
        KeyError: The set has no such piece.
    """
    return "".join([CODES[KIND[piece]] for piece in pieces])


def height(stalk: Stalk) -> int:
    """The number of pieces of a stalk."""
    return len(stalk) // 2


def name(piece: Pyramid) -> str:
    """The piece in words: "red small"."""
    return f"{piece.color} {piece.size}"


def describe(stalk: Stalk) -> str:
    """A stalk in words, bottom to top: "blue large, cyan medium"."""
    return ", ".join(name(piece) for piece in pieces_of(stalk))

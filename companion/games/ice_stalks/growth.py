"""Grows stalks and finds those that can still be completed (ICE-7 to ICE-12).

`completable` implements the search of ICE-12: more pieces, each legal on the one below, the last one small, with no
more rocks of a color than the bag holds and no more pieces of a kind than are left. The answer depends only on the
stalk's way, its top, the rocks and the pieces, so it is cached.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from companion.core.contract import Seat
from companion.core.layout import Spot
from companion.core.pieces import PYRAMID_SIZES, SHAPES, Pyramid, Rock

# Colors in a line, sizes, rocks, and how a stalk is written (ICE-1 to ICE-3).
#
# A stalk is a text, two characters a piece from the bottom up: the color's letter and the number of pips. "B3C3G2" is a
# blue large, a cyan large and a green medium. It is quick to grow and to compare, and it can be read in a journal.

RAINBOW = ("red", "orange", "yellow", "green", "cyan", "blue", "purple")
"""The colors of the rainbow in order (ICE-1); its ends do not meet (ICE-3)."""
SIZES = PYRAMID_SIZES
"""The sizes, largest first."""
EACH = 5
"""The number of rocks of each color, and of pieces of each color and size (ICE-2)."""
ROCKS = {color: Rock(color) for color in RAINBOW}

LARGE, MEDIUM, SMALL = range(3)
"""The indices of the sizes in `SIZES`."""

Kind = int
"""The kind of a piece: 3 * index in the rainbow + index in `SIZES`."""
KINDS: tuple[Pyramid, ...] = tuple(Pyramid(color, size) for color in RAINBOW for size in SIZES)
KIND = {piece: kind for kind, piece in enumerate(KINDS)}
CODES = tuple(piece.color[0].upper() + str(SHAPES[piece.size].pips) for piece in KINDS)
"""For each kind, the two characters that stand for the piece in a stalk."""
KIND_OF_CODE = {code: kind for kind, code in enumerate(CODES)}

Stalk = str

STALKS_SPOT: Spot = "stalks"
"""The heap of the stalks that grow on the table."""
ROCKS_SPOT: Spot = "rocks"
"""The heap of the rocks that were drawn (ICE-4)."""


def taken_spot(seat: Seat) -> Spot:
    """Returns the heap of the stalks that a seat took (ICE-16)."""
    return f"seat{seat}.stalks"


def kinds_of(stalk: Stalk) -> tuple[Kind, ...]:
    """Returns the pieces of a stalk, bottom to top.

    >>> [name(KINDS[kind]) for kind in kinds_of("B3C2")]
    ['blue large', 'cyan medium']
    """
    return tuple([KIND_OF_CODE[stalk[at : at + 2]] for at in range(0, len(stalk), 2)])


def pieces_of(stalk: Stalk) -> tuple[Pyramid, ...]:
    """Returns the pieces of a stalk, bottom to top."""
    return tuple([KINDS[kind] for kind in kinds_of(stalk)])


def stalk_of(pieces: Iterable[Pyramid]) -> Stalk:
    """Returns the text of a stalk made of these pieces, bottom to top.

    Raises:
        KeyError: The set has no such piece.
    """
    return "".join([CODES[KIND[piece]] for piece in pieces])


def height(stalk: Stalk) -> int:
    """Returns the number of pieces of a stalk."""
    return len(stalk) // 2


def name(piece: Pyramid) -> str:
    """Returns the piece in words: "red small"."""
    return f"{piece.color} {piece.size}"


def describe(stalk: Stalk) -> str:
    """Returns a stalk in words, bottom to top: "blue large, cyan medium"."""
    return ", ".join(name(piece) for piece in pieces_of(stalk))


Way = Literal["base", "solid", "up", "down", "none"]
"""The way in which a stalk grows: undecided, in one color, along the rainbow toward purple, or toward red (ICE-9).

"none" marks a stalk that no legal sequence builds; the players agreed to keep it, and no rule says how it grows.
"""

MOST_OF_A_COLOR = 2
"""The largest number of rocks of one color in a completion (a solid stalk from its base); further rocks do not
matter.
"""


class StalkShape(NamedTuple):
    """The features of a stalk that decide its growth."""

    way: Way
    color: int
    """The rainbow index of the top piece's color."""
    size: int
    """The index in `SIZES` of the top piece's size."""


@cache
def steps(now: StalkShape) -> tuple[tuple[Kind, StalkShape], ...]:
    """Returns the pieces that may go on top by color and size alone, and the shapes that result (ICE-7 to ICE-11)."""
    way, color, size = now
    if size == SMALL:
        return ()
    found = []
    if way in ("base", "solid"):
        found.append(StalkShape("solid", color, size + 1))
    for direction, step in (("up", 1), ("down", -1)):
        if way in ("base", direction) and 0 <= color + step < len(RAINBOW):
            onward: Way = "up" if step == 1 else "down"
            found += [StalkShape(onward, color + step, same) for same in (size, size + 1)]
    return tuple((3 * after.color + after.size, after) for after in found)


@lru_cache(maxsize=1 << 12)
def shape(stalk: Stalk) -> StalkShape:
    """Returns the way and the top of a stalk; grows it piece by piece to find them."""
    first, *further = kinds_of(stalk)
    now = StalkShape("base" if first % 3 == LARGE else "none", *divmod(first, 3))
    for kind in further:
        now = dict(steps(now)).get(kind, StalkShape("none", *divmod(kind, 3)))
    return now


class Stock(NamedTuple):
    """The rocks and pieces that are left."""

    rocks: tuple[int, ...]
    """For each color, rocks in the bag, `MOST_OF_A_COLOR` or more counted as that."""
    pieces: int
    """A mask in which bit `kind` is set while a piece of that kind is left."""

    def without(self, kind: Kind) -> Stock:
        """Returns the stock after one rock and one piece are used; no completion uses the same kind twice."""
        color = kind // 3
        rocks = (*self.rocks[:color], self.rocks[color] - 1, *self.rocks[color + 1 :])
        return Stock(rocks, self.pieces & ~(1 << kind))

    def has(self, kind: Kind) -> bool:
        """True if a rock and a piece for it are left."""
        return self.rocks[kind // 3] > 0 and bool(self.pieces >> kind & 1)


@lru_cache(maxsize=1 << 12)
def stock(rocks: tuple[int, ...], pieces: int) -> Stock:
    """Returns the stock of a bag (rocks by color) and a supply (a bit for every kind that is left)."""
    return Stock(tuple([min(count, MOST_OF_A_COLOR) for count in rocks]), pieces)


@lru_cache(maxsize=1 << 13)
def completable(now: StalkShape, left: Stock) -> bool:
    """True if one or more further pieces can lead to a small on top (ICE-12)."""
    for kind, after in steps(now):
        if left.has(kind) and (after.size == SMALL or completable(after, left.without(kind))):
            return True
    return False


def completions(stalk: Stalk, left: Stock) -> Iterator[Stalk]:
    """Yields every complete stalk that this one may still become, at most 31."""
    for kind, after in steps(shape(stalk)):
        if left.has(kind):
            grown = stalk + CODES[kind]
            if after.size == SMALL:
                yield grown
            else:
                yield from completions(grown, left.without(kind))


def is_complete(stalk: Stalk) -> bool:
    """True if a small is on top (ICE-16)."""
    return KIND_OF_CODE[stalk[-2:]] % 3 == SMALL


def is_solid(stalk: Stalk) -> bool:
    """True if a stalk has one color only (ICE-9)."""
    return len(set(stalk[::2])) == 1

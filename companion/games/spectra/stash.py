"""The 102 pieces of Spectra, and piles of pieces as counts (SPA-1 to SPA-4).

There are 24 kinds of pieces. A pile (a supply, trees, the bag) is a tuple of 24 counts in the order of `KINDS`: quick
to change, equal by value, and readable in a journal.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.contract import Seat
from companion.core.layout import Spot
from companion.core.pieces import PYRAMID_SIZES, Pyramid

TREE_COLORS = ("red", "orange", "yellow", "green", "blue", "purple")
"""The colors of trees (SPA-2), around the wheel: primaries at 0, 2, 4, each secondary between its two primaries."""
PRIMARIES = TREE_COLORS[::2]
SECONDARIES = TREE_COLORS[1::2]
COLORS = (*TREE_COLORS, "black", "white")
SIZES = PYRAMID_SIZES
"""The sizes, largest first, as a tree grows (SPA-11)."""

STASH = 5
"""The number of pieces of each size in each of the six colors (SPA-1)."""
NESTS = 2
"""The number of pieces of each size in black and in white (SPA-1)."""
TREES = 3
"""The number of trees that wins (SPA-25), and so the most pieces of one size that fit in trees (SPA-8)."""

KINDS: tuple[Pyramid, ...] = tuple(Pyramid(color, size) for size in SIZES for color in COLORS)
"""Every kind of piece, by size and then by color: piece `i` has color `i % 8` and size `i // 8`."""
KIND = {piece: kind for kind, piece in enumerate(KINDS)}
"""Piece to its index in `KINDS`."""

Pile = tuple[int, ...]
"""The counts of the 24 kinds, in the order of `KINDS`."""

NOTHING: Pile = (0,) * len(KINDS)
SET: Pile = tuple(STASH if piece.color in TREE_COLORS else NESTS for piece in KINDS)
"""The pile of all 102 pieces."""


def parts(color: str) -> tuple[str, ...]:
    """Returns the two primaries of a secondary, or the color itself (SPA-3).

    >>> parts("green")
    ('yellow', 'blue')
    """
    place = TREE_COLORS.index(color)
    return (color,) if place % 2 == 0 else (TREE_COLORS[place - 1], TREE_COLORS[(place + 1) % 6])


def changed(pile: Pile, kind: int, by: int) -> Pile:
    """Returns the pile with `by` more pieces of a kind."""
    return (*pile[:kind], pile[kind] + by, *pile[kind + 1 :])


def pieces_of(pile: Pile) -> tuple[Pyramid, ...]:
    """Returns every piece of a pile, largest first."""
    return tuple([KINDS[kind] for kind, count in enumerate(pile) if count for _ in range(count)])


def pile_of(pieces: Iterable[Pyramid]) -> Pile:
    """Returns the pile that holds these pieces.

    Raises:
        KeyError: The set has no such piece.
    """
    counts = [0] * len(KINDS)
    for piece in pieces:
        counts[KIND[piece]] += 1
    return tuple(counts)


def trees_spot(seat: Seat) -> Spot:
    """Returns the heap of a seat's tree pieces (SPA-4)."""
    return f"seat{seat}.trees"


def supply_spot(seat: Seat) -> Spot:
    """Returns the heap of a seat's supply (SPA-4)."""
    return f"seat{seat}.supply"


def name(piece: Pyramid) -> str:
    """Returns the piece in words: "red small"."""
    return f"{piece.color} {piece.size}"

"""The color and the size that two pieces yield in an exchange (SPA-13 to SPA-19).

The wheel of six colors says it all: a secondary stands between its two primaries. `YIELDS` works every pair out once.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

from companion.core.pieces import Pyramid
from companion.games.spectra.stash import KIND, KINDS, PRIMARIES, SECONDARIES, SIZES, TREE_COLORS, parts


def third_size(one: str, other: str) -> str:
    """Returns the size that two ordinary pieces yield: the same again, or the third one (SPA-15).

    >>> third_size("large", "small")
    'medium'
    """
    return one if one == other else next(size for size in SIZES if size not in (one, other))


def mixed(one: str, other: str) -> str | None:
    """Returns the color that two ordinary colors yield, or None (SPA-14).

    >>> mixed("red", "yellow"), mixed("blue", "green"), mixed("blue", "orange")
    ('orange', 'yellow', None)
    """
    if one == other or (one in SECONDARIES and other in SECONDARIES):
        return None
    if one in PRIMARIES and other in PRIMARIES:
        return next(color for color in SECONDARIES if set(parts(color)) == {one, other})
    primary, secondary = (one, other) if one in PRIMARIES else (other, one)
    rest = [color for color in parts(secondary) if color != primary]
    return rest[0] if len(rest) == 1 else None


def colors(one: str, other: str) -> tuple[str, ...]:
    """Returns every color that two colors may yield, black and white included (SPA-14, SPA-16, SPA-17, SPA-19).

    >>> colors("black", "red"), colors("white", "green"), colors("white", "red")
    (('orange', 'purple'), ('yellow', 'blue'), ())
    """
    for special, color in ((one, other), (other, one)):
        if special == "black":
            return tuple(c for c in SECONDARIES if color in PRIMARIES and color in parts(c))
        if special == "white":
            return parts(color) if color in SECONDARIES else ()
    made = mixed(one, other)
    return () if made is None else (made,)


def is_special(color: str) -> bool:
    """True if a color is black or white, which only changes other colors (SPA-16, SPA-17)."""
    return color not in TREE_COLORS


def size_of(one: Pyramid, other: Pyramid) -> str | None:
    """Returns the size that two pieces yield; None where black or white meets another size (SPA-15, SPA-18)."""
    if is_special(one.color) or is_special(other.color):
        return one.size if one.size == other.size else None
    return third_size(one.size, other.size)


def yields(one: Pyramid, other: Pyramid) -> tuple[Pyramid, ...]:
    """Returns every piece that two pieces may be exchanged for, none, one or two."""
    size = size_of(one, other)
    return () if size is None else tuple(Pyramid(color, size) for color in colors(one.color, other.color))


YIELDS: dict[tuple[int, int], tuple[int, ...]] = {
    (one, other): made
    for one, other in combinations_with_replacement(range(len(KINDS)), 2)
    if (made := tuple(KIND[piece] for piece in yields(KINDS[one], KINDS[other])))
}
"""Two kinds, the lower one first, to the kinds that they yield; pairs without a yield are missing."""


RECIPES: tuple[tuple[int, int, int], ...] = tuple(
    sorted((one, other, made) for (one, other), all_made in YIELDS.items() for made in all_made)
)
"""All possible exchanges, each with the kinds given and the kind taken: 81 of ordinary pieces, 18 with black, 18 with
white.
"""

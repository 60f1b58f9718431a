"""The board: twelve paths of nine spaces, and the spaces that a pawn on each of them can reach (BRD-1 to BRD-4,
BRD-20).

A space is a number, path times nine plus its ring: ring 0 is the rim, ring 8 the star. Sets of spaces are masks with a
bit for each of the 108 spaces, so that a question about many pawns takes a few integer operations.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.layout import Spot
from companion.core.pieces import PRIMARIES, WHEEL
from companion.games.shared.cards.deck import LETTERS
from companion.games.shared.search.bit_sets import bits, mask_of

COLORS = len(WHEEL)
"""The number of paths. They are numbered as in `WHEEL`: even ones are primaries, odd ones intermediates (BRD-1)."""
RINGS = 9
"""The number of spaces of a path (BRD-2)."""
SPACES = COLORS * RINGS

SPOTS: tuple[Spot, ...] = tuple(f"{color}.{ring + 1}" for color in WHEEL for ring in range(RINGS))
"""The name of each space in layouts and JSON records: "red.1" is on the rim, "red.9" the star."""
NAMES: tuple[str, ...] = tuple(f"{letters}{ring + 1}" for letters in LETTERS for ring in range(RINGS))
"""The printed name of each space: "R4", "YG2". Cards use the same names."""
SPACE: dict[Spot, int] = {spot: space for space, spot in enumerate(SPOTS)}

STOCK = SPACES
"""The smallest number of a stock: a stock is `STOCK` plus the index of the pawns' color in `PRIMARIES`."""
STOCKS: tuple[str, ...] = tuple(f"{color} stock" for color in PRIMARIES)
"""The name of each stock in notation, by index of its color in `PRIMARIES`."""
ORIGIN: dict[str, int] = {**SPACE, **{stock: STOCK + place for place, stock in enumerate(STOCKS)}}
"""Name of a place that a pawn can come from to its number."""
ORIGINS: tuple[str, ...] = (*SPOTS, *STOCKS)
_SPOT_NAMED: dict[str, Spot] = {
    form: spot for spot, name in zip(SPOTS, NAMES, strict=True) for form in (spot, spot.replace(".", " "), name.lower())
}


def name_of(spot: str) -> str:
    """Returns the name of a place for texts: "YG2" for a space; any other word, such as a stock, stays unchanged."""
    return NAMES[SPACE[spot]] if spot in SPACE else spot


def spot_named(words: str) -> str:
    """Returns the spot of "yg2", "yellow-green 2" or "yellow-green.2", in small letters; other words stay unchanged."""
    return _SPOT_NAMED.get(words, words)


def space_of(path: int, ring: int) -> int:
    """Returns the space of a path (counted around the wheel) and a ring."""
    return path % COLORS * RINGS + ring


PATH: tuple[int, ...] = tuple(mask_of(space_of(path, ring) for ring in range(RINGS)) for path in range(COLORS))
"""The spaces of each path."""
ALL = (1 << SPACES) - 1
STARS = mask_of(space_of(path, RINGS - 1) for path in range(COLORS))
"""The twelve color stars (BRD-2)."""
STARTS = mask_of(space_of(path, 0) for path in range(0, COLORS, 2))
"""The six starts: space 1 of each primary (BRD-15)."""
RIM = mask_of(space_of(path, 0) for path in range(COLORS))
"""Space 1 of every path."""
INTERMEDIATE = mask_of(space for path in range(1, COLORS, 2) for space in bits(PATH[path]))
"""The spaces of the six intermediate paths."""


def paths_mask(paths: Iterable[int]) -> int:
    """Returns the spaces of these paths; path numbers wrap around the wheel."""
    mask = 0
    for path in paths:
        mask |= PATH[path % COLORS]
    return mask


def _side(path: int, ring: int) -> int:
    """Returns the neighbors with a full side; a star has only space 8 of its own path (BRD-3, BRD-4)."""
    found = [space_of(path, ring + step) for step in (-1, 1) if 0 <= ring + step < RINGS]
    if ring < RINGS - 1:
        found += [space_of(path - 1, ring), space_of(path + 1, ring)]
    return mask_of(found)


def _point(path: int, ring: int) -> int:
    """Returns the neighbors that share only a point (BRD-3)."""
    return mask_of(
        space_of(path + turn, ring + step) for turn in (-1, 1) for step in (-1, 1) if 0 <= ring + step < RINGS
    )


SIDE: tuple[int, ...] = tuple(_side(*divmod(space, RINGS)) for space in range(SPACES))
"""The spaces that share a full side with each space."""
POINT: tuple[int, ...] = tuple(_point(*divmod(space, RINGS)) for space in range(SPACES))
"""The spaces that share only a point with each space."""
STEP: tuple[int, ...] = tuple(0 if STARS >> space & 1 else SIDE[space] for space in range(SPACES))
"""For each space, the end of a step; no step leaves a star (BRD-14, BRD-25)."""


def _landings(start: int, jumped: int) -> int:
    """Returns the spaces where a jump may land (BRD-20): beside the jumped space, and not beside the start."""
    return (SIDE[jumped] | POINT[jumped]) & ~SIDE[start] & ~(1 << start)


JUMPS: tuple[tuple[tuple[int, int], ...], ...] = tuple(
    tuple((1 << jumped, _landings(start, jumped)) for jumped in bits(STEP[start] & ~STARS)) for start in range(SPACES)
)
"""For each space, the spaces that a pawn can jump from it, each as a mask, with the spaces where the jump may land."""


def color_of(space: int) -> int:
    """Returns the path of a space."""
    return space // RINGS

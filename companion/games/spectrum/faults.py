"""Finds the rule, or the two rules, because of which no legal way leads a pawn from one place to another.

The search of `ways` is repeated with rules left out one by one. The first rule without which the pawn could arrive is
the one that the move broke; if no single rule is enough, pairs are tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Literal, NamedTuple

from companion.games.shared.search.bit_sets import bits
from companion.games.spectrum.board import (
    ALL,
    COLORS,
    INTERMEDIATE,
    PATH,
    POINT,
    RIM,
    RINGS,
    SIDE,
    STARS,
    STARTS,
    STEP,
    STOCK,
)
from companion.games.spectrum.situation import Ground

Fault = Literal[
    "blocked", "own", "part", "closed", "near", "point", "nothing", "star", "stars", "needs", "two", "entry"
]
"""A rule that the search may leave out, in this order: the way is empty; only opposing pawns are jumped; the part's
colors; open paths; a jump lands away from its start; a jump needs a full side, and a pawn to jump; no pawn passes a
star; stars have no sides; the part's intermediate; two colors; entering on primaries.
"""
TELLING: tuple[Fault, ...] = ("two", "needs", "own", "point", "blocked", "part", "closed", "entry", "star", "stars")
"""The rules that explain more than a wrong number of spaces would, the most important one first."""
FAULTS: tuple[Fault, ...] = (*TELLING, "near", "nothing")
LONGEST = 6
"""The largest number of spaces of a part (VAR-13)."""
_PAIRED = 3
"""Pairs of rules are left out only for parts of at most this many spaces, because longer parts have too many ways."""


class Try(NamedTuple):
    """A pawn's move that is not legal."""

    ground: Ground
    origin: int
    space: int
    opened: int
    """The spaces of open paths."""
    allowed: int
    """The spaces that the part allows."""
    needs: int
    """The spaces of which the way must touch one; 0 for no such demand."""
    walk: int | None
    """The only color that the pawn has entered in its other parts; None if that does not matter."""


def spaces_taken(tried: Try) -> int | None:
    """Returns the number of spaces with which the pawn could have arrived under all other rules; None without such a
    number.
    """
    for spaces in range(1, LONGEST + 1):
        if _Search(tried, frozenset()).arrives(spaces):
            return spaces
    return None


def fault_of(tried: Try, spaces: tuple[int, ...]) -> Fault | None:
    """Returns the most important rule without which the pawn could have arrived with that number of spaces."""
    return next((fault for fault in TELLING if arrives(tried, spaces, fault)), None)


def two_faults_of(tried: Try, spaces: tuple[int, ...]) -> tuple[Fault, ...]:
    """Returns the rule, or else the two rules, without which the pawn could have arrived; empty if two are not enough.

    Pairs are ordered by their less telling rule: a passed star is no jump (BRD-4).
    """
    for fault in FAULTS:
        if arrives(tried, spaces, fault):
            return (fault,)
    short = tuple(one for one in spaces if one <= _PAIRED)
    for pair in sorted(combinations(FAULTS, 2), key=lambda pair: FAULTS.index(pair[1])):
        if arrives(tried, short, *pair):
            return pair
    return ()


def arrives(tried: Try, spaces: tuple[int, ...], *left_out: Fault) -> bool:
    """True if the pawn could have arrived with one of these numbers of spaces and without some rules."""
    search = _Search(tried, frozenset(left_out))
    return any(search.arrives(one) for one in spaces)


class _Search:
    """A search for ways that ignores some rules."""

    def __init__(self, tried: Try, left_out: frozenset[Fault]) -> None:
        self._tried = tried
        self._out = left_out
        ground = tried.ground
        self._enterable = tried.allowed
        if "part" in left_out:
            self._enterable |= tried.opened
        if "closed" in left_out:
            self._enterable = ALL
        self._way = ground.way
        if "blocked" in left_out:
            self._way |= ALL & ~STARS
        if "star" in left_out:
            self._way |= STARS
        self._jumpable = ground.jumpable
        if "own" in left_out:
            self._jumpable |= ground.own
        if "nothing" in left_out:
            self._jumpable |= ground.way

    def arrives(self, spaces: int) -> bool:
        """True if a way of exactly `spaces` spaces leads to the target."""
        tried = self._tried
        if tried.origin < STOCK:
            return self._goes_on(tried.origin, spaces, 1 << tried.origin, 0)
        entrances = self._enterable & (RIM if "entry" in self._out else STARTS)
        for start in bits(entrances):
            bit = 1 << start
            if spaces == 1:
                if start == tried.space and self._may_end(bit, 0):
                    return True
            elif bit & self._way and self._goes_on(start, spaces - 1, bit, bit):
                return True
            elif bit & self._jumpable and self._enterable >> (start + 1) & 1:
                both = bit | 2 * bit
                if spaces == 2 and start + 1 == tried.space and self._may_end(2 * bit, bit):
                    return True
                if spaces > 2 and 2 * bit & self._way and self._goes_on(start + 1, spaces - 2, both, both):
                    return True
        return False

    def _goes_on(self, at: int, spaces: int, visited: int, touched: int) -> bool:
        if not _is_near(at, self._tried.space, spaces):
            return False
        near = self._sides(at) & self._enterable & ~visited
        if spaces == 1:
            return bool(near >> self._tried.space & 1) and self._may_end(1 << self._tried.space, touched)
        for middle in bits(near & self._way):
            if self._goes_on(middle, spaces - 1, visited | 1 << middle, touched | 1 << middle):
                return True
        return any(
            self._lands(landed, spaces, visited | 1 << jumped, touched | 1 << jumped)
            for jumped, landed in self._jumps(at, visited)
        )

    def _lands(self, landed: int, spaces: int, visited: int, touched: int) -> bool:
        bit = 1 << landed
        if visited & bit:
            return False
        if spaces == 2:
            return landed == self._tried.space and self._may_end(bit, touched)
        return bool(bit & self._way) and self._goes_on(landed, spaces - 2, visited | bit, touched | bit)

    def _sides(self, at: int) -> int:
        """Returns where a step leads; with "stars" left out, also along the ring of the stars (BRD-4)."""
        if "star" not in self._out and "stars" not in self._out:
            return STEP[at]
        sides = SIDE[at]
        if "stars" in self._out and STARS >> at & 1:
            path = at // RINGS
            for turn in (-1, 1):
                sides |= 1 << (path + turn) % COLORS * RINGS + RINGS - 1
        return sides

    def _jumps(self, at: int, visited: int) -> Iterator[tuple[int, int]]:
        over = (SIDE[at] | POINT[at]) if "point" in self._out else SIDE[at]
        for jumped in bits(over & self._jumpable & self._enterable & ~visited & ~STARS):
            landings = (SIDE[jumped] | POINT[jumped]) & self._enterable & ~(1 << at)
            if "near" not in self._out:
                landings &= ~SIDE[at]
            for landed in bits(landings):
                yield jumped, landed

    def _may_end(self, bit: int, touched: int) -> bool:
        tried = self._tried
        entered = touched | bit
        if tried.needs and "needs" not in self._out and not entered & tried.needs:
            return False
        return tried.walk is None or "two" in self._out or bool(entered & ~PATH[tried.walk])


def _is_near(at: int, space: int, spaces: int) -> bool:
    """True if `spaces` spaces can possibly lead there: a jump gets three spaces farther for two."""
    path, ring = divmod(at, RINGS)
    other, there = divmod(space, RINGS)
    around = abs(path - other)
    return min(around, COLORS - around) + abs(ring - there) <= (3 * spaces + 1) // 2


def starts_in_intermediate(origin: int) -> bool:
    """True if a pawn stands in an intermediate, which is enough for a part that needs one (BRD-10)."""
    return origin < STOCK and bool(INTERMEDIATE >> origin & 1)

"""Computes the range of pieces and keeps tables of their moves (RGB-10 to RGB-14).

The moves in a direction depend only on its few cells, so they are computed once for each occupancy and cached.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from companion.games.regenbogen.board import AROUND, BIT, CELLS, COLOR, NEIGHBORS, RAYS
from companion.games.regenbogen.data import DATA, SIDES
from companion.games.regenbogen.kinds import CLERIC, COLOR_OF, KIND, MOST_SPIRITS, OWNER, POOL, SPIRITS, VALUE, shuns
from companion.games.regenbogen.moves import FIGHTS, GOES, SELF_DESTRUCTS, SUMMONS, Move
from companion.games.shared.lazy import Bound

BOOST = DATA.movement.boost
CELL_BITS = 6
CELL_MASK = (1 << CELL_BITS) - 1
HEALTH_BITS = 7 << CELL_BITS
"""The mask of the health bits in a number that combines a piece and its cell: 64 x piece + cell."""


class Range(NamedTuple):
    """The range of a piece in one direction, with its reasons."""

    value: int
    """The number of cells without a boost (RGB-10)."""
    by_start: bool
    """True if the piece starts on its own color (RGB-13)."""
    by_way: bool
    """True if a cell of the piece's color lies within `value` and can be reached (RGB-14)."""
    stacks: bool

    @property
    def cells(self) -> int:
        """The number of cells that the piece may move if the way is free."""
        boosts = self.by_start + self.by_way
        return self.value + BOOST * (boosts if self.stacks else min(boosts, 1))


def range_of(kind: int, start: int, free: Sequence[int], stacks: bool) -> Range:
    """Returns the range of a piece of a kind from a cell along `free`, the cells up to the first one that it must
    avoid.
    """
    value, own = VALUE[kind], COLOR_OF[kind]
    if own is None:
        return Range(value, False, False, stacks)
    return Range(value, COLOR[start] == own, any(COLOR[cell] == own for cell in free[:value]), stacks)


def open_cells(kind: int, ray: Sequence[int]) -> tuple[int, ...]:
    """Returns the cells of a line before the first one that a kind shuns (RGB-12)."""
    end = next((place for place, cell in enumerate(ray) if shuns(kind, COLOR[cell])), len(ray))
    return tuple(ray[:end])


class Way(NamedTuple):
    """The moves of a piece in one direction."""

    cells: int
    """The cells that the piece could reach on an empty board."""
    is_highest: bool
    """True if the nearest cell has the highest bit of these cells, False if it has the lowest one."""
    first: Mapping[int, tuple[Move, ...]]
    """The moves by the bit of the nearest occupied cell, counted from 1; 0 if all are free."""


KEPT = Bound(1 << 14)
"""The lists of actions on adjacent cells that are kept, of all cells."""
_MOST_CELLS = 5
"""The most cells that matter for one table of several directions: with more, too many combinations of them are new."""


class Goes(dict[int, tuple[Move, ...]]):
    """Moves of one piece from one cell in some directions, by which cells are occupied among those that matter.

    Those are the cells that the piece could reach on an empty board: so few that all combinations can be kept.
    """

    def __init__(self, ways: Sequence[Way]) -> None:
        super().__init__()
        self._ways = tuple(ways)
        self.mask = sum(way.cells for way in ways)

    def __missing__(self, occupied: int) -> tuple[Move, ...]:
        moves: list[Move] = []
        for cells, is_highest, first in self._ways:
            held = occupied & cells
            moves += first[(held if is_highest else held & -held).bit_length()]
        found = self[occupied] = tuple(moves)
        return found


def ways_of(owner: int, kind: int, start: int, *, stacks: bool) -> Iterator[Way]:
    """Yields the ways of a piece from a cell that have any cell: the straight ones and then the diagonals."""
    goes = GOES[owner][start]
    for ray in (*RAYS[start][::2], *RAYS[start][1::2]):
        free = open_cells(kind, ray)
        way = free[: range_of(kind, start, free, stacks).cells]
        if not way:
            continue
        moves_along = tuple(goes[cell] for cell in way)
        first = {0: moves_along}
        for count, cell in enumerate(way):
            reached = min(count, range_of(kind, start, way[:count], stacks).cells)
            first[BIT[cell].bit_length()] = moves_along[:reached]
        yield Way(sum(BIT[cell] for cell in way), BIT[way[0]] < BIT[start], first)


def goes_of(owner: int, kind: int, start: int, *, stacks: bool) -> tuple[tuple[int, Goes], ...]:
    """Returns the tables of a piece's moves from a cell, each with the cells that matter for it."""
    groups: list[list[Way]] = []
    room = 0
    for way in ways_of(owner, kind, start, stacks=stacks):
        room -= way.cells.bit_count()
        if room < 0 or not groups:
            groups.append([])
            room = _MOST_CELLS - way.cells.bit_count()
        groups[-1].append(way)
    return tuple([(goes.mask, goes) for goes in map(Goes, groups)])


class Near(dict[int, tuple[Move, ...]]):
    """The actions on adjacent cells, by the set of target cells."""

    def __init__(self, actions: Sequence[Move], cells: Sequence[int], *, occupied: bool) -> None:
        super().__init__()
        self.mask = sum(BIT[cell] for cell in cells)
        self._actions = [(BIT[cell], actions[cell]) for cell in cells]
        self._other = 0 if occupied else self.mask

    def __missing__(self, held: int) -> tuple[Move, ...]:
        meant = held ^ self._other
        found = self[held] = tuple([action for bit, action in self._actions if meant & bit])
        KEPT.add(self, held)
        return found


@cache
def _summons(seat: int, cell: int, cells: tuple[int, ...]) -> Near:
    """Returns one shared table for all Wizards that may put a Spirit on the same cells."""
    return Near(SUMMONS[seat][cell], cells, occupied=False)


FIGHTING = tuple(
    tuple(Near(FIGHTS[seat][cell], NEIGHBORS[cell], occupied=True) for cell in range(len(CELLS)))
    for seat in range(len(SIDES))
)
"""The fights by seat, cell and the adjacent cells that hold enemies (RGB-15)."""
SUMMONING = tuple(
    tuple(
        tuple(
            _summons(seat, cell, tuple(to for to in NEIGHBORS[cell] if not shuns(kind, COLOR[to])))
            for cell in range(len(CELLS))
        )
        for kind in range(CLERIC)
    )
    for seat in range(len(SIDES))
)
"""The summons by seat, Wizard's color, cell and the adjacent cells that are occupied (RGB-19)."""


USED_BITS = 9
"""The number of bits for the count or the health of the Spirits of one color on the board. A side's use of its stores
is one number with both for each color, from the lowest bits up.
"""
_FULL = 1 << USED_BITS - 1
"""The highest bit of such a count or health: with `SPARE` added, it is set if the stores hold too little for another
Spirit (RGB-19).
"""
SPARE = sum(
    (_FULL - most) << USED_BITS * place
    for place, most in enumerate(
        most
        for color in range(len(POOL))
        for most in (MOST_SPIRITS[color], POOL[color] - DATA.spirits.summon_health + 1)
    )
)

Summons = tuple[int, int, Near]
"""The summons of a Wizard on a cell (RGB-19): the bits that are set if the stores hold too little of its color (see
`SPARE`); the cells that matter; the summons by which of those are occupied.
"""


def _summons_of(color: int, near: Near) -> Summons:
    return (_FULL << USED_BITS | _FULL) << 2 * USED_BITS * color, near.mask, near


Kit = tuple[tuple[tuple[int, Goes], ...], int, Near, bool, int, Move | None, Summons | None]
"""The possible moves and actions of a piece on a cell; a plain tuple, because that is unpacked fastest.

Its parts are: the tables of its moves, each with the cells that matter for it (`goes_of`); the adjacent cells, and the
fights by those that hold enemies (RGB-15); True for a Cleric; a Spirit's use of its side's stores, 0 for others; the
Spirit's self-destruct if it is possible (RGB-23); the summons of a Wizard.
"""


class Kits(dict[int, Kit]):
    """By 64 x piece + cell. Health changes only what a Spirit takes of the stores, and whether it destroys itself."""

    def __init__(self, *, stacks: bool, any_health: bool) -> None:
        super().__init__()
        self._stacks, self._any_health = stacks, any_health
        self._goes: dict[int, tuple[tuple[int, Goes], ...]] = {}

    def __missing__(self, key: int) -> Kit:
        one, start = key >> CELL_BITS, key & CELL_MASK
        owner, kind, health = OWNER[one], KIND[one], one & 7
        healthy = key & ~HEALTH_BITS
        if healthy not in self._goes:
            self._goes[healthy] = goes_of(owner, kind, start, stacks=self._stacks)
        spirit = kind >= SPIRITS
        found = self[key] = (
            self._goes[healthy],
            AROUND[start],
            FIGHTING[owner][start],
            kind == CLERIC,
            (1 + (health << USED_BITS)) << 2 * USED_BITS * (kind - SPIRITS) if spirit else 0,
            SELF_DESTRUCTS[owner][start] if spirit and (self._any_health or not health) else None,
            _summons_of(kind, SUMMONING[owner][kind][start]) if kind < CLERIC else None,
        )
        return found


KITS = {
    (stacks, any_health): Kits(stacks=stacks, any_health=any_health)
    for stacks in (False, True)
    for any_health in (False, True)
}
"""The kits by two options: whether boosts add up (RGB-14), and whether a Spirit of any health may destroy itself
(RGB-23).
"""

"""How far a piece goes, and the tables that list its moves (RGB-10 to RGB-14).

The moves in a direction depend on its few cells alone, so they are computed once for each occupancy and kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.games.regenbogen.board import BIT, CELLS, COLOR, NEIGHBORS, RAYS
from companion.games.regenbogen.data import DATA, SIDES
from companion.games.regenbogen.kinds import CLERIC, COLOR_OF, KIND, OWNER, VALUE, shuns
from companion.games.regenbogen.moves import FIGHTS, GOES, SUMMONS, Move
from companion.games.shared.search.lazy import Bound

BOOST = DATA.movement.boost
CELL_BITS = 6
CELL_MASK = (1 << CELL_BITS) - 1
HEALTH_BITS = 7 << CELL_BITS
"""A piece and its cell are one number: 64 x piece + cell."""
GROUPS = 2
"""Directions are looked up in two groups: straight ones and diagonals."""


class Range(NamedTuple):
    """The reasons for which a piece may move in one direction."""

    value: int
    """Cells without a boost (RGB-10)."""
    by_start: bool
    """True if it starts on its own color (RGB-13)."""
    by_way: bool
    """True if its own color lies within the value, on a cell that it can reach (RGB-14)."""
    stacks: bool

    @property
    def cells(self) -> int:
        """The number of cells that it may move if the way is free."""
        boosts = self.by_start + self.by_way
        return self.value + BOOST * (boosts if self.stacks else min(boosts, 1))


def range_of(kind: int, start: int, free: Sequence[int], stacks: bool) -> Range:
    """Returns the reasons for which a piece of this kind may move from a cell to these free cells that it does not
    shun.
    """
    value, own = VALUE[kind], COLOR_OF[kind]
    if own is None:
        return Range(value, False, False, stacks)
    return Range(value, COLOR[start] == own, any(COLOR[cell] == own for cell in free[:value]), stacks)


def open_cells(kind: int, ray: Sequence[int]) -> tuple[int, ...]:
    """Returns the cells of a line before the first one that a kind shuns (RGB-12)."""
    end = next((place for place, cell in enumerate(ray) if shuns(kind, COLOR[cell])), len(ray))
    return tuple(ray[:end])


KEPT = Bound(1 << 13)
"""The lists of actions on adjacent cells that are kept, of all cells: more make random play no faster."""
_MOST = 32
"""Combinations that are kept for one piece on one cell: more make random play no faster."""


class Goes(dict[int, tuple[Move, ...]]):
    """Moves of one piece from one cell in some directions, by which cells are occupied among those that matter.

    Those are the cells that it could reach on an empty board: few enough for most of their combinations to come again.
    """

    def __init__(self, owner: int, kind: int, start: int, axes: int, *, stacks: bool) -> None:
        super().__init__()
        goes = GOES[owner][start]
        self._ways: list[tuple[int, bool, dict[int, tuple[Move, ...]]]] = []
        """By direction: its cells, whether the nearest has the lowest bit, and the moves by the bit of the nearest
        occupied cell, counted from 1; 0 if all are free."""
        for ray in RAYS[start][axes::GROUPS]:
            free = open_cells(kind, ray)
            way = free[: range_of(kind, start, free, stacks).cells]
            if not way:
                continue
            moves_along = tuple(goes[cell] for cell in way)
            first: dict[int, tuple[Move, ...]] = {0: moves_along}
            for count, cell in enumerate(way):
                reached = min(count, range_of(kind, start, way[:count], stacks).cells)
                first[BIT[cell].bit_length()] = moves_along[:reached]
            self._ways.append((sum(BIT[cell] for cell in way), BIT[way[0]] <= BIT[way[-1]], first))
        self.mask = sum(mask for mask, _, _ in self._ways)

    def __missing__(self, occupied: int) -> tuple[Move, ...]:
        moves: tuple[Move, ...] = ()
        for mask, lowest_first, first in self._ways:
            held = occupied & mask
            moves += first[(held & -held if lowest_first else held).bit_length()]
        if len(self) >= _MOST:
            self.clear()
        self[occupied] = moves
        return moves


class Going(dict[int, tuple[int, int, Goes, int, Goes]]):
    """By 64 x piece + cell: the kind of the piece, and where it may go in each group of directions, with the cells that
    matter. Its health changes neither.
    """

    def __init__(self, *, stacks: bool) -> None:
        super().__init__()
        self._stacks = stacks

    def __missing__(self, key: int) -> tuple[int, int, Goes, int, Goes]:
        healthy = key & ~HEALTH_BITS
        if key != healthy:
            found = self[key] = self[healthy]
            return found
        one, start = key >> CELL_BITS, key & CELL_MASK
        straight, diagonal = (Goes(OWNER[one], KIND[one], start, axes, stacks=self._stacks) for axes in range(GROUPS))
        found = self[key] = (KIND[one], straight.mask, straight, diagonal.mask, diagonal)
        return found


class Near(dict[int, tuple[Move, ...]]):
    """Actions on adjacent cells, by which of those are meant."""

    def __init__(self, actions: Sequence[Move], cells: Sequence[int], *, occupied: bool) -> None:
        super().__init__()
        self._actions, self._cells, self._occupied = actions, cells, occupied
        self.mask = sum(BIT[cell] for cell in cells)

    def __missing__(self, held: int) -> tuple[Move, ...]:
        found = self[held] = tuple(
            self._actions[cell] for cell in self._cells if bool(held & BIT[cell]) == self._occupied
        )
        KEPT.add(self, held)
        return found


GOING = (Going(stacks=False), Going(stacks=True))
"""By whether boosts add up (RGB-14)."""
FIGHTING = tuple(
    tuple(Near(FIGHTS[seat][cell], NEIGHBORS[cell], occupied=True) for cell in range(len(CELLS)))
    for seat in range(len(SIDES))
)
"""By seat and cell: fights by which adjacent cells hold enemies (RGB-15)."""
SUMMONING = tuple(
    tuple(
        tuple(
            Near(SUMMONS[seat][cell], [to for to in NEIGHBORS[cell] if not shuns(kind, COLOR[to])], occupied=False)
            for cell in range(len(CELLS))
        )
        for kind in range(CLERIC)
    )
    for seat in range(len(SIDES))
)
"""By seat, the Wizard's color and cell: summons by which adjacent cells are occupied (RGB-19)."""

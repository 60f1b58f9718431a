"""Computes the range of pieces and keeps tables of their moves (RGB-10 to RGB-14).

The moves in a direction depend only on its few cells, so they are computed once for each occupancy and cached.
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
"""The mask of the health bits in a number that combines a piece and its cell: 64 x piece + cell."""
GROUPS = 2
"""The number of groups in which directions are looked up: straight ones and diagonals."""


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


KEPT = Bound(1 << 13)
"""The bound of the lists of actions on adjacent cells, for all cells together; more do not make random play faster."""
_MOST = 32
"""The largest number of occupancies cached for one piece on one cell; more do not make random play faster."""


class Goes(dict[int, tuple[Move, ...]]):
    """The moves of one piece from one cell in some directions, by the occupied ones among the cells that matter.

    Those are the cells that the piece could reach on an empty board: few enough that most combinations recur.
    """

    def __init__(self, owner: int, kind: int, start: int, axes: int, *, stacks: bool) -> None:
        super().__init__()
        goes = GOES[owner][start]
        self._ways: list[tuple[int, bool, dict[int, tuple[Move, ...]]]] = []
        """For each direction, its cells, whether the nearest has the lowest bit, and the moves by the bit of the
        nearest occupied cell, counted from 1; 0 if all are free.
        """
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
    """For each 64 x piece + cell, the piece's kind, and its moves in each group of directions with the cells that
    matter. The health of the piece does not matter.
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
    """The actions on adjacent cells, by the set of target cells."""

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
"""The tables of moves without and with boosts that add up (RGB-14)."""
FIGHTING = tuple(
    tuple(Near(FIGHTS[seat][cell], NEIGHBORS[cell], occupied=True) for cell in range(len(CELLS)))
    for seat in range(len(SIDES))
)
"""The fights by seat, cell and the adjacent cells that hold enemies (RGB-15)."""
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
"""The summons by seat, Wizard's color, cell and the adjacent cells that are occupied (RGB-19)."""

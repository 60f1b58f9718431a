"""How far a piece goes, and the tables that list its moves (RGB-10 to RGB-14).

What a line allows depends on the few cells in it alone, so it is worked out once for each way in which these can
be occupied and kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.games.regenbogen.board import BIT, CELLS, COLOR, DIRECTIONS, NEIGHBORS, RAYS
from companion.games.regenbogen.data import DATA, SIDES
from companion.games.regenbogen.kinds import CLERIC, COLOR_OF, KINDS, VALUE, shuns
from companion.games.regenbogen.moves import FIGHTS, GOES, SUMMONS, Move

BOOST = DATA.movement.boost


class Range(NamedTuple):
    """What carries a piece in one direction."""

    value: int
    """Cells without a boost (RGB-10)."""
    by_start: bool
    """Whether it starts on its own color (RGB-13)."""
    by_way: bool
    """Whether its own color lies within the value, on a cell that it can reach (RGB-14)."""
    stacks: bool

    @property
    def cells(self) -> int:
        """How many cells it may go, if nothing is in the way."""
        boosts = self.by_start + self.by_way
        return self.value + BOOST * (boosts if self.stacks else min(boosts, 1))


def range_of(kind: int, start: int, free: Sequence[int], stacks: bool) -> Range:
    """What carries a piece of this kind from a cell in the direction of these free cells that it does not shun."""
    value, own = VALUE[kind], COLOR_OF[kind]
    if own is None:
        return Range(value, False, False, stacks)
    return Range(value, COLOR[start] == own, any(COLOR[cell] == own for cell in free[:value]), stacks)


def open_cells(kind: int, ray: Sequence[int]) -> tuple[int, ...]:
    """The cells of a line before the first one that a kind shuns (RGB-12)."""
    end = next((place for place, cell in enumerate(ray) if shuns(kind, COLOR[cell])), len(ray))
    return tuple(ray[:end])


class Line(dict[int, tuple[Move, ...]]):
    """Moves of one piece from one cell in two opposite directions, by which cells of that line are occupied."""

    def __init__(self, owner: int, kind: int, start: int, axis: int, *, stacks: bool) -> None:
        super().__init__()
        self._goes = GOES[owner][start]
        self._kind, self._start, self._stacks = kind, start, stacks
        farthest = VALUE[kind] + 2 * BOOST
        self._ways = [open_cells(kind, ray)[:farthest] for ray in RAYS[start][axis :: len(DIRECTIONS) // 2]]
        self.mask = sum(BIT[cell] for way in self._ways for cell in way)

    def __missing__(self, occupied: int) -> tuple[Move, ...]:
        found: list[Move] = []
        for way in self._ways:
            free: list[int] = []
            for cell in way:
                if occupied & BIT[cell]:
                    break
                free.append(cell)
            if free:
                carried = range_of(self._kind, self._start, free, self._stacks).cells
                found += [self._goes[cell] for cell in free[:carried]]
        moves = self[occupied] = tuple(found)
        return moves


class Lines(dict[int, tuple[tuple[int, Line], ...]]):
    """By 44 x (15 x owner + kind) + cell: the lines in which a piece may go, each with the cells that matter."""

    def __init__(self, *, stacks: bool) -> None:
        super().__init__()
        self._stacks = stacks

    def __missing__(self, key: int) -> tuple[tuple[int, Line], ...]:
        code, start = divmod(key, len(CELLS))
        owner, kind = divmod(code, KINDS)
        lines = [Line(owner, kind, start, axis, stacks=self._stacks) for axis in range(len(DIRECTIONS) // 2)]
        found = self[key] = tuple((line.mask, line) for line in lines if line.mask)
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
        return found


LINES = (Lines(stacks=False), Lines(stacks=True))
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

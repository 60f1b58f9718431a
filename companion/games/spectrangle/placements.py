"""Which tiles fit where, worked out once for each cell and the colors around it (TRI-8 to TRI-12).

Legality of a placement depends on one cell and at most three colors, so the tables below fill up as games are played
and every later list of legal moves is put together from them.
"""

from __future__ import annotations

from companion.games.spectrangle.board import BONUS, CELLS, EMPTY, EMPTY_BOARD, FACING, TOUCHING, points_up
from companion.games.spectrangle.lies import WAYS
from companion.games.spectrangle.moves import PLACES, Place
from companion.games.spectrangle.options import Edges, Handed

Facing = tuple[str, str, str]
"""Colors that face a cell's left, right and flat edge; `EMPTY` where nothing touches."""

ALONE: Facing = (EMPTY, EMPTY, EMPTY)
WHITE = "W"


def edges_match(one: str, other: str) -> bool:
    """Whether two touching edges match: the same color, or at least one white (TRI-10)."""
    return one == other or WHITE in (one, other)


def matching_edges(letters: str, facing: Facing) -> int:
    """How many of the three edges touch another tile and match it."""
    return sum(there != EMPTY and edges_match(mine, there) for mine, there in zip(letters, facing, strict=True))


class Opening(dict[str, tuple[Place, ...]]):
    """One cell with these colors around it: by name of a tile, its legal placements there, empty if there is none."""

    __slots__ = ("cell", "edges", "facing", "handed", "needed")

    def __init__(self, cell: int, facing: Facing, edges: Edges, handed: Handed) -> None:
        super().__init__()
        self.cell = cell
        self.facing = facing
        self.handed = handed
        touching = 3 - facing.count(EMPTY)
        self.needed = touching if edges == "all" else min(touching, 1)
        self.edges: dict[Place, int] = {}
        """Matching edges of each placement found so far; the first tile counts one (TRI-19)."""

    def __missing__(self, name: str) -> tuple[Place, ...]:
        places = PLACES[self.cell]
        found = []
        for lie in WAYS[name, points_up(self.cell), self.handed]:
            matching = matching_edges(lie.letters, self.facing)
            if matching >= self.needed:
                place = places[lie.letters]
                found.append(place)
                self.edges[place] = matching if self.facing != ALONE else 1
        self[name] = fitting = tuple(found)
        return fitting


class CellTable(dict[Facing, Opening]):
    """All openings of one cell met so far."""

    __slots__ = ("cell", "edges", "handed")

    def __init__(self, cell: int, edges: Edges, handed: Handed) -> None:
        super().__init__()
        self.cell = cell
        self.edges: Edges = edges
        self.handed: Handed = handed

    def __missing__(self, facing: Facing) -> Opening:
        self[facing] = opening = Opening(self.cell, facing, self.edges, self.handed)
        return opening


Openings = tuple[Opening | None, ...]
"""By cell: the opening there, or None where nothing may be laid."""


class Table:
    """The tables of one set of options."""

    def __init__(self, edges: Edges, handed: Handed) -> None:
        self.cells = tuple(CellTable(cell, edges, handed) for cell in range(CELLS))

    def first(self) -> Openings:
        """The openings of an empty board: every cell without a bonus (TRI-8)."""
        return tuple(None if cell in BONUS else self.cells[cell][ALONE] for cell in range(CELLS))

    def openings(self, board: str) -> Openings:
        """The openings of any board, from nothing (TRI-8, TRI-9)."""
        padded = board + EMPTY
        if board == EMPTY_BOARD:
            return self.first()
        found: list[Opening | None] = []
        for cell, table in enumerate(self.cells):
            facing = FACING[cell](padded)
            open_here = board[3 * cell] == EMPTY and facing != ALONE
            found.append(table[facing] if open_here else None)
        return tuple(found)

    def after(self, openings: Openings, board: str, cell: int) -> Openings:
        """The openings once `cell` has been filled, given those before; `board` has the new tile."""
        now = list(openings)
        now[cell] = None
        padded = board + EMPTY
        for other in TOUCHING[cell]:
            if padded[3 * other] == EMPTY:
                now[other] = self.cells[other][FACING[other](padded)]
        return tuple(now)

    def after_first(self, board: str, cell: int) -> Openings:
        """The openings once the first tile lies on `cell`."""
        return self.after((None,) * CELLS, board, cell)


_EDGES: tuple[Edges, ...] = ("one", "all")
_HANDED: tuple[Handed, ...] = ("any", "cw", "ccw")
TABLES: dict[tuple[Edges, Handed], Table] = {
    (edges, handed): Table(edges, handed) for edges in _EDGES for handed in _HANDED
}
"""By `edges` and `handed`; they fill as they are used, within the 343 surroundings of each cell."""

"""Caches the tiles that fit on each cell for the colors around it (TRI-8 to TRI-12).

The legality of a placement depends on one cell and at most three colors, so these tables fill as games are played, up
to a bound, and lists of legal moves are assembled from them. They are tuples by tile number instead of mappings by
name, because small tables that stay in the processor's cache make play half as fast again.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.shared.lazy import Bound
from companion.games.spectrangle.board import (
    AROUND,
    BONUS,
    CELLS,
    EMPTY,
    EMPTY_BOARD,
    FACING,
    LIES,
    NAMES,
    Handed,
    points_up,
    ways,
)
from companion.games.spectrangle.moves import PLACES, PlaceTile
from companion.games.spectrangle.options import Edges

Facing = tuple[str, str, str]
"""The colors that face a cell's left, right and flat edge; `EMPTY` without a neighbor."""

KEPT = Bound(1 << 14)
"""The bound for the cached openings and lists of placements of all cells and options: enough for one set of options."""

ALONE: Facing = (EMPTY, EMPTY, EMPTY)
WHITE = "W"

MATCHING = {EMPTY: "", WHITE: "RGBYPW"} | {color: color + WHITE for color in "RGBYP"}
"""Facing color to the matching colors, itself and white (TRI-10). A free edge has no match."""


def matching_edges(letters: str, facing: Facing) -> int:
    """Returns the number of edges, of three, that touch another tile and match it."""
    left, right, flat = facing
    return (letters[0] in MATCHING[left]) + (letters[1] in MATCHING[right]) + (letters[2] in MATCHING[flat])


def needed_edges(facing: Facing, edges: Edges) -> int:
    """Returns the number of edges that must match: all that touch, or one of them (TRI-11); none for the first tile."""
    touching = 3 - facing.count(EMPTY)
    return touching if edges == "all" else min(touching, 1)


class Fitting:
    """The tiles that fit between these colors, on any cell of either direction.

    `edges` gives the number of counting edges for each fitting orientation (one for the first tile, TRI-19); `upward`
    and `downward` list, by number of the tile, the letters of the orientations that fit a cell of that direction.
    """

    def __init__(self, facing: Facing, edges: Edges, handed: Handed) -> None:
        needed = needed_edges(facing, edges)
        counted = {letters: matching_edges(letters, facing) for letters in LIES}
        self.edges = {letters: count or 1 for letters, count in counted.items() if count >= needed}
        self.upward, self.downward = (
            tuple(
                tuple(lie.letters for lie in ways(number, up, handed) if lie.letters in self.edges)
                for number in range(len(NAMES))
            )
            for up in (True, False)
        )


class Fittings(dict[Facing, Fitting]):
    """The fittings of all 343 surroundings of a cell, each computed at its first use."""

    def __init__(self, edges: Edges, handed: Handed) -> None:
        super().__init__()
        self.options = edges, handed

    def __missing__(self, facing: Facing) -> Fitting:
        self[facing] = fitting = Fitting(facing, *self.options)
        return fitting


class Opening:
    """One cell with the colors around it."""

    __slots__ = ("edges", "placements")

    def __init__(self, placements: tuple[tuple[PlaceTile, ...], ...], edges: Mapping[str, int]) -> None:
        self.placements = placements
        """The legal placements of each tile by its number; empty if there are none."""
        self.edges = edges
        """Letters of a fitting orientation to the number of counting edges."""


class _Placements(dict[tuple[str, ...], tuple[PlaceTile, ...]]):
    """The placements on one cell by the letters of their orientations; surroundings with equal results share one
    tuple.
    """

    def __init__(self, cell: int) -> None:
        super().__init__()
        self.places = PLACES[cell]

    def __missing__(self, lies: tuple[str, ...]) -> tuple[PlaceTile, ...]:
        self[lies] = placements = tuple(self.places[letters] for letters in lies)
        KEPT.add(self, lies)
        return placements


class CellTable(dict[Facing, Opening]):
    """The recently used openings of one cell."""

    def __init__(self, cell: int, fittings: Fittings) -> None:
        super().__init__()
        self.up = points_up(cell)
        self.placements = _Placements(cell)
        self.fittings = fittings

    def __missing__(self, facing: Facing) -> Opening:
        fitting = self.fittings[facing]
        lies = fitting.upward if self.up else fitting.downward
        self[facing] = opening = Opening(tuple(map(self.placements.__getitem__, lies)), fitting.edges)
        KEPT.add(self, facing)
        return opening


Openings = list[Opening | None]
"""The opening of each cell, or None if no tile fits. The list must not be changed."""


class PlacementTable:
    """The tables of one set of options."""

    def __init__(self, edges: Edges, handed: Handed) -> None:
        fittings = Fittings(edges, handed)
        self.cells = tuple(CellTable(cell, fittings) for cell in range(CELLS))
        self.first: Openings = [None if cell in BONUS else table[ALONE] for cell, table in enumerate(self.cells)]

    def openings(self, board: str) -> Openings:
        """Returns the openings of any board: on an empty one, every cell without a bonus (TRI-8, TRI-9)."""
        if board == EMPTY_BOARD:
            return self.first
        padded = board + EMPTY
        found: list[Opening | None] = []
        for cell, table in enumerate(self.cells):
            facing = FACING[cell](padded)
            found.append(table[facing] if board[3 * cell] == EMPTY and facing != ALONE else None)
        return found

    def after(self, before: str, openings: Openings, cell: int, board: str) -> Openings:
        """Returns the openings of `board`, which is `before` with `cell` filled, from the openings of `before`."""
        now: Openings = [None] * CELLS if before == EMPTY_BOARD else openings.copy()
        now[cell] = None
        padded = board + EMPTY
        cells = self.cells
        for other, begin, facing in AROUND[cell]:
            if padded[begin] == EMPTY:
                now[other] = cells[other][facing(padded)]
        return now


_EDGES: tuple[Edges, ...] = ("one", "all")
_HANDED: tuple[Handed, ...] = ("any", "cw", "ccw")
TABLES: dict[tuple[Edges, Handed], PlacementTable] = {
    (edges, handed): PlacementTable(edges, handed) for edges in _EDGES for handed in _HANDED
}
"""The tables by the options `edges` and `handed`; they fill as they are used, within `KEPT`."""

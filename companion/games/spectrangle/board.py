"""The board: 36 cells, which of them touch, and the bonus cells (TRI-4, TRI-5).

A filled board is written as 108 letters, three a cell in the order left, right, flat, and a dot for each edge of an
empty cell. One text is quick to change and to compare, and it can be read in a journal.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from operator import itemgetter

from companion.core.layout import Spot

CELLS = 36
EMPTY = "."
"""Stands for each edge of an empty cell, and for what lies outside the board."""
EMPTY_BOARD = EMPTY * 3 * CELLS

BONUS = {10: 2, 14: 2, 30: 2, 2: 3, 26: 3, 34: 3, 11: 4, 13: 4, 20: 4}
"""Bonus by cell (TRI-5); every other cell counts once."""

EDGES = ("left", "right", "flat")
"""Names of a cell's edges, in the order of the letters."""


def row_and_column(cell: int) -> tuple[int, int]:
    """Row 0 to 5 from the apex, and column 0 to 2 * row from the left (TRI-4).

    >>> row_and_column(21)
    (4, 5)
    """
    row = isqrt(cell)
    return row, cell - row * row


def points_up(cell: int) -> bool:
    """True if the cell points to the board's apex; its flat edge is then its lower one."""
    return row_and_column(cell)[1] % 2 == 0


def _neighbors(cell: int) -> tuple[int | None, int | None, int | None]:
    row, column = row_and_column(cell)
    left = cell - 1 if column > 0 else None
    right = cell + 1 if column < 2 * row else None
    beyond = row + 1 if column % 2 == 0 else row - 1
    across = column + 1 if column % 2 == 0 else column - 1
    flat = beyond * beyond + across if beyond < 6 else None
    return left, right, flat


NEIGHBORS: tuple[tuple[int | None, int | None, int | None], ...] = tuple(_neighbors(cell) for cell in range(CELLS))
"""By cell: the cells beyond its left, right and flat edge; None is the board's rim."""

TOUCHING: tuple[tuple[int, ...], ...] = tuple(tuple(other for other in trio if other is not None) for trio in NEIGHBORS)
"""By cell: its two or three neighbors (one at the board's corners)."""

_OUTSIDE = 3 * CELLS


def _facing(trio: tuple[int | None, int | None, int | None]) -> Callable[[str], tuple[str, str, str]]:
    left, right, flat = trio
    return itemgetter(
        _OUTSIDE if left is None else 3 * left + 1,
        _OUTSIDE if right is None else 3 * right,
        _OUTSIDE if flat is None else 3 * flat + 2,
    )


FACING = tuple(_facing(trio) for trio in NEIGHBORS)
"""By cell: takes a board's letters with one `EMPTY` appended and gives the colors that face its left, right, flat edge.

A left edge meets the neighbor's right edge; flat meets flat (TRI-4).
"""


AROUND = tuple(tuple((other, 3 * other, FACING[other]) for other in near) for near in TOUCHING)
"""By cell: each neighbor, where its letters begin on a board, and its `FACING`."""


def spot(cell: int) -> Spot:
    """The name of a cell on the table: "c17"."""
    return SPOTS[cell]


SPOTS: tuple[Spot, ...] = tuple(f"c{cell}" for cell in range(CELLS))
"""Names of the cells."""


def letters_on(board: str, cell: int) -> str:
    """The three letters on a cell, or three dots."""
    return board[3 * cell : 3 * cell + 3]


def with_tile(board: str, cell: int, letters: str) -> str:
    """The board with one cell filled."""
    return f"{board[: 3 * cell]}{letters}{board[3 * cell + 3 :]}"

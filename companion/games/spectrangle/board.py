"""The board: 36 cells, their neighbors, and the bonus cells (TRI-4, TRI-5).

A filled board is written as 108 letters, three for each cell in the order left, right, flat, with a dot for each edge
of an empty cell. One text is quick to change and to compare, and it can be read in a journal.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import permutations
from math import isqrt
from operator import itemgetter
from typing import Literal, NamedTuple

from companion.core.layout import Detection, Spot
from companion.core.pieces import TILES, Piece, Tile

# The orientations of tiles in a cell (TRI-1 to TRI-3).
#
# A tile is called by its letters and value as TRI-1 prints them ("GGY4") and numbered by its place in `TILES`; a
# *lie* is one way to put it into a cell. A tile of one color has one lie, of two colors three, of three colors six:
# three turns, read in either direction.

Handed = Literal["any", "cw", "ccw"]

COLOR_NAMES = {"R": "red", "G": "green", "B": "blue", "Y": "yellow", "P": "purple", "W": "white"}

UNKNOWN = -1
"""The number that stands for a tile which the referee has not seen."""


class LyingTile(NamedTuple):
    """One tile in one orientation."""

    number: int
    """The index of the tile in `TILES`."""
    name: str
    """The name of the tile as TRI-1 writes it."""
    letters: str
    """The colors of the left, right and flat edge of the tile's cell."""
    tile: Tile
    """The tile as a piece of a layout."""


def _turned(tile: Tile, letters: str) -> Tile:
    """Returns the tile in an orientation; in its own, the same object, which dictionaries find without comparing."""
    return tile if letters == tile.edges else Tile(letters[0], letters[1], letters[2], tile.value)


def _lies(number: int, tile: Tile) -> dict[str, LyingTile]:
    ways = ["".join(way) for way in permutations(tile.edges)]
    return {way: LyingTile(number, tile.name, way, _turned(tile, way)) for way in ways}


LIES: dict[str, LyingTile] = {
    letters: lie for number, tile in enumerate(TILES) for letters, lie in _lies(number, tile).items()
}
"""Letters to the orientation that they describe, for all 126; no two tiles share one (TRI-2)."""

LIE_OF: dict[Tile, LyingTile] = {lie.tile: lie for lie in LIES.values()}
"""Tile in a cell to its orientation."""

NAMES: tuple[str, ...] = tuple(tile.name for tile in TILES)
"""The names of the tiles by number."""

NUMBER: dict[Piece | None, int] = {tile: lie.number for tile, lie in LIE_OF.items()} | {None: UNKNOWN}
"""Tile in any orientation to its number; None to `UNKNOWN`."""

ALL_BITS = (1 << len(TILES)) - 1
"""The mask of the whole set: bit i is tile number i."""

SIGHTINGS: dict[str, Detection] = {letters: Detection.sure(lie.tile) for letters, lie in LIES.items()}
"""The certain detection of each orientation."""


def clockwise(letters: str, points_up: bool) -> str:
    """Returns the colors of an orientation, read clockwise from the left edge.

    Clockwise, an upward cell has left, right, flat; a downward one left, flat, right.
    """
    return letters if points_up else letters[0] + letters[2] + letters[1]


def agrees(lie: LyingTile, points_up: bool, handed: Handed) -> bool:
    """True if TRI-3 allows the orientation, given the direction in which printed letters run."""
    if handed == "any":
        return True
    printed = lie.name[:3] if handed == "cw" else lie.name[2::-1]
    return clockwise(lie.letters, points_up) in printed + printed


@cache
def ways(number: int, points_up: bool, handed: Handed) -> tuple[LyingTile, ...]:
    """Returns every lie of a tile that TRI-3 allows in a cell of that direction."""
    return tuple(lie for lie in LIES.values() if lie.number == number and agrees(lie, points_up, handed))


CELLS = 36
EMPTY = "."
"""The letter for each edge of an empty cell, and for the outside of the board."""
EMPTY_BOARD = EMPTY * 3 * CELLS

BONUS = {10: 2, 14: 2, 30: 2, 2: 3, 26: 3, 34: 3, 11: 4, 13: 4, 20: 4}
"""Cell to its bonus factor (TRI-5); every other cell counts once."""

EDGES = ("left", "right", "flat")
"""The names of a cell's edges, in the order of the letters."""


def row_and_column(cell: int) -> tuple[int, int]:
    """Returns the row, 0 to 5 from the apex, and the column, 0 to 2 * row from the left (TRI-4).

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
"""The cells beyond the left, right and flat edge of each cell; None outside the board."""

TOUCHING: tuple[tuple[int, ...], ...] = tuple(tuple(other for other in trio if other is not None) for trio in NEIGHBORS)
"""The two or three neighbors of each cell (one at the board's corners)."""

_OUTSIDE = 3 * CELLS


def _facing(trio: tuple[int | None, int | None, int | None]) -> Callable[[str], tuple[str, str, str]]:
    left, right, flat = trio
    return itemgetter(
        _OUTSIDE if left is None else 3 * left + 1,
        _OUTSIDE if right is None else 3 * right,
        _OUTSIDE if flat is None else 3 * flat + 2,
    )


FACING = tuple(_facing(trio) for trio in NEIGHBORS)
"""For each cell, a getter that takes a board's letters with one `EMPTY` appended and returns the colors that face its
edges: left, right, flat.

A left edge meets the neighbor's right edge; flat meets flat (TRI-4).
"""


AROUND = tuple(tuple((other, 3 * other, FACING[other]) for other in near) for near in TOUCHING)
"""The neighbors of each cell: cell number, the start of its letters on a board, and its `FACING`."""


def spot(cell: int) -> Spot:
    """Returns the name of a cell on the table: "c17"."""
    return SPOTS[cell]


SPOTS: tuple[Spot, ...] = tuple(f"c{cell}" for cell in range(CELLS))
"""The names of the cells."""


def letters_on(board: str, cell: int) -> str:
    """Returns the three letters on a cell, or three dots."""
    return board[3 * cell : 3 * cell + 3]


def with_tile(board: str, cell: int, letters: str) -> str:
    """Returns the board with one cell filled."""
    return f"{board[: 3 * cell]}{letters}{board[3 * cell + 3 :]}"

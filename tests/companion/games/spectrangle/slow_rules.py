"""The rules of placing told a second time, slowly and from the shape of the board, to hold the fast tables against.

Nothing here comes from the game's own code: cells are triangles with corner points, edges touch where two corners are
shared, and a tile is a ring of colors that is turned in steps.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations

Point = tuple[int, int]
Board = dict[int, tuple[str, str, str]]
"""Cell to the colors of its left, right and flat edge."""

BONUS_CELLS = {2: 3, 10: 2, 11: 4, 13: 4, 14: 2, 20: 4, 26: 3, 30: 2, 34: 3}


def corners(cell: int) -> tuple[Point, Point, Point]:
    """The corner points of a cell: left, right, and the tip that the cell points with.

    Points are (x, y) in half edges and rows; row 0 has its apex at (0, 0), and y grows downwards.
    """
    row = 0
    while (row + 1) ** 2 <= cell:
        row += 1
    column = cell - row**2
    x = column - row
    if column % 2 == 0:
        return (x - 1, row + 1), (x + 1, row + 1), (x, row)
    return (x - 1, row), (x + 1, row), (x, row + 1)


def edges_of(cell: int) -> tuple[frozenset[Point], frozenset[Point], frozenset[Point]]:
    """Left, right and flat edge as pairs of corner points."""
    left, right, tip = corners(cell)
    return frozenset({left, tip}), frozenset({right, tip}), frozenset({left, right})


EDGES = {cell: edges_of(cell) for cell in range(36)}


NEXT_TO = {
    cell: [(side, other, there) for side, edge in enumerate(edges) for other in EDGES for there in range(3)
           if other != cell and EDGES[other][there] == edge]
    for cell, edges in EDGES.items()
}  # fmt: skip
"""By cell: one of its sides, the cell beyond it, and which side of that cell it is."""


def touching(board: Board, cell: int, lying: tuple[str, str, str]) -> list[tuple[str, str]]:
    """Colors of the new tile's edges and of those they lie against."""
    return [(lying[side], board[other][there]) for side, other, there in NEXT_TO[cell] if other in board]


def clockwise(cell: int, lying: tuple[str, str, str]) -> str:
    """The colors in the order in which the edges follow each other clockwise, from the left one."""
    points_up = corners(cell)[2][1] < corners(cell)[0][1]
    left, right, flat = lying
    # Over the tip to the right edge in an upward cell; along the flat edge, which is on top, in a downward one.
    return left + right + flat if points_up else left + flat + right


@cache
def lies(tile: str, cell: int, handed: str) -> list[tuple[str, str, str]]:
    """Every way in which a tile, turned in steps of a third and flipped if that is allowed, can lie in a cell."""
    turned = {tile[step:] + tile[:step] for step in range(3)}
    flipped = {one[::-1] for one in turned}
    rings = {"any": turned | flipped, "cw": turned, "ccw": flipped}[handed]
    return [lying for lying in set(permutations(tile)) if clockwise(cell, lying) in rings]


def may_lie(board: Board, cell: int, lying: tuple[str, str, str], edges: str) -> bool:
    """TRI-8 to TRI-12 in one sentence each."""
    if not board:
        return cell not in BONUS_CELLS
    if cell in board:
        return False
    met = touching(board, cell, lying)
    if not met:
        return False
    matching = [mine == theirs or "W" in (mine, theirs) for mine, theirs in met]
    return any(matching) if edges == "one" else all(matching)


def points(board: Board, cell: int, lying: tuple[str, str, str], value: int) -> int:
    """TRI-19 and TRI-20."""
    matching = sum(mine == theirs or "W" in (mine, theirs) for mine, theirs in touching(board, cell, lying))
    return value * (matching if board else 1) * BONUS_CELLS.get(cell, 1)


def placements(board: Board, tiles: list[str], edges: str, handed: str) -> set[tuple[int, tuple[str, str, str]]]:
    """Every legal placement of these tiles, as cell and lying colors."""
    return {
        (cell, lying)
        for cell in range(36)
        for tile in tiles
        for lying in lies(tile, cell, handed)
        if may_lie(board, cell, lying, edges)
    }

"""The 44 cells, their colors and their neighbors (RGB-6, RGB-8).

Cells are numbers inside the program and names outside. A set of cells is an integer with one bit for each cell, the
first cell's the highest, so that a board of bytes, read as binary digits, becomes a set without a loop.
"""

from __future__ import annotations

from companion.games.regenbogen.data import DATA, ULTIMA

CELLS: tuple[str, ...] = tuple(
    f"{file}{rank}"
    for rank in range(1, DATA.board.ranks + 1)
    for file in DATA.board.files
    if f"{file}{rank}" in DATA.board.cells
)
"""The names of the cells, rank by rank."""
CELL: dict[str, int] = {name: number for number, name in enumerate(CELLS)}

NAMES = DATA.names
"""The seven spectrum names, the wheel first."""
PLACE: dict[str, int] = {name: place for place, name in enumerate(NAMES)}
CLEAR = PLACE[ULTIMA]

COLOR: tuple[int, ...] = tuple(PLACE[DATA.board.cells[cell]] for cell in CELLS)
"""The color of each cell, as an index of `NAMES`."""
OPPOSITE: tuple[int | None, ...] = tuple(PLACE[DATA.opposite[name]] if name != ULTIMA else None for name in NAMES)
"""The opposite of each color, both as indices of `NAMES` (RGB-2); None for Ultima."""

DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""The steps of file and rank, clockwise from straight up."""

BIT: tuple[int, ...] = tuple(1 << (len(CELLS) - 1 - cell) for cell in range(len(CELLS)))
"""The bit of each cell in a set of cells."""


def _ray(cell: int, direction: int) -> tuple[int, ...]:
    file, rank = DATA.board.files.index(CELLS[cell][0]), int(CELLS[cell][1:])
    across, up = DIRECTIONS[direction]
    found: list[int] = []
    while True:
        file, rank = file + across, rank + up
        name = f"{DATA.board.files[file]}{rank}" if 0 <= file < len(DATA.board.files) else ""
        if name not in CELL:
            return tuple(found)
        found.append(CELL[name])


RAYS: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
    tuple(_ray(cell, direction) for direction in range(len(DIRECTIONS))) for cell in range(len(CELLS))
)
"""The cells on each straight line from a cell to the edge, by cell and direction, nearest first."""
NEIGHBORS: tuple[tuple[int, ...], ...] = tuple(tuple(sorted(ray[0] for ray in rays if ray)) for rays in RAYS)
"""The cells around each cell (RGB-8)."""
AROUND: tuple[int, ...] = tuple(sum(BIT[cell] for cell in cells) for cells in NEIGHBORS)
"""The cells around each cell, as a set."""
HEADING: tuple[dict[int, int], ...] = tuple(
    {cell: direction for direction, ray in enumerate(rays) for cell in ray} for rays in RAYS
)
"""For each cell, every cell on a straight line from it to the direction in which it lies."""

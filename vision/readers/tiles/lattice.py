"""The geometry of the board: the triangle, its 36 cells and their parts.

Board space is millimeters with the origin at the middle of the 300 mm triangle, u to the right and v toward the apex,
as seen with the apex up. Cells follow TRI-4: index row * row + column, row 0 at the apex.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.plan import Point

Floats = NDArray[np.float64]

SIDE_MM = 300.0
CELL_MM = SIDE_MM / 6
ROW_MM = CELL_MM * math.sqrt(3) / 2
"""The height of a row of cells in millimeters."""
INRADIUS_MM = SIDE_MM / (2 * math.sqrt(3))
"""The distance in millimeters from the middle to a side."""
CIRCUMRADIUS_MM = SIDE_MM / math.sqrt(3)
"""The distance in millimeters from the middle to a corner."""
TILE_TOP_MM = 5.0
"""The height of the tiles' upper faces above the table in millimeters."""
FLOOR_MM = 1.2
"""The height of the board's floor, where the bonus numbers are printed, in millimeters."""
RIM_MM = 10.7
"""The distance in millimeters from the triangle's sides to the tray's outer edge."""


class Placement(Struct, frozen=True):
    """The place of the board on the table."""

    x_mm: float
    y_mm: float
    heading_deg: float
    """The direction from the middle to the apex, counter-clockwise as seen from above, 0 = +x."""

    def axes(self) -> Floats:
        """Returns (2, 2): rows are u and v of board space as table directions (y down)."""
        angle = math.radians(self.heading_deg)
        return np.array([[math.sin(angle), math.cos(angle)], [math.cos(angle), -math.sin(angle)]])

    def to_table(self, uv_mm: Floats) -> Floats:
        """Returns table places (N, 2) of board places (N, 2)."""
        return np.asarray(np.asarray(uv_mm).reshape(-1, 2) @ self.axes() + (self.x_mm, self.y_mm))

    def to_board(self, xy_mm: Floats) -> Floats:
        """Returns board places (N, 2) of table places (N, 2)."""
        return np.asarray((np.asarray(xy_mm).reshape(-1, 2) - (self.x_mm, self.y_mm)) @ self.axes().T)

    def corners_mm(self) -> tuple[Point, Point, Point]:
        """Returns apex, left and right corner in table space."""
        apex, left, right = self.to_table(CORNERS)
        return (float(apex[0]), float(apex[1])), (float(left[0]), float(left[1])), (float(right[0]), float(right[1]))

    def turned(self, thirds: int) -> Placement:
        """Returns the same triangle with another corner as apex: `thirds` of a turn counter-clockwise."""
        heading = (self.heading_deg + 120 * thirds + 180) % 360 - 180
        return Placement(self.x_mm, self.y_mm, heading)

    @staticmethod
    def of(corners_mm: tuple[Point, Point, Point]) -> Placement:
        """Returns the placement that fits apex, left and right best."""
        corners = np.array(corners_mm)
        middle = corners.mean(0)
        # Least squares over the turn: sum of board corners times table corners.
        complex_board = CORNERS[:, 0] + 1j * CORNERS[:, 1]
        complex_table = (corners - middle)[:, 0] - 1j * (corners - middle)[:, 1]
        turn = np.angle((complex_table * np.conj(complex_board)).sum())
        return Placement(float(middle[0]), float(middle[1]), float((np.degrees(turn) + 90 + 180) % 360 - 180))


CORNERS: Floats = np.array([[0.0, CIRCUMRADIUS_MM], [-SIDE_MM / 2, -INRADIUS_MM], [SIDE_MM / 2, -INRADIUS_MM]])
"""(3, 2): apex, left and right corner in board space."""


class Cell(NamedTuple):
    """One cell in board space."""

    number: int
    row: int
    column: int
    upward: bool
    middle: tuple[float, float]
    corners: tuple[tuple[float, float], tuple[float, float], tuple[float, float]]
    """Upward: top, bottom left, bottom right. Downward: bottom, top left, top right."""

    def edges(self) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int]]:
        """Returns the corner pairs of the edges left, right, flat."""
        return (0, 1), (0, 2), (1, 2)


def _cells() -> tuple[Cell, ...]:
    cells = []
    for row in range(6):
        top = CIRCUMRADIUS_MM - row * ROW_MM
        for column in range(2 * row + 1):
            upward = column % 2 == 0
            if upward:
                u = (column // 2 - row / 2) * CELL_MM
                corners = ((u, top), (u - CELL_MM / 2, top - ROW_MM), (u + CELL_MM / 2, top - ROW_MM))
            else:
                u = (column / 2 - row / 2) * CELL_MM
                corners = ((u, top - ROW_MM), (u - CELL_MM / 2, top), (u + CELL_MM / 2, top))
            middle = (u, top - ROW_MM * (2 / 3 if upward else 1 / 3))
            cells.append(Cell(row * row + column, row, column, upward, middle, corners))
    return tuple(cells)


CELLS: tuple[Cell, ...] = _cells()
BONUS: dict[int, int] = {10: 2, 14: 2, 30: 2, 2: 3, 26: 3, 34: 3, 11: 4, 13: 4, 20: 4}
"""Cell to its printed factor (TRI-5)."""


def turned_cell(index: int, thirds: int) -> int:
    """Returns the index that cell `index` has after the apex moved `thirds` counter-clockwise.

    Cell `index` of a placement is cell `turned_cell(index, t)` for `placement.turned(t)`.
    """
    angle = -2 * math.pi / 3 * thirds
    u, v = CELLS[index].middle
    goal = np.array([u * math.cos(angle) - v * math.sin(angle), u * math.sin(angle) + v * math.cos(angle)])
    return int(np.argmin([math.dist(goal, cell.middle) for cell in CELLS]))

"""A board of square cells on paper: each is marked by its name, the name of its color and a pale tint.

Eyes read translucent pieces on these cells, so the ink is pale and the middle of each cell is left plain; labels stand
at the cells' edges.
"""

from __future__ import annotations

from collections.abc import Callable

from reportlab.pdfgen.canvas import Canvas

from companion.app.printing.wheel import INKS
from companion.core.foundation.words import Words
from companion.core.plan import Point, PyramidBoard

PALE = 0.35
"""Share of a color's ink; the rest stays paper."""
_NAME_POINTS = 8

_Place = Callable[[Point], tuple[float, float]]
"""Table millimeters to canvas points."""


class PrintedCells:
    """Draws one board onto a canvas."""

    def __init__(self, canvas: Canvas, place: _Place, board: PyramidBoard, words: Words) -> None:
        self.canvas = canvas
        self.place = place
        self.board = board
        self.words = words

    def at(self, column: float, row: float) -> tuple[float, float]:
        """Canvas point of a place of the grid; 0, 0 is where the first row begins."""
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = self.board.outline_mm
        u, v = column / len(self.board.rows[0]), row / len(self.board.rows)
        x = (1 - v) * ((1 - u) * ax + u * bx) + v * ((1 - u) * dx + u * cx)
        y = (1 - v) * ((1 - u) * ay + u * by) + v * ((1 - u) * dy + u * cy)
        return self.place((x, y))

    def draw(self) -> None:
        """All cells."""
        self.canvas.setLineWidth(0.8)
        for row, spots in enumerate(self.board.rows):
            for column, spot in enumerate(spots):
                if spot:
                    self._cell(column, row, spot, self.board.tints[row][column] if self.board.tints else "")

    def _cell(self, column: int, row: int, spot: str, color: str) -> None:
        path = self.canvas.beginPath()
        path.moveTo(*self.at(column, row))
        for across, down in ((1, 0), (1, 1), (0, 1)):
            path.lineTo(*self.at(column + across, row + down))
        path.close()
        ink = INKS.get(color, (1.0, 1.0, 1.0))
        self.canvas.setFillColorRGB(*(1 - PALE * (1 - part) for part in ink))
        self.canvas.drawPath(path, stroke=1, fill=1)
        self.canvas.setFillGray(0)
        self.canvas.setFont("Helvetica", _NAME_POINTS)
        self.canvas.drawCentredString(*self.at(column + 0.5, row + 0.94), f"{spot} {self.words(_named(color))}".strip())
        self.canvas.saveState()
        self.canvas.translate(*self.at(column + 0.5, row + 0.06))
        self.canvas.rotate(180)
        self.canvas.drawCentredString(0, 0, f"{spot} {self.words(_named(color))}".strip())
        self.canvas.restoreState()


def _named(color: str) -> str:
    """A cell's color as people say it: cells of clear pieces are white."""
    return "white" if color == "clear" else color

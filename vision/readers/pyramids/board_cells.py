"""Which cell of a board of pyramids a place of the table belongs to, and which cells a picture shows."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from companion.core.layout import Spot
from companion.core.plan import PyramidBoard
from vision.registration.registered_image import RegisteredImage

REACH = 0.2
"""A piece may stand so much of a cell's side outside of the board and still belong to its outermost cell."""
_SHOWN = 0.35
"""A cell counts as looked at where this much of it around its middle lies in the picture, as a share of its side."""


class CellGrid:
    """One board's cells on the table."""

    def __init__(self, board: PyramidBoard) -> None:
        self.rows = board.rows
        self.columns = len(board.rows[0])
        corners = np.array(board.outline_mm, np.float32)
        grid = np.array([(0, 0), (self.columns, 0), (self.columns, len(self.rows)), (0, len(self.rows))], np.float32)
        self._to_grid = cv2.getPerspectiveTransform(corners, grid)
        self._to_table = cv2.getPerspectiveTransform(grid, corners)

    def spot_at(self, x_mm: float, y_mm: float) -> Spot | None:
        """The cell at a place of the table; None off the board and where it has no cell."""
        place = cv2.perspectiveTransform(np.array([[[x_mm, y_mm]]], np.float64), self._to_grid)
        across, down = (float(part) for part in place.reshape(2))
        if not (-REACH <= across < self.columns + REACH and -REACH <= down < len(self.rows) + REACH):
            return None
        column = min(max(int(np.floor(across)), 0), self.columns - 1)
        row = min(max(int(np.floor(down)), 0), len(self.rows) - 1)
        return self.rows[row][column] or None

    def looked_at(self, table: RegisteredImage) -> Iterator[Spot]:
        """Cells whose middle parts lie in the picture."""
        height, width = table.picture.shape[:2]
        around = np.array([(0, 0), (_SHOWN, 0), (-_SHOWN, 0), (0, _SHOWN), (0, -_SHOWN)])
        for row, spots in enumerate(self.rows):
            for column, spot in enumerate(spots):
                if not spot:
                    continue
                places = (around + np.array((column + 0.5, row + 0.5))).reshape(-1, 1, 2)
                flat = cv2.perspectiveTransform(places, self._to_table).reshape(-1, 2)
                at = table.pose.project(np.column_stack([flat, np.zeros(len(flat))]))
                if ((at >= 0) & (at < (width, height))).all():
                    yield spot

"""The geometry of the Spectrum board: the wheel and its 108 spaces (BRD-1, BRD-2).

Board space is millimeters from the wheel's middle, with the first axis toward the rim of the red path and angles
growing clockwise as seen from above, as the paths follow each other. Table space has y down, so board space is table
space turned, never mirrored.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.layout import Spot
from companion.core.pieces import WHEEL

Floats = NDArray[np.float64]

RADIUS_MM = 240.0
"""The radius in millimeters of the outer edge of space 1 on a board of the usual size."""
HUB_SHARE = 1 / 8
"""The inner edge of space 9, as a share of the radius: nine rings between 240 and 30 mm."""
RINGS = 9
PATHS = len(WHEEL)
SECTOR_DEG = 360 / PATHS
THICK_MM = 2.0
"""The height in millimeters of a board's printed face above the table; boards are 1.6 to 2.4 mm thick."""
PAWN_BASE_MM = 12.0
PAWN_HEIGHT_MM = 22.0
STRAY_MM = 4.0
"""The distance in millimeters from its space's middle within which a pawn stands."""


class Wheel(Struct, frozen=True):
    """The place of the board on the table."""

    x_mm: float
    y_mm: float
    radius_mm: float
    heading_deg: float
    """The direction from the middle to the rim of the red path, counter-clockwise as seen from above, 0 = +x."""

    def axes(self) -> Floats:
        """Returns (2, 2): rows are the axes of board space as table directions (y down)."""
        angle = -math.radians(self.heading_deg)
        return np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])

    def to_table(self, board_mm: Floats) -> Floats:
        """Returns table places (N, 2) of board places (N, 2)."""
        return np.asarray(np.asarray(board_mm).reshape(-1, 2) @ self.axes() + (self.x_mm, self.y_mm))

    def to_board(self, xy_mm: Floats) -> Floats:
        """Returns board places (N, 2) of table places (N, 2)."""
        return np.asarray((np.asarray(xy_mm).reshape(-1, 2) - (self.x_mm, self.y_mm)) @ self.axes().T)

    def ring_mm(self) -> float:
        """Returns the width of a ring in millimeters."""
        return self.radius_mm * (1 - HUB_SHARE) / RINGS

    def middles(self) -> Floats:
        """Returns (108, 2): middles of the spaces in board space, path by path from rim to star."""
        spaces = np.array([(space.path, space.ring) for space in SPACES])
        away = self.radius_mm - (spaces[:, 1] - 0.5) * self.ring_mm()
        angle = np.radians(spaces[:, 0] * SECTOR_DEG)
        return np.column_stack([away * np.cos(angle), away * np.sin(angle)])


class Space(NamedTuple):
    """One space of the board."""

    path: int
    """The index of its color in `WHEEL`."""
    ring: int
    """The ring, from 1 at the rim to 9, the star."""

    @property
    def color(self) -> str:
        """The path's color."""
        return WHEEL[self.path]

    @property
    def spot(self) -> Spot:
        """The name of the spot: "red.1"."""
        return f"{self.color}.{self.ring}"


SPACES: tuple[Space, ...] = tuple(Space(path, ring) for path in range(PATHS) for ring in range(1, RINGS + 1))
"""All spaces, path by path from rim to star; the index is 9 * path + ring - 1."""

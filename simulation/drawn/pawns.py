"""Draws turned wooden pawns on a board."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from msgspec import Struct

from simulation.drawn.camera import Floats
from simulation.drawn.canvas import Canvas
from simulation.drawn.facets import MATT, Facet, Gloss, paint
from simulation.drawn.tabletop import linear
from vision.readers.pawns.wheel import PAWN_BASE_MM, PAWN_HEIGHT_MM

COLORS = {
    "red": (196, 28, 34),
    "orange": (238, 122, 28),
    "yellow": (240, 206, 34),
    "green": (26, 124, 56),
    "blue": (32, 72, 182),
    "purple": (112, 42, 146),
}
"""The paint of each color in sRGB."""
_PROFILE = (
    (0.0, 1.0), (0.10, 1.0), (0.16, 0.82), (0.30, 0.52), (0.52, 0.36), (0.60, 0.40), (0.63, 0.58), (0.70, 0.72),
    (0.80, 0.76), (0.90, 0.62), (0.97, 0.34), (1.0, 0.02),
)  # fmt: skip
"""The height and radius of foot, waist and head, as shares of the pawn's height and of half its base."""
_AROUND = 20


class StandingPawn(Struct, frozen=True):
    """A pawn on a board; x and y are the middle of its base, z is the height of the surface under it."""

    color: str
    x_mm: float
    y_mm: float
    z_mm: float = 0.0
    paint: tuple[float, float, float] | None = None
    """The paint in sRGB; None takes that of `COLORS`."""
    gloss: Gloss = MATT


def _rings(pawn: StandingPawn) -> Floats:
    """Returns (levels, around, 3): points on its surface in table millimeters."""
    angles = np.linspace(0, 2 * np.pi, _AROUND, endpoint=False)
    out = []
    for height, radius in _PROFILE:
        reach = radius * PAWN_BASE_MM / 2
        level = np.full(_AROUND, pawn.z_mm + height * PAWN_HEIGHT_MM)
        out.append(np.column_stack([pawn.x_mm + reach * np.cos(angles), pawn.y_mm + reach * np.sin(angles), level]))
    return np.array(out)


def draw_shadow(canvas: Canvas, pawn: StandingPawn) -> None:
    """Draws the shadow on the board: foot and waist cast a narrow one, and the head a round one at its end."""
    rings = _rings(pawn) - (0, 0, pawn.z_mm)
    for part in (rings[:5], rings[3:7], rings[6:]):
        canvas.darken(canvas.shadow(part.reshape(-1, 3)))


def draw_pawn(canvas: Canvas, pawn: StandingPawn) -> None:
    """Draws the pawn without its shadow."""
    rings = _rings(pawn)
    paint_color = tuple(map(float, linear(np.array((pawn.paint or COLORS[pawn.color])[::-1]))))
    facets = []
    for low, high in pairwise(rings):
        for at in range(_AROUND):
            beside = (at + 1) % _AROUND
            points = np.array([low[at], low[beside], high[beside], high[at]])
            normal = np.cross(points[2] - points[0], points[3] - points[1])
            length = float(np.linalg.norm(normal))
            out = points.mean(0)[:2] - (pawn.x_mm, pawn.y_mm)
            sign = 1.0 if float(normal[:2] @ out) >= 0 else -1.0
            facets.append(Facet(points, sign * normal / max(length, 1e-9), paint_color, pawn.gloss))
    paint(canvas, facets)

"""Draws printed parts on a table: flat pieces of paper or card with the lamp's light and a shadow, seen by its camera."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct

from companion.core.plan import Point
from simulation.drawn.camera import Floats
from simulation.drawn.canvas import Canvas
from simulation.drawn.tabletop import linear
from simulation.printed.paper import PX_PER_MM
from vision.image.picture import Picture

_PAPER = 0.86
"""The reflectance of white paper, which scales that of the inks."""
_BLACK = 0.03
"""The reflectance of black ink."""
_REFLECTANCE = np.asarray(_BLACK + (_PAPER - _BLACK) * linear(np.arange(256)), dtype=np.float32)
"""(256,): the linear reflectance of an ink's level."""


class LaidPart(Struct, frozen=True):
    """A printed part on the table; x and y are the middle of its rectangle."""

    ink: Picture
    x_mm: float
    y_mm: float
    heading_deg: float = 90.0
    """The direction from its middle to its upper edge, counter-clockwise seen from above, 0 = +x."""
    z_mm: float = 0.3
    """The height of its face above the table."""
    outline_mm: tuple[Point, ...] = ()
    """The outline along which it was cut, from its top left corner; empty for its whole rectangle."""

    def size_mm(self) -> Point:
        """Returns width and height in millimeters."""
        return self.ink.shape[1] / PX_PER_MM, self.ink.shape[0] / PX_PER_MM

    def axes(self) -> Floats:
        """Returns (2, 2): the directions of the part's right and down on the table."""
        turn = np.radians(self.heading_deg)
        up = np.array([np.cos(turn), -np.sin(turn)])
        return np.array([(-up[1], up[0]), -up])

    def on_table(self, points_mm: Sequence[Point]) -> Floats:
        """Returns (N, 3): the places of the part's points (N, 2) in table millimeters."""
        width, height = self.size_mm()
        flat = (np.asarray(points_mm) - (width / 2, height / 2)) @ self.axes() + (self.x_mm, self.y_mm)
        return np.column_stack([flat, np.full(len(flat), self.z_mm)])


def lay(canvas: Canvas, part: LaidPart) -> None:
    """Draws a part on the table, with its shadow."""
    width, height = part.size_mm()
    outline = part.outline_mm or ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    rim = part.on_table(outline)
    canvas.darken(canvas.shadow(rim))
    (x0, y0, x1, y1), alpha = canvas.mask(canvas.camera.project(rim))
    if x0 >= x1 or y0 >= y1:
        return
    places = canvas.places_shown((x0, y0, x1, y1), part.z_mm)
    turned = part.axes() * PX_PER_MM
    moved = (width / 2 * PX_PER_MM - 0.5, height / 2 * PX_PER_MM - 0.5) - turned @ (part.x_mm, part.y_mm)
    pixels = cv2.transform(places, np.column_stack([turned, moved]))
    ink = cv2.remap(part.ink, pixels, None, cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    reflected = reflectance(np.asarray(ink))
    size = (int(x1 - x0), int(y1 - y0))
    face = np.asarray(cv2.resize(reflected, size, interpolation=cv2.INTER_AREA))
    middles = np.asarray(cv2.resize(places, size, interpolation=cv2.INTER_AREA))
    view = canvas.light[y0:y1, x0:x1]
    view += (face * canvas.lamp.white(middles) - view) * alpha[..., None]


def reflectance(ink: Picture) -> Floats:
    """Returns (H, W, 3) float32: the linear reflectance of printed paper."""
    return np.asarray(cv2.LUT(ink, _REFLECTANCE))

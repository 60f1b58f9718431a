"""A close look at one place of the table: always at one scale, with what stands there rising straight up.

Where it is, how it is turned and how large it is seen are known from the pose, so that what looks at it next need only
know shapes and colors.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.readers.pyramids import sheet

Floats = NDArray[Any]

PX_PER_MM = 1.25
WIDTH, HEIGHT = 96, 136
PLACE = (47.5, 95.5)
"""Pixel of a closeup that shows the place itself, x and y: seventy millimeters above it, thirty below."""
CHANNELS = 8
"""Log reflectance B, G, R; how far a millimeter of height goes in the picture; the log of light over that of the empty
table, B, G, R; whether the latter is known."""


class Closeup(Struct, frozen=True):
    """How a sheet is turned and cut."""

    matrix: Floats
    """(2, 3) affine from sheet pixels to closeup pixels."""
    rise: float
    """Millimeters upwards in the picture for one of height."""

    def light(self, light: Floats) -> Floats:
        """(HEIGHT, WIDTH, 3) of three channels of a sheet (H, W, 3), any type."""
        return np.asarray(cv2.warpAffine(light, self.matrix, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE))

    def back(self, pixels: Floats) -> Floats:
        """(N, 2) closeup pixels to sheet pixels."""
        inverse = cv2.invertAffineTransform(self.matrix)
        return np.asarray(np.asarray(pixels) @ inverse[:, :2].T + inverse[:, 2])


def closeup(place_px: Floats, rise: Floats, log_scale: float, turn_rad: float = 0.0, mirrored: bool = False) -> Closeup:
    """Of a place in sheet pixels; `rise` (2,) and `log_scale` are the sheet's geometry there (see `sheet.inputs`).

    `turn_rad` and `mirrored` vary what training sees.
    """
    length = float(np.hypot(*rise))
    up = np.asarray(rise, dtype=np.float64) / length if length > 1e-6 else np.array([0.0, -1.0])
    if turn_rad:
        cos, sin = np.cos(turn_rad), np.sin(turn_rad)
        up = np.array([cos * up[0] - sin * up[1], sin * up[0] + cos * up[1]])
    # Rows are the directions that become right and down.
    turn = np.array([(-up[1], up[0]), (-up[0], -up[1])]) * float(np.exp(-log_scale))
    if mirrored:
        turn[0] = -turn[0]
    return Closeup(np.column_stack([turn, np.array(PLACE) - turn @ place_px]), length * float(np.exp(-log_scale)))


class CloseupShown(Struct, frozen=True):
    """The source of closeups."""

    light: Floats
    """(H, W, 3) float32, a sheet's log light."""
    ratio: Floats | None
    """(H, W, 3) float32, its log ratio to the empty table; None if it was never shown."""
    known: Floats | None
    """(H, W) float32, 1 where the empty table is known."""


def shown(seen: Floats) -> CloseupShown:
    """Of a sheet's inputs (CHANNELS, H, W)."""
    light, ratio = (seen[part].transpose(1, 2, 0) for part in (sheet.LIGHT, sheet.RATIO))
    known = seen[sheet.KNOWN][0]
    if not known.any():
        return CloseupShown(np.ascontiguousarray(light), None, None)
    return CloseupShown(*(np.ascontiguousarray(part) for part in (light, ratio, known)))


def cut(seen: CloseupShown, close: Closeup) -> Floats:
    """(CHANNELS, HEIGHT, WIDTH) float32."""
    out = np.zeros((CHANNELS, HEIGHT, WIDTH), np.float32)
    out[:3] = close.light(seen.light).transpose(2, 0, 1)
    out[3] = close.rise
    if seen.ratio is not None and seen.known is not None:
        out[4:7] = close.light(seen.ratio).transpose(2, 0, 1)
        out[7] = close.light(seen.known)
    return out

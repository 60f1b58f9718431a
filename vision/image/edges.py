"""Finds edges with their strength and direction, independent of the light.

Differences of logarithms do not change when a lamp is dimmed or a corner lies in shadow. The channel that shows an edge
best counts, so that a blue board on brown wood is as clear as a black one on white.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.float32]

_DARK = 12.0
"""The number of gray levels added before the logarithm, so that noise in the dark stays small."""
LOGS = np.log(np.arange(256, dtype=np.float32) + np.float32(_DARK))
"""(256,): the logarithm of each gray level."""
_HALF = 0.25
"""The gradient of the logarithm at which an edge has half strength."""
_SPREAD_DEG = 20.0
"""The angle in degrees off a direction from which an edge no longer counts for it."""


class Edges(NamedTuple):
    """Edges of a picture; all (H, W)."""

    strength: Field
    """The strength, 0 to 1."""
    along_x: Field
    """The x component (to the right) of the unit vector of the steepest change."""
    along_y: Field
    """The y component (down) of the same vector."""

    def across(self, normal_deg: float) -> Field:
        """Returns (H, W): the edges whose change points along or against `normal_deg` (counter-clockwise, y up)."""
        angle = math.radians(normal_deg)
        least = math.cos(math.radians(_SPREAD_DEG)) ** 2
        cosine = self.along_x * np.float32(math.cos(angle)) - self.along_y * np.float32(math.sin(angle))
        weight = (cosine * cosine - np.float32(least)) * np.float32(1 / (1 - least))
        return np.asarray(self.strength * np.maximum(weight, 0))


def find_edges(picture: NDArray[np.uint8]) -> Edges:
    """Returns the edges of a picture (H, W, 3)."""
    logs = LOGS[picture]
    dx = cv2.Sobel(logs, cv2.CV_32F, 1, 0, ksize=3)
    dy = cv2.Sobel(logs, cv2.CV_32F, 0, 1, ksize=3)
    squares = dx * dx + dy * dy
    best = squares[..., 0].copy()
    gx, gy = dx[..., 0].copy(), dy[..., 0].copy()
    for channel in (1, 2):
        better = squares[..., channel] > best
        np.copyto(best, squares[..., channel], where=better)
        np.copyto(gx, dx[..., channel], where=better)
        np.copyto(gy, dy[..., channel], where=better)
    size = np.sqrt(best)
    scale = 1 / np.maximum(size, np.float32(1e-6))
    return Edges(size / (size + np.float32(_HALF)), gx * scale, gy * scale)

"""Edges as a referee needs them: how much, and across which direction, whatever the light.

Differences of logarithms do not change when a lamp is dimmed or a corner lies in shadow, and the channel that shows an
edge best counts, so that a blue board on brown wood is as plain as a black one on white.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.float32]

_DARK = 12.0
"""Added before the logarithm, in grey levels, so that noise in the dark stays small."""
_HALF = 0.25
"""Gradient of the logarithm at which an edge counts half."""
_SPREAD_DEG = 20.0
"""An edge this far off a direction no longer counts for it."""


def gradient(picture: NDArray[np.uint8]) -> tuple[Field, Field]:
    """Strength (0 to 1, both (H, W)) and direction in degrees, counter-clockwise from +x with y up.

    :param picture: (H, W, 3).
    """
    table = np.log(np.arange(256, dtype=np.float32) + _DARK)
    logs = table[picture]
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
    strength = size / (size + np.float32(_HALF))
    return strength, np.asarray(cv2.phase(gx, -gy, angleInDegrees=True))


def across(strength: Field, direction: Field, normal_deg: float) -> Field:
    """(H, W): the part of the edges whose gradient points along or against `normal_deg`."""
    off = np.mod(direction - np.float32(normal_deg) + np.float32(90), np.float32(180)) - np.float32(90)
    return np.asarray(strength * np.clip(1 - (off / np.float32(_SPREAD_DEG)) ** 2, 0, 1))

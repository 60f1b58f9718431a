"""A guess at what stands or lies somewhere, and how its silhouette weighs against the evidence.

Scores are sums of log odds inside the projected outline: the outline that explains the most plastic without claiming
table wins. Polygons are filled by OpenCV on a doubled grid; one guess costs some 20 microseconds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.pyramids.models import Projector, lifts_mm, lying, standing

Floats = NDArray[Any]
Mask = NDArray[np.uint8]


class Hypothesis(Struct, frozen=True):
    """One upright piece or stack (`sizes` from the lowest up), or one lying piece."""

    x_mm: float
    y_mm: float
    turn_deg: float
    """Yaw of the bases, or the heading of a lying piece's tip."""
    sizes: tuple[str, ...]
    lies: bool = False

    def points(self) -> Floats:
        """(pieces, 5, 3) corners and tip of each piece in table millimetres."""
        if self.lies:
            return lying(self.x_mm, self.y_mm, self.turn_deg, self.sizes[0])[None]
        return np.stack(
            [
                standing(self.x_mm, self.y_mm, self.turn_deg, size, lift)
                for size, lift in zip(self.sizes, lifts_mm(self.sizes), strict=True)
            ]
        )

    def moved(self, dx_mm: float, dy_mm: float, dturn_deg: float = 0.0) -> Hypothesis:
        """The same thing a little elsewhere."""
        return Hypothesis(self.x_mm + dx_mm, self.y_mm + dy_mm, self.turn_deg + dturn_deg, self.sizes, self.lies)


@cache
def _local(sizes: tuple[str, ...], lies: bool) -> Floats:
    """(pieces * 5, 3) the points of a guess at the origin, not turned."""
    points = Hypothesis(0.0, 0.0, 0.0, sizes, lies).points().reshape(-1, 3)
    points.setflags(write=False)
    return points


def outlines(guesses: Sequence[Hypothesis], pose: Projector) -> list[Floats]:
    """For each guess (pieces, 5, 2) pixels; all points are turned and go through the camera at once."""
    shapes = [_local(guess.sizes, guess.lies) for guess in guesses]
    counts = [len(shape) for shape in shapes]
    places = np.repeat([(g.x_mm, g.y_mm, math.radians(g.turn_deg)) for g in guesses], counts, axis=0)
    local = np.concatenate(shapes)
    cos, sin = np.cos(places[:, 2]), np.sin(places[:, 2])
    points = np.empty_like(local)
    points[:, 0] = places[:, 0] + local[:, 0] * cos + local[:, 1] * sin
    points[:, 1] = places[:, 1] - local[:, 0] * sin + local[:, 1] * cos
    points[:, 2] = local[:, 2]
    pixels = pose.project(points)
    return [part.reshape(-1, 5, 2) for part in np.split(pixels, np.cumsum(counts)[:-1])]


class Canvas:
    """Log odds of a box of the picture on a grid `fine` times as dense, on which outlines are weighed."""

    def __init__(self, odds: Floats, origin_px: tuple[int, int], fine: int = 2) -> None:
        self.fine = fine
        self.origin = np.array(origin_px, dtype=np.float64)
        big = odds if fine == 1 else cv2.resize(odds, None, fx=fine, fy=fine, interpolation=cv2.INTER_LINEAR)
        self.odds = np.ascontiguousarray(big, dtype=np.float32)
        self.shape = self.odds.shape
        self._mask = np.zeros(self.shape, np.uint8)

    def mask(self, outline: Floats) -> Mask:
        """Silhouette (h, w) uint8 of one outline (pieces, 5, 2); valid until the next call."""
        mask = self._mask
        mask[:] = 0
        fixed = np.rint(((outline - self.origin + 0.5) * self.fine - 0.5) * 16).astype(np.int32)
        for piece in fixed:
            cv2.fillConvexPoly(mask, cv2.convexHull(piece), 1, shift=4)
        return mask

    def weigh(self, outline: Floats) -> float:
        """Sum of the log odds inside, in units of picture pixels."""
        mask = self.mask(outline)
        mean = cv2.mean(self.odds, mask)[0]
        return mean * cv2.countNonZero(mask) / self.fine**2

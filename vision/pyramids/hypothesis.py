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
    pieces = pose.project(points).reshape(-1, 5, 2)
    ends = np.cumsum(counts) // 5
    return [pieces[end - count // 5 : end] for end, count in zip(ends.tolist(), counts, strict=True)]


def _subtriangles(parts: int) -> Floats:
    """(parts ** 2, 3) barycentric middles of the equal small triangles that a triangle is cut into."""
    found = []
    for i in range(parts):
        for j in range(parts - i):
            found.append((i + 1 / 3, j + 1 / 3))
            if i + j < parts - 1:
                found.append((i + 2 / 3, j + 2 / 3))
    a = np.array(found) / parts
    return np.column_stack([a, 1 - a.sum(axis=1)])


_BODY = np.array([(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4), (1, 0, 2), (2, 0, 3)])
"""A pyramid's surface as triangles that all turn the same way seen from outside: those that turn one way in the
picture are its front, and they tile its silhouette."""
_SPREAD = _subtriangles(4)


class Canvas:
    """Log odds of a box of the picture on a grid `fine` times as dense, on which outlines are weighed."""

    def __init__(self, odds: Floats, origin_px: tuple[int, int], fine: int = 2) -> None:
        self.fine = fine
        self.origin = np.array(origin_px, dtype=np.float64)
        big = odds if fine == 1 else cv2.resize(odds, None, fx=fine, fy=fine, interpolation=cv2.INTER_LINEAR)
        self.odds = np.ascontiguousarray(big, dtype=np.float32)
        self.shape = self.odds.shape

    def _fixed(self, outline: Floats) -> NDArray[np.int32]:
        """Corners on the grid in sixteenths."""
        return np.asarray(np.rint(((outline - self.origin + 0.5) * self.fine - 0.5) * 16), np.int32)

    def mask(self, outline: Floats) -> Mask:
        """Silhouette (h, w) uint8 of one outline (pieces, 5, 2)."""
        mask = np.zeros(self.shape, np.uint8)
        for piece in self._fixed(outline):
            cv2.fillConvexPoly(mask, cv2.convexHull(piece), 1, shift=4)
        return mask

    def weigh(self, outline: Floats) -> float:
        """Sum of the log odds inside, in units of picture pixels."""
        return self.weigh_many([outline])[0]

    def weigh_many(self, outlines: Sequence[Floats]) -> list[float]:
        """`weigh` for many outlines (pieces, 5, 2)."""
        fixed = self._fixed(np.concatenate(outlines))
        starts = np.cumsum([0] + [len(outline) for outline in outlines])
        low = np.minimum.reduceat(fixed.min(axis=1), starts[:-1]) >> 4
        high = (np.maximum.reduceat(fixed.max(axis=1), starts[:-1]) >> 4) + 2
        height, width = self.shape
        low, high = np.maximum(low, 0), np.minimum(high, (width, height))
        shifted = fixed - 16 * np.repeat(low, np.diff(starts), axis=0)[:, None]
        scale = self.fine**2
        out = []
        for k, ((x0, y0), (x1, y1)) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
            if x0 >= x1 or y0 >= y1:
                out.append(0.0)
                continue
            mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
            for piece in shifted[starts[k] : starts[k + 1]]:
                cv2.fillConvexPoly(mask, cv2.convexHull(piece), 1, shift=4)
            mean = cv2.mean(self.odds[y0:y1, x0:x1], mask)[0]
            out.append(mean * cv2.countNonZero(mask) / scale)
        return out

    def estimate(self, outlines: Floats) -> Floats:
        """(G,) about the same as `weigh` for many single pieces (G, 5, 2) at once: the odds are sampled, not summed."""
        grid = (outlines - self.origin + 0.5) * self.fine - 0.5
        triangles = grid[:, _BODY]
        a = triangles[:, :, 1] - triangles[:, :, 0]
        b = triangles[:, :, 2] - triangles[:, :, 0]
        area = np.maximum(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0], 0) / (2 * self.fine**2)
        samples = np.rint(np.einsum("st,gftc->gfsc", _SPREAD, triangles)).astype(np.intp)
        height, width = self.shape
        x, y = np.clip(samples[..., 0], 0, width - 1), np.clip(samples[..., 1], 0, height - 1)
        return np.asarray((self.odds[y, x].mean(axis=2) * area).sum(axis=1))

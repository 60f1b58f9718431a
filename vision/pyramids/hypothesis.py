"""A guess at what stands or lies somewhere, and where a camera sees it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.pyramids.models import Projector, lifts_mm, lying, standing

Floats = NDArray[Any]


class StackHypothesis(Struct, frozen=True):
    """One upright piece or stack (`sizes` from the lowest up), or one lying piece."""

    x_mm: float
    y_mm: float
    turn_deg: float
    """Yaw of the bases, or the heading of a lying piece's tip."""
    sizes: tuple[str, ...]
    lies: bool = False

    def points(self) -> Floats:
        """(pieces, 5, 3) corners and tip of each piece in table millimeters."""
        if self.lies:
            return lying(self.x_mm, self.y_mm, self.turn_deg, self.sizes[0])[None]
        return np.stack(
            [
                standing(self.x_mm, self.y_mm, self.turn_deg, size, lift)
                for size, lift in zip(self.sizes, lifts_mm(self.sizes), strict=True)
            ]
        )

    def moved(self, dx_mm: float, dy_mm: float, dturn_deg: float = 0.0) -> StackHypothesis:
        """The same thing a little elsewhere."""
        return StackHypothesis(self.x_mm + dx_mm, self.y_mm + dy_mm, self.turn_deg + dturn_deg, self.sizes, self.lies)


@cache
def _local(sizes: tuple[str, ...], lies: bool) -> Floats:
    """(pieces * 5, 3) the points of a guess at the origin, not turned."""
    points = StackHypothesis(0.0, 0.0, 0.0, sizes, lies).points().reshape(-1, 3)
    points.setflags(write=False)
    return points


def outlines(guesses: Sequence[StackHypothesis], pose: Projector) -> list[Floats]:
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

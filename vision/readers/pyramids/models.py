"""Exact shapes of standing, stacked and lying pyramids in table space, and their silhouettes in a picture.

A tall tip is seen up to 30 mm away from its foot, so it does not work on a rectified table: every shape is a handful
of points in millimeters (x, y, z up) that go through the pose of the camera.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from companion.core.pieces import SHAPES, STACK_STEP_MM

Floats = NDArray[Any]

_CORNERS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


class Projector(Protocol):
    """Anything that knows where a point of the table room is seen."""

    def project(self, points_mm: Floats) -> Floats:
        """Pixels (N, 2) of table points (N, 3): x, y in the table's plane, z up."""
        ...


def lifts_mm(sizes: Sequence[str]) -> list[float]:
    """Height of each base of a stack above the table, lowest piece first.

    Each tip is `STACK_STEP_MM` above the tip below; a smaller piece therefore starts higher than an equal one.

    >>> [round(z, 1) for z in lifts_mm(["large", "large", "medium"])]
    [0.0, 7.5, 24.8]
    """
    tip = 0.0
    found: list[float] = []
    for level, size in enumerate(sizes):
        height = SHAPES[size].height_mm
        tip = height if level == 0 else tip + STACK_STEP_MM
        found.append(tip - height)
    return found


def standing(x_mm: float, y_mm: float, yaw_deg: float, size: str, lift_mm: float = 0.0) -> Floats:
    """Points (5, 3) of an upright pyramid: four corners of the base in turn, then the tip."""
    shape = SHAPES[size]
    turn = math.radians(yaw_deg)
    cos, sin = math.cos(turn), math.sin(turn)
    base = _CORNERS * shape.base_mm
    points = np.empty((5, 3))
    points[:4, 0] = x_mm + base[:, 0] * cos + base[:, 1] * sin
    points[:4, 1] = y_mm - base[:, 0] * sin + base[:, 1] * cos
    points[:4, 2] = lift_mm
    points[4] = x_mm, y_mm, lift_mm + shape.height_mm
    return points


def lying(x_mm: float, y_mm: float, heading_deg: float, size: str) -> Floats:
    """Points (5, 3) of a pyramid on its side: of its base lower right, lower left, upper left, upper right; the tip.

    `x_mm`, `y_mm` is the table point under the center of the raised base; the tip, which touches the table, lies from
    there in the direction `heading_deg` (counter-clockwise seen from above, so y falls as the sine grows).
    """
    shape = SHAPES[size]
    half = shape.base_mm / 2
    slant = math.hypot(shape.height_mm, half)
    rise, run = half / slant, shape.height_mm / slant
    turn = math.radians(heading_deg)
    ahead = np.array([math.cos(turn), -math.sin(turn), 0.0])
    side = np.array([-ahead[1], ahead[0], 0.0])
    up = np.array([0.0, 0.0, 1.0])
    center = np.array([x_mm, y_mm, shape.height_mm * rise])
    across = ahead * rise + up * run
    tip = center + (ahead * run - up * rise) * shape.height_mm
    return np.stack(
        [
            center + half * side - half * across,
            center - half * side - half * across,
            center - half * side + half * across,
            center + half * side + half * across,
            tip,
        ]
    )


FACES: tuple[tuple[int, ...], ...] = ((0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4), (0, 1, 2, 3))
"""Point numbers of the four sides and the (open) base."""

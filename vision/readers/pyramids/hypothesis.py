"""A guess at what stands or lies somewhere, and where a camera sees it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any, Protocol

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.pieces import SHAPES, STACK_STEP_MM
from vision.readers.pyramids.sheet import STRIDE, Sheet

Floats = NDArray[Any]

_SHIFT = 4
"""Bits of the fraction in which OpenCV takes corners."""


def painted_levels(outline: Floats, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """(h, w) 0, or 1 + the level that is seen.

    Args:
        outline: (levels, 5, 2) corners and tip of each piece, lowest first, x and y in cells or pixels of the grid.
        shape: Its rows and columns.
    """
    seen = np.zeros(shape, np.uint8)
    for level, corners in enumerate(np.rint(outline * 2**_SHIFT).astype(np.int32)):
        cv2.fillConvexPoly(seen, cv2.convexHull(corners), level + 1, shift=_SHIFT)
    return seen


def covered(outline_px: Floats, sheet: Sheet, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """(h, w) which cells of a sheet are inside of a thing's outline (levels, 5, 2), in picture pixels."""
    return painted_levels((sheet.to_sheet(outline_px) - (STRIDE - 1) / 2) / STRIDE, shape) > 0


# Exact shapes of standing, stacked and lying pyramids in table space, and their silhouettes in a picture.
#
# A tall tip is seen up to 30 mm away from its foot, so it does not work on a rectified table: every shape is a handful
# of points in millimeters (x, y, z up) that go through the pose of the camera.

_CORNERS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


class Projector(Protocol):
    """Anything that knows where a point of the table room is seen."""

    def project(self, points_mm: Floats) -> Floats:
        """Returns the pixels (N, 2) of table points (N, 3): x, y in the table's plane, z up."""
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


_TURNS = np.linspace(0, 2 * np.pi, 16, endpoint=False)
_CIRCLE = np.column_stack([np.cos(_TURNS), np.sin(_TURNS)])
"""(16, 2) points of a circle of radius 1."""


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

    def footprint_mm(self) -> Floats:
        """(N, 2) corners of what of the table it takes up, whichever way its base is turned.

        That is the circle within the base of the lowest piece; of a lying piece, the side on which it rests.
        """
        if self.lies:
            return np.asarray(self.points()[0][[0, 1, 4], :2])
        return np.asarray(_CIRCLE * SHAPES[self.sizes[0]].base_mm / 2 + (self.x_mm, self.y_mm))

    def moved(self, dx_mm: float, dy_mm: float, dturn_deg: float = 0.0) -> StackHypothesis:
        """The same thing a little elsewhere."""
        return StackHypothesis(self.x_mm + dx_mm, self.y_mm + dy_mm, self.turn_deg + dturn_deg, self.sizes, self.lies)


@cache
def _local(sizes: tuple[str, ...], lies: bool) -> Floats:
    """(pieces * 5, 3) the points of a guess at the origin, not turned."""
    points = StackHypothesis(0.0, 0.0, 0.0, sizes, lies).points().reshape(-1, 3)
    points.setflags(write=False)
    return points


class MovableShapes:
    """Several guesses, to be seen in one go, again and again, wherever each of them is moved to."""

    def __init__(self, guesses: Sequence[StackHypothesis]) -> None:
        shapes = [_local(guess.sizes, guess.lies) for guess in guesses]
        self.counts = [len(shape) for shape in shapes]
        """Corners and tips of each."""
        self._local = np.concatenate(shapes)
        self._whose = np.repeat(np.arange(len(shapes)), self.counts)

    def seen_at(self, places: Floats, pose: Projector) -> Floats:
        """(N, P, 2) pixels of all P corners and tips, where the guesses are at N places each.

        Args:
            places: (N, guesses, 3) x and y in table millimeters and the turn in degrees.
        """
        x, y, turn = places[:, self._whose].transpose(2, 0, 1)
        angle = np.radians(turn)
        cos, sin = np.cos(angle), np.sin(angle)
        points = np.empty((*x.shape, 3))
        points[..., 0] = x + self._local[:, 0] * cos + self._local[:, 1] * sin
        points[..., 1] = y - self._local[:, 0] * sin + self._local[:, 1] * cos
        points[..., 2] = self._local[:, 2]
        return pose.project(points.reshape(-1, 3)).reshape(*x.shape, 2)


def places_of(guesses: Sequence[StackHypothesis]) -> Floats:
    """(N, 3) x and y in table millimeters and the turn in degrees."""
    return np.array([(guess.x_mm, guess.y_mm, guess.turn_deg) for guess in guesses]).reshape(-1, 3)


def outlines(guesses: Sequence[StackHypothesis], pose: Projector) -> list[Floats]:
    """For each guess (pieces, 5, 2) pixels; all points are turned and go through the camera at once."""
    shapes = MovableShapes(guesses)
    pieces = shapes.seen_at(places_of(guesses)[None], pose)[0].reshape(-1, 5, 2)
    ends = (np.cumsum(shapes.counts) // 5).tolist()
    return [pieces[end - count // 5 : end] for end, count in zip(ends, shapes.counts, strict=True)]

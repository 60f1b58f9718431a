"""A guess at what stands or lies somewhere, and where a camera sees it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.pieces import SHAPES
from vision.readers.pyramids.models import Projector, lifts_mm, lying, standing

Floats = NDArray[Any]

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

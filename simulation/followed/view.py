"""Computes what a camera would see: a map that numbers the visible thing in each pixel, instead of a picture.

Every level of every stack has its own number for as long as it stays in place. Comparing two maps shows what has
changed, and one map shows how much of a thing is in view, without light, noise or any reader.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Protocol

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.layout import Spot
from companion.core.pieces import Piece
from simulation.drawn.camera import Camera
from vision.image.likeness import dilated

Floats = NDArray[Any]
Mask = NDArray[np.uint8]
"""(h, w): 1 inside, 0 outside."""
Labels = NDArray[np.int32]
"""(h, w): the number of the thing in each pixel; 0 for the bare table, negative for something foreign."""

SHRINK = 4
"""The factor by which maps are smaller than the camera's picture each way, as pictures are when they are compared
(`vision.image.likeness`).
"""
GAP_PX, RING_PX = 3, 8
"""The distances in map pixels at which the ring of table around a place begins and ends, as in `vision.memory.cover`.

"""
ROUND = 24
"""The number of corners in the outline of a round thing."""


class Standing(Protocol):
    """A thing that stands or lies on the table; `simulation.drawn.standing` has pyramids. Equal instances are the same
    thing in the same place.
    """

    @property
    def seen(self) -> Sequence[Piece]:
        """The visible pieces, bottom to top."""

    @property
    def place_mm(self) -> tuple[float, float]:
        """The middle of the thing on the table."""

    def solids(self) -> list[Floats]:
        """Returns points (N, 3) of each piece, hidden ones included, bottom to top, in table millimeters."""

    def __hash__(self) -> int:
        """Returns the same value for equal things."""


class Thing(Struct, frozen=True):
    """A thing of the game, with the spot of its heap or cell."""

    spot: Spot
    stand: Any
    """A `Standing`."""


class Cover(Struct, frozen=True):
    """A foreign thing that hides what is under or behind it: a cloth (flat), a sleeve or a mug."""

    x_mm: float
    y_mm: float
    radius_mm: float
    height_mm: float

    def solid(self) -> Floats:
        """Returns points (2 * ROUND, 3) of the upright cylinder around it."""
        turn = np.linspace(0, 2 * np.pi, ROUND, endpoint=False)
        ring = np.column_stack([self.x_mm + self.radius_mm * np.cos(turn), self.y_mm + self.radius_mm * np.sin(turn)])
        low, high = (np.column_stack([ring, np.full(ROUND, z)]) for z in (0.0, self.height_mm))
        return np.concatenate([low, high])


class View:
    """The view of one camera over one table, and the numbers of the things in it."""

    def __init__(self, camera: Camera) -> None:
        self.shape = camera.size_px[1] // SHRINK, camera.size_px[0] // SHRINK
        """The height and width of every map."""
        self._camera = camera
        self._eye = camera.eye_mm()[:2]
        self._numbers: dict[Hashable, int] = {}
        self._hulls: dict[Any, list[tuple[int, Floats]]] = {}
        self._masks: dict[Any, Mask] = {}
        self._outlines: dict[Any, Mask] = {}
        self._rings: dict[Any, Mask] = {}

    def labels(self, things: Iterable[Thing], covers: Iterable[Cover] = ()) -> Labels:
        """Returns the map of a table: near things hide farther ones, and covers hide everything."""
        painted = np.zeros(self.shape, np.int32)
        for stand in sorted((thing.stand for thing in things), key=self.distance_mm, reverse=True):
            for number, hull in self._levels(stand):
                cv2.fillConvexPoly(painted, hull, number)
        for cover in covers:
            cv2.fillConvexPoly(painted, self._hull(cover.solid()), -self._number(cover))
        return painted

    def mask(self, stand: Standing, since_level: int = 0) -> Mask:
        """Returns the area of a thing if nothing hid it, or the area of its levels from `since_level` upward."""
        key = stand, since_level
        found = self._masks.get(key)
        if found is None:
            found = np.zeros(self.shape, np.uint8)
            for _, hull in self._levels(stand)[since_level:]:
                cv2.fillConvexPoly(found, hull, 1)
            self._masks[key] = found
        return found

    def outline(self, stand: Standing) -> Mask:
        """Returns the area of a thing if nothing hid it, and one pixel around it."""
        found = self._outlines.get(stand)
        if found is None:
            found = self._outlines[stand] = dilated(self.mask(stand), 1)
        return found

    def ring(self, stand: Standing) -> Mask:
        """Returns the ring of table around a thing."""
        found = self._rings.get(stand)
        if found is None:
            place = self.mask(stand)
            found = self._rings[stand] = dilated(place, RING_PX) - dilated(place, GAP_PX)
        return found

    def distance_mm(self, stand: Standing) -> float:
        """Returns the distance of a thing from the point right below the camera; it hides things farther away."""
        x, y = stand.place_mm
        return float(np.hypot(self._eye[0] - x, self._eye[1] - y))

    def visible(self, stand: Standing, labels: Labels) -> Mask:
        """Returns the part of a thing that a map shows."""
        numbers = [number for number, _ in self._levels(stand)]
        return np.asarray(np.isin(labels, numbers) & (self.mask(stand) > 0), np.uint8)

    def visible_share(self, stand: Standing, labels: Labels) -> float:
        """Returns the share of a thing that a map shows, from 0 to 1."""
        return int(self.visible(stand, labels).sum()) / max(int(self.mask(stand).sum()), 1)

    def _levels(self, stand: Any) -> list[tuple[int, Floats]]:
        """Returns the number and outline of each piece of a stack; pieces that stay when the stack grows keep their
        numbers.
        """
        found = self._hulls.get(stand)
        if found is None:
            found = []
            for piece, solid in zip(stand.pieces, stand.solids(), strict=True):
                points = np.round(solid, 2)
                found.append((self._number((piece, points.tobytes())), self._hull(solid)))
            self._hulls[stand] = found
        return found

    def _number(self, key: Hashable) -> int:
        return self._numbers.setdefault(key, len(self._numbers) + 1)

    def _hull(self, points_mm: Floats) -> Floats:
        """Returns the outline (N, 1, 2) int32 of points, in pixels of a map."""
        pixels = (self._camera.project(points_mm) + 0.5) / SHRINK - 0.5
        hull = cv2.convexHull(pixels.astype(np.float32).reshape(-1, 1, 2))
        return np.asarray(np.round(hull), np.int32)

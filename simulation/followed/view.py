"""What a camera would see where: a map of things by pixel instead of a picture.

Every level of every stack has a number of its own for as long as it stands where it stands. Comparing two maps tells
what has changed, and one map tells how much of a thing is in view, without light, noise or any reader.
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
"""(h, w) 1 inside, 0 outside."""
Labels = NDArray[np.int32]
"""(h, w): the number of what is seen in each pixel; 0: the bare table; below 0: something foreign."""

SHRINK = 4
"""Maps are a quarter of the camera's picture each way, as pictures are when they are compared (`vision.image.likeness`)."""
GAP_PX, RING_PX = 3, 8
"""The ring of table around a place begins and ends so far from it, as in `vision.memory.cover`."""
ROUND = 24
"""Corners of the outline of something round."""


class Standing(Protocol):
    """What stands or lies on the table: `simulation.drawn.standing` has pyramids. Two that are equal are the same
    thing in the same place."""

    @property
    def seen(self) -> Sequence[Piece]:
        """The pieces of which something can be seen, bottom to top."""

    @property
    def place_mm(self) -> tuple[float, float]:
        """Where its middle is."""

    def solids(self) -> list[Floats]:
        """Returns points (N, 3) of each piece, bottom to top, hidden ones too, in table millimeters."""

    def __hash__(self) -> int:
        """Equal things are one."""


class Thing(Struct, frozen=True):
    """Something that belongs to the game, and whose heap it stands in."""

    spot: Spot
    stand: Any
    """A `Standing`."""


class Cover(Struct, frozen=True):
    """Something foreign that hides what is under or behind it: a cloth (flat), a sleeve or a mug."""

    x_mm: float
    y_mm: float
    radius_mm: float
    height_mm: float

    def solid(self) -> Floats:
        """Returns points (2 * ROUND, 3) of the upright cylinder that it fills."""
        turn = np.linspace(0, 2 * np.pi, ROUND, endpoint=False)
        ring = np.column_stack([self.x_mm + self.radius_mm * np.cos(turn), self.y_mm + self.radius_mm * np.sin(turn)])
        low, high = (np.column_stack([ring, np.full(ROUND, z)]) for z in (0.0, self.height_mm))
        return np.concatenate([low, high])


class View:
    """One camera over one table, and the numbers of what it sees."""

    def __init__(self, camera: Camera) -> None:
        self.shape = camera.size_px[1] // SHRINK, camera.size_px[0] // SHRINK
        """Height and width of every map."""
        self._camera = camera
        self._eye = camera.eye_mm()[:2]
        self._numbers: dict[Hashable, int] = {}
        self._hulls: dict[Any, list[tuple[int, Floats]]] = {}
        self._masks: dict[Any, Mask] = {}
        self._outlines: dict[Any, Mask] = {}
        self._rings: dict[Any, Mask] = {}

    def labels(self, things: Iterable[Thing], covers: Iterable[Cover] = ()) -> Labels:
        """Returns the map of a table: what is nearer to the camera hides what is farther away, and covers hide all."""
        painted = np.zeros(self.shape, np.int32)
        for stand in sorted((thing.stand for thing in things), key=self.distance_mm, reverse=True):
            for number, hull in self._levels(stand):
                cv2.fillConvexPoly(painted, hull, number)
        for cover in covers:
            cv2.fillConvexPoly(painted, self._hull(cover.solid()), -self._number(cover))
        return painted

    def mask(self, stand: Standing, since_level: int = 0) -> Mask:
        """Returns all that a thing would fill if nothing hid it, or its levels from one upward."""
        key = stand, since_level
        found = self._masks.get(key)
        if found is None:
            found = np.zeros(self.shape, np.uint8)
            for _, hull in self._levels(stand)[since_level:]:
                cv2.fillConvexPoly(found, hull, 1)
            self._masks[key] = found
        return found

    def outline(self, stand: Standing) -> Mask:
        """Returns all that a thing would fill, and a pixel around it."""
        found = self._outlines.get(stand)
        if found is None:
            found = self._outlines[stand] = dilated(self.mask(stand), 1)
        return found

    def ring(self, stand: Standing) -> Mask:
        """Returns the table around a thing."""
        found = self._rings.get(stand)
        if found is None:
            place = self.mask(stand)
            found = self._rings[stand] = dilated(place, RING_PX) - dilated(place, GAP_PX)
        return found

    def distance_mm(self, stand: Standing) -> float:
        """Returns how far a thing is from the point right below the camera: it hides what is farther away."""
        x, y = stand.place_mm
        return float(np.hypot(self._eye[0] - x, self._eye[1] - y))

    def visible(self, stand: Standing, labels: Labels) -> Mask:
        """Returns the part of a thing that a map shows."""
        numbers = [number for number, _ in self._levels(stand)]
        return np.asarray(np.isin(labels, numbers) & (self.mask(stand) > 0), np.uint8)

    def visible_share(self, stand: Standing, labels: Labels) -> float:
        """Returns how much of a thing a map shows, 0 to 1."""
        return int(self.visible(stand, labels).sum()) / max(int(self.mask(stand).sum()), 1)

    def _levels(self, stand: Any) -> list[tuple[int, Floats]]:
        """Number and outline of each piece of a stack; what stays when the stack grows keeps its number."""
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

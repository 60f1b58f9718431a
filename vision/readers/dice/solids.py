"""The exact shapes of dice in table space: a cube of 16 mm and a dodecahedron of 18 mm between opposite faces.

A die's top face is up to 18 mm nearer to the camera than the tray, which shifts it by several millimeters in a picture
from the side; so every face is a handful of points in millimeters (x, y, z up) that go through the pose of the camera.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Floats = NDArray[Any]


class Solid(Struct, frozen=True):
    """A die that lies flat: its first face is up, local x and y are parallel to the table's, and its center is at (0,
    0).
    """

    name: str
    height_mm: float
    corners: Floats
    """(corners, 3): millimeters, z up from the tray."""
    faces: tuple[tuple[int, ...], ...]
    """The corner indices of each face, counter-clockwise from outside; face k from the end is opposite to face k."""
    middles: Floats
    """(faces, 3): the middles of the faces in millimeters."""
    normals: Floats
    """(faces, 3): unit vectors pointing outwards."""
    turn_deg: float
    """The angle of a turn on the tray that leaves the shape unchanged."""
    inradius_mm: float
    """The distance from the middle of a face to its sides."""

    @property
    def sides(self) -> int:
        """The number of sides of a face."""
        return len(self.faces[0])

    def placed(self, points: Floats, x_mm: float, y_mm: float, yaw_deg: float) -> Floats:
        """Returns local points (..., 3) as table points; the yaw is counter-clockwise as seen from above, so y
        falls.
        """
        return np.asarray(turned(points, yaw_deg) + np.array([x_mm, y_mm, 0.0]))


def turned(points: Floats, yaw_deg: float) -> Floats:
    """Returns local points or directions (..., 3), turned about the upright axis."""
    cos, sin = math.cos(math.radians(yaw_deg)), math.sin(math.radians(yaw_deg))
    out = np.array(points, dtype=np.float64)
    out[..., 0] = points[..., 0] * cos + points[..., 1] * sin
    out[..., 1] = points[..., 1] * cos - points[..., 0] * sin
    return out


def _solid(name: str, corners: list[tuple[float, float, float]], faces: Sequence[tuple[int, ...]]) -> Solid:
    points = np.array(corners)
    height_mm = float(points[:, 2].max())
    middles = np.array([points[list(face)].mean(axis=0) for face in faces])
    outwards = middles - np.array([0.0, 0.0, height_mm / 2])
    normals = outwards / np.linalg.norm(outwards, axis=1, keepdims=True)
    first = points[list(faces[0])]
    inradius_mm = float(np.linalg.norm((first[0] + first[1]) / 2 - middles[0]))
    return Solid(name, height_mm, points, tuple(faces), middles, normals, 360.0 / len(faces[0]), inradius_mm)


def _ring(radius_mm: float, count: int, start_deg: float, z_mm: float) -> list[tuple[float, float, float]]:
    """Returns points that go counter-clockwise seen from above, so y falls first."""
    angles = [math.radians(start_deg + 360 * k / count) for k in range(count)]
    return [(radius_mm * math.cos(a), -radius_mm * math.sin(a), z_mm) for a in angles]


def cube(side_mm: float) -> Solid:
    """Returns a cube on its side.

    >>> cube(16.0).height_mm
    16.0
    """
    radius_mm = side_mm / math.sqrt(2)
    corners = _ring(radius_mm, 4, 45.0, side_mm) + _ring(radius_mm, 4, 45.0, 0.0)
    around = [(k, 4 + k, 4 + (k + 1) % 4, (k + 1) % 4) for k in range(4)]
    # Opposites stand at the same distance from both ends: top, two sides, the two sides opposite to them, bottom.
    faces = [(0, 1, 2, 3), around[0], around[1], around[3], around[2], (7, 6, 5, 4)]
    return _solid("cube", corners, faces)


def dodecahedron(height_mm: float) -> Solid:
    """Returns a dodecahedron on one of its faces.

    >>> round(dodecahedron(18.0).inradius_mm, 2)
    5.56
    """
    edge_mm = height_mm / math.sqrt((25 + 11 * math.sqrt(5)) / 10)
    small_mm = edge_mm / (2 * math.sin(math.pi / 5))
    wide_mm = small_mm * (1 + math.sqrt(5)) / 2
    half = height_mm / 2
    waist = half * (math.sqrt(5) - 2)
    corners = (
        _ring(small_mm, 5, 36.0, height_mm)
        + _ring(wide_mm, 5, 36.0, half + waist)
        + _ring(wide_mm, 5, 72.0, half - waist)
        + _ring(small_mm, 5, 72.0, 0.0)
    )
    upper = [(k, 5 + k, 10 + k, 5 + (k + 1) % 5, (k + 1) % 5) for k in range(5)]
    lower = [(15 + k, 15 + (k + 1) % 5, 10 + (k + 1) % 5, 5 + (k + 1) % 5, 10 + k) for k in range(5)]
    # The lower face that is opposite to upper face k lies half a turn away.
    opposite = [lower[(k + 2) % 5] for k in range(5)]
    faces = [(0, 1, 2, 3, 4), *upper, *reversed(opposite), (19, 18, 17, 16, 15)]
    return _solid("dodecahedron", corners, faces)


SIDE_MM = 16.0
"""The side of cubes with colors in millimeters; dice with pips come in other sizes, too."""
CUBE = cube(SIDE_MM)
DODECAHEDRON = dodecahedron(18.0)

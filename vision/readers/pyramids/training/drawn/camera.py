"""Random webcams over a mat, the rays of their pixels, and the walls of hollow pyramids that each ray meets.

Plastic walls are thin, so light goes straight through them; refraction at this size moves it by less than a pixel.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.plan import Mat

Floats = NDArray[Any]
Ints = NDArray[np.intp]

_FACES = ((0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4), (0, 1, 2))
BASE = 4
"""Number of the open base among the faces."""


class TracedSolid(NamedTuple):
    """Planes of one pyramid: a point p is inside where normals @ p <= offsets."""

    normals: Floats
    """(5, 3) outward."""
    offsets: Floats
    """(5,)"""


class Walls(NamedTuple):
    """Walls that rays cross, nearest first; rays without so many have `distance` inf there."""

    distance: Floats
    """(rays, K) millimeters."""
    piece: Ints
    """(rays, K) number of the piece."""
    face: Ints
    """(rays, K) number of the face."""


def solid(points_mm: Floats) -> TracedSolid:
    """From the five points of a pyramid: four corners of its base and the tip."""
    middle = points_mm.mean(axis=0)
    normals, offsets = np.empty((5, 3)), np.empty(5)
    for k, (a, b, c) in enumerate(_FACES):
        normal = np.cross(points_mm[b] - points_mm[a], points_mm[c] - points_mm[a])
        normal /= np.linalg.norm(normal)
        if normal @ (middle - points_mm[a]) > 0:
            normal = -normal
        normals[k], offsets[k] = normal, normal @ points_mm[a]
    return TracedSolid(normals, offsets)


def crossings(solids: Sequence[TracedSolid], origin: Floats, rays: Floats) -> Walls:
    """Returns the walls that each of `rays` (N, 3) from `origin` (3,) meets; the open bases are no walls."""
    count = len(rays)
    distance = np.full((count, 2 * len(solids)), np.inf)
    face = np.zeros((count, 2 * len(solids)), np.intp)
    for k, one in enumerate(solids):
        slope = rays @ one.normals.T
        gap = one.offsets - one.normals @ origin
        with np.errstate(divide="ignore", invalid="ignore"):
            where = gap / slope
        beside = (slope == 0) & (gap < 0)
        into = np.where(slope < 0, where, np.where(beside, np.inf, -np.inf))
        out = np.where(slope > 0, where, np.inf)
        first, last = into.argmax(axis=1), out.argmin(axis=1)
        near, far = into.max(axis=1), out.min(axis=1)
        hit = near < far
        for side, (at, which) in enumerate(((near, first), (far, last))):
            wall = hit & (which != BASE)
            distance[wall, 2 * k + side] = at[wall]
            face[:, 2 * k + side] = which
    order = np.argsort(distance, axis=1)
    depth = int(np.isfinite(distance).sum(axis=1).max(initial=0))
    order = order[:, :depth]
    return Walls(np.take_along_axis(distance, order, 1), order // 2, np.take_along_axis(face, order, 1))


WIDTH, HEIGHT = 1280, 720


class DrawnCamera:
    """A pinhole with a little distortion; table space has z up, OpenCV's frame here has it down."""

    def __init__(self, matrix: Floats, dist: Floats, rotation: Floats, place_mm: Floats) -> None:
        self.matrix, self.dist, self.rotation, self.place_mm = matrix, dist, rotation, place_mm
        self._rvec = cv2.Rodrigues(rotation)[0]
        self._tvec = -rotation @ (place_mm * (1, 1, -1))

    def project(self, points_mm: Floats) -> Floats:
        """Table millimeters (N, 3) to pixels (N, 2)."""
        flipped = np.asarray(points_mm, dtype=np.float64).reshape(-1, 3) * (1, 1, -1)
        pixels, _ = cv2.projectPoints(flipped, self._rvec, self._tvec, self.matrix, self.dist)
        return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)

    def rays(self, pixels: Floats) -> Floats:
        """(N, 3) unit directions in table space of pixels (N, 2)."""
        points = cv2.undistortPoints(pixels.reshape(-1, 1, 2).astype(np.float64), self.matrix, self.dist).reshape(-1, 2)
        along = np.column_stack([points, np.ones(len(points))]) @ self.rotation
        along[:, 2] *= -1
        return np.asarray(along / np.linalg.norm(along, axis=1, keepdims=True))

    def unproject(self, pixels: Floats, z_mm: float = 0.0) -> Floats:
        """(N, 2) table millimeters, at a height over the table, of pixels (N, 2)."""
        rays = self.rays(np.asarray(pixels))
        return np.asarray((self.place_mm + rays * ((z_mm - self.place_mm[2]) / rays[:, 2:]))[:, :2])


def random_camera(mat: Mat, random: np.random.Generator) -> DrawnCamera:
    """A camera that sees the whole mat, from straight above to 50 degrees from it."""
    overhead = random.random() < 0.5
    tilt = math.radians(random.uniform(0, 16) if overhead else random.uniform(16, 52))
    bearing = random.uniform(0, 2 * math.pi) if overhead and random.random() < 0.3 else random.normal(0, 0.3)
    focal = random.uniform(830, 1120)
    matrix = np.array([[focal, 0, (WIDTH - 1) / 2], [0, focal, (HEIGHT - 1) / 2], [0, 0, 1.0]])
    dist = np.array([random.uniform(-0.12, 0.05), random.uniform(-0.01, 0.01), 0, 0, 0])
    middle = np.array([mat.width_mm / 2, mat.height_mm / 2, 0.0]) + np.append(random.normal(0, 15, 2), 0)
    away = np.array([math.sin(tilt) * math.sin(bearing), math.sin(tilt) * math.cos(bearing), math.cos(tilt)])
    corners = np.column_stack([np.array(mat.corners_mm()), np.zeros(4)])
    distance = random.uniform(660, 900)
    roll = random.normal(0, 0.12)
    while True:
        camera = aimed(matrix, dist, middle + away * distance, middle, roll)
        seen = camera.project(corners)
        if (seen > 30).all() and (seen < (WIDTH - 30, HEIGHT - 30)).all():
            return camera
        distance *= 1.03


def aimed(matrix: Floats, dist: Floats, place: Floats, target: Floats, roll: float) -> DrawnCamera:
    """A camera at `place` that looks at `target`; the far side of the table is up, but for `roll` (radians)."""
    flip = np.array([1, 1, -1])
    ahead = (target - place) * flip
    ahead /= np.linalg.norm(ahead)
    far = np.array([0.0, -1.0, 0.0])
    down = -(far - ahead * (far @ ahead))
    down /= np.linalg.norm(down)
    right = np.cross(down, ahead)
    turned_right = math.cos(roll) * right + math.sin(roll) * down
    turned_down = math.cos(roll) * down - math.sin(roll) * right
    return DrawnCamera(matrix, dist, np.stack([turned_right, turned_down, ahead]), place)

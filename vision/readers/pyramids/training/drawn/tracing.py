"""Straight rays through hollow pyramids: which walls a pixel sees, one behind the other.

Plastic walls are thin, so light goes straight through them; what refraction does at this size is below a pixel.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
    """Walls along each of `rays` (N, 3) from `origin` (3,); the open bases are no walls."""
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

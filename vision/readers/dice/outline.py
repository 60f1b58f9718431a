"""Finds top faces: matches outlines at their height, first everywhere, then ever finer.

All sides of a face must be visible, so the weakest side counts as much as the mean of all; a corner of a shadow or a
line of wood matches only one or two sides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.readers.dice.plane import Plane
from vision.readers.dice.solids import Floats, Solid, turned

Pixels = NDArray[np.int64]

_COARSE_STEP_DEG = 7.5
_GRID_MM = 2.0
_POINTS = 5
"""The number of places examined along a side."""
_ALONG = 0.8
"""The straight share of a side, since the corners of dice are round."""
_INSET_MM = 0.2
"""The distance in millimeters by which rounded edges appear inside of where flat faces would meet."""
_BUSY = 1.5
"""The factor by which a die's surroundings change more than the quiet tray."""
_BUSY_FLOOR = 0.03
_STRONG_EDGE = 0.25
_APART_MM = 6.0


class DiePlace(Struct, frozen=True):
    """A die's place, and the clearness of its top face's outline there, 0 to 1."""

    x_mm: float
    y_mm: float
    yaw_deg: float
    score: float


def _outline(solid: Solid) -> tuple[Floats, Floats]:
    """Returns local points (sides, points, 2) along the sides of the top face, and the sides' normals (sides, 2)."""
    angles = np.arctan2(solid.normals[1:-1, 1], solid.normals[1:-1, 0])[solid.normals[1:-1, 2] > -0.1]
    normals = np.column_stack([np.cos(angles), np.sin(angles)])
    half = solid.inradius_mm * math.tan(math.pi / solid.sides) * _ALONG
    along = np.column_stack([-normals[:, 1], normals[:, 0]])
    steps = np.linspace(-half, half, _POINTS)
    points = normals[:, None] * (solid.inradius_mm - _INSET_MM) + along[:, None] * steps[:, None]
    return points, normals


def seeds(plane: Plane, solids: Sequence[Solid], least: float, at_most: int) -> list[list[DiePlace]]:
    """Returns, for each solid, places where its top face may lie, the clearest first, no two close together."""
    small = plane.halved()
    middles = _busy(small)
    if not len(middles):
        return [[] for _ in solids]
    axes = _axes(small)
    return [
        _apart(small.places(middles), *_best_turns(small, axes, solid, middles), least, at_most) for solid in solids
    ]


def _axes(small: Plane) -> Floats:
    """Returns (axes, H, W): the clearness of a line across each direction of half a turn, in equal steps."""
    tensor = small.tensor
    images = []
    for angle in np.radians(np.arange(0.0, 180.0, _COARSE_STEP_DEG)):
        nx, ny = math.cos(angle), -math.sin(angle)
        images.append(_clear(cv2.transform(tensor, np.array([[nx * nx, 2 * nx * ny, ny * ny]])), small.quiet))
    return np.array(images, np.float32)


def _best_turns(small: Plane, axes: Floats, solid: Solid, middles: Pixels) -> tuple[Floats, Floats]:
    """Returns the best yaw at each of the pixels (N, 2), and its score."""
    points, normals = _outline(solid)
    height, width = axes.shape[1:]
    flat = axes.reshape(-1)
    base = middles[:, 1] * width + middles[:, 0]
    best = np.full(len(middles), -1.0, np.float32)
    turn = np.zeros(len(middles))
    first = np.degrees(np.arctan2(-normals[:, 1], normals[:, 0]))
    for yaw in np.arange(0.0, solid.turn_deg - 1e-6, _COARSE_STEP_DEG):
        at = np.round(turned(points, yaw) * small.scale).astype(np.int64)
        axis = np.round((first + yaw) / _COARSE_STEP_DEG).astype(np.int64) % len(axes)
        offsets = axis[:, None] * (height * width) + at[..., 1] * width + at[..., 0]
        sides = np.stack([flat[offset[:, None] + base].sum(axis=0) for offset in offsets]) / np.float32(_POINTS)
        score = _together(sides)
        better = score > best
        best[better] = score[better]
        turn[better] = yaw
    return turn, best


def busy_places(small: Plane) -> Floats:
    """Returns (N, 2): table places around which colors vary much, the busiest first, no two close together."""
    middles = _busy(small)
    if not len(middles):
        return np.empty((0, 2))
    edges = np.minimum(np.sqrt(np.maximum(small.tensor[..., 0] + small.tensor[..., 2], 0)), _STRONG_EDGE)
    side = round(20 * small.scale) | 1
    mean = cv2.boxFilter(edges, -1, (side, side))[middles[:, 1], middles[:, 0]]
    found = _apart(small.places(middles), np.zeros(len(middles)), mean, _BUSY_FLOOR, len(middles))
    return np.array([(one.x_mm, one.y_mm) for one in found]).reshape(-1, 2)


def _busy(small: Plane) -> Pixels:
    """Returns (N, 2): pixels of a grid around which colors vary much, far enough from the border for any outline."""
    edges = np.sqrt(np.maximum(small.tensor[..., 0] + small.tensor[..., 2], 0))
    side = round(20 * small.scale) | 1
    mean = cv2.boxFilter(np.minimum(edges, _STRONG_EDGE), -1, (side, side))
    step = round(_GRID_MM * small.scale)
    border = math.ceil(13 * small.scale)
    grid = mean[border:-border:step, border:-border:step]
    quiet = float(np.median(mean))
    # Places without any change are hidden markers.
    shown = small.tensor[border:-border:step, border:-border:step].any(axis=2)
    rows, columns = np.nonzero((grid > max(_BUSY * quiet, _BUSY_FLOOR)) & shown)
    return np.column_stack([columns, rows]) * step + border


def _clear(change: Floats, quiet: float) -> Floats:
    """Returns the squared change across a line as a clearness from 0 (none) to 1 (strong)."""
    size = np.sqrt(np.maximum(change, 0))
    return np.asarray(size / (size + quiet))


def _together(sides: Floats) -> Floats:
    """Returns the clearness of the whole from the clearness of each side (sides, N)."""
    return np.asarray(0.5 * sides.mean(axis=0) + 0.5 * sides.min(axis=0))


def _apart(places: Floats, turn: Floats, score: Floats, least: float, at_most: int) -> list[DiePlace]:
    found: list[DiePlace] = []
    order = np.argsort(-score)
    left = score >= least
    for i in order:
        if not left[i]:
            continue
        found.append(DiePlace(float(places[i, 0]), float(places[i, 1]), float(turn[i]), float(score[i])))
        if len(found) == at_most:
            break
        left &= np.hypot(*(places - places[i]).T) > _APART_MM
    return found


def score_places(plane: Plane, solid: Solid, places: Floats) -> Floats:
    """Returns (N,): the clearness of the top face's outline at places (N, 3): x, y in millimeters, yaw in degrees."""
    if not len(places):
        return np.empty(0)
    points, normals = (values.astype(np.float32) for values in _outline(solid))
    places = places.astype(np.float32)
    cos, sin = np.cos(np.radians(places[:, 2])), np.sin(np.radians(places[:, 2]))
    x = points[..., 0] * cos[:, None, None] + points[..., 1] * sin[:, None, None] + places[:, 0, None, None]
    y = points[..., 1] * cos[:, None, None] - points[..., 0] * sin[:, None, None] + places[:, 1, None, None]
    left, top = plane.corner_mm
    across = ((x - np.float32(left)) * np.float32(plane.scale)).reshape(len(places), -1)
    down = ((y - np.float32(top)) * np.float32(plane.scale)).reshape(len(places), -1)
    tensor = cv2.remap(plane.tensor, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    tensor = tensor.reshape(len(places), solid.sides, _POINTS, 3)
    nx = (normals[:, 0] * cos[:, None] + normals[:, 1] * sin[:, None])[..., None]
    ny = (normals[:, 1] * cos[:, None] - normals[:, 0] * sin[:, None])[..., None]
    change = tensor[..., 0] * nx * nx + 2 * tensor[..., 1] * nx * ny + tensor[..., 2] * ny * ny
    return _together(_clear(change, plane.quiet).mean(axis=2).T)


def clearness(plane: Plane, solid: Solid, places: Floats) -> Floats:
    """Returns (N,): the clearness of an outline near places (N, 3) that another method found."""
    if not len(places):
        return np.empty(0)
    tried = places[:, None] + _NEIGHBORS * (1.0, 1.0, 4.0)
    return np.asarray(score_places(plane, solid, tried.reshape(-1, 3)).reshape(len(places), -1).max(axis=1))


_STEPS = ((1.5, 6.0), (1.5, 6.0), (0.75, 3.0), (0.4, 1.5), (0.2, 0.8))
"""The steps of shifts in millimeters and turns in degrees, ever finer."""
_NEIGHBORS = np.array([(i, j, k) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)], dtype=np.float64)


def refined(plane: Plane, solid: Solid, starts: Sequence[DiePlace]) -> list[DiePlace]:
    """Returns, for each place, the one nearby with the clearest outline; all are moved together."""
    if not starts:
        return []
    here = np.array([[p.x_mm, p.y_mm, p.yaw_deg] for p in starts])
    best = np.full(len(here), -1.0)
    for step_mm, step_deg in _STEPS:
        tried = here[:, None] + _NEIGHBORS * (step_mm, step_mm, step_deg)
        scores = score_places(plane, solid, tried.reshape(-1, 3)).reshape(len(here), -1)
        k = scores.argmax(axis=1)
        here, best = tried[np.arange(len(here)), k], scores[np.arange(len(here)), k]
    return [
        DiePlace(float(x), float(y), float(yaw % solid.turn_deg), float(score))
        for (x, y, yaw), score in zip(here, best, strict=True)
    ]

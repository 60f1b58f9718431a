"""Samples the colors of a die's visible faces inside their rims.

A face is sampled through the pose at its true place, so its surroundings do not mix in. Values are linear light
relative to a white sheet on the tray, which removes the effect of lamp and camera.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.image.light import LINEAR
from vision.readers.dice.outline import DiePlace
from vision.readers.dice.plane import pixels_of
from vision.readers.dice.solids import CUBE, DODECAHEDRON, Floats, Solid
from vision.registration.registered_image import RegisteredImage

TOP_SHARE = 0.66
"""The share of a face that is sampled: rims take up to a quarter of the way from a face's sides to its middle."""
SIDE_SHARE = 0.6
_RINGS = ((0.35, 1), (0.7, 2), (1.0, 3))
"""The rings of samples: share of the way to the rim, and number of samples along each side."""
_UNEVEN = 0.5
"""The difference in logarithms of light from which a sample has another color than the face."""
_BURNT = 250
"""The level from which a camera shows only white."""
_MIRRORING = 1.25
"""The light relative to white, in every color, above which a face mirrors a lamp."""
_GLARE = 0.3
"""The light relative to white, in every color, above which a sample of a colored face is glare: all paints of dice
reflect less than a seventh in one color at least.
"""
_PAINT_RATIO = 2.0
"""The least ratio of the strongest to the weakest color in the rest of such a face; markers are black and white."""
_LEFT_BY_GLARE = 0.2
"""The least share of samples that glare must leave for the face's color to be read from them."""
_LITTLE_GLARE = 0.4
"""A smaller share of bright samples may be the table or another face; a median is not misled by it."""
LEAST_FACING = 0.15
"""The sine of the angle below which a face is too oblique to be evidence."""
FLOOR = 0.02
"""The number added before logarithms are taken, because darker light is noise."""


class Face(Struct, frozen=True):
    """A visible face."""

    number: int
    facing: float
    """The directness of the view: 1 from straight ahead, 0 from the side."""
    lights: Floats
    """(N, 3): linear light as B, G, R, relative to white."""
    color: Floats
    """(3,): the median of the lights."""
    spread: float
    """The spread of the lights around the median in logarithms, from 0 (one uniform color) to 1."""
    dazzled: float
    """The share of samples whose color is hidden by a mirrored lamp or by the camera's brightest white."""


@cache
def _samples(name: str) -> Floats:
    solid = {CUBE.name: CUBE, DODECAHEDRON.name: DODECAHEDRON}[name]
    grids = []
    for number in range(len(solid.faces)):
        corners = solid.corners[list(solid.faces[number])]
        share = TOP_SHARE if number == 0 else SIDE_SHARE
        points = [solid.middles[number]]
        for ring, per_side in _RINGS:
            for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
                along = a + (b - a) * (np.arange(per_side) / per_side)[:, None]
                points += list(solid.middles[number] + (along - solid.middles[number]) * ring * share)
        grids.append(np.array(points))
    return np.array(grids)


def samples_of(solid: Solid) -> Floats:
    """Returns (faces, samples, 3): local points, evenly spread inside the rims."""
    points = _samples(solid.name)
    return points if solid.name != CUBE.name else points * (solid.height_mm / CUBE.height_mm)


def seen_faces(table: RegisteredImage, solid: Solid, places: Sequence[DiePlace]) -> list[tuple[Face, ...]]:
    """Returns, for dice at some places, the faces that the camera sees, the top one first."""
    if not places:
        return []
    facing, lights, dazzled = _sampled(table, solid, np.array([[p.x_mm, p.y_mm, p.yaw_deg] for p in places]))
    logs = np.log(lights + FLOOR)
    shown = _without_glare(lights, logs)
    dazzled[shown < 1] = 0.0
    colors = np.exp(np.median(logs, axis=2)) - FLOOR
    spreads = spreads_of(logs) / shown
    return [
        tuple(
            Face(k, float(facing[n, k]), lights[n, k], colors[n, k], float(spreads[n, k]), float(dazzled[n, k]))
            for k in range(lights.shape[1])
            if k == 0 or facing[n, k] > LEAST_FACING
        )
        for n in range(len(places))
    ]


def unevenness(table: RegisteredImage, solid: Solid, places: Floats) -> Floats:
    """Returns (N,): the unevenness of faces at places (N, 3), with most weight on the top one; 0 is perfect."""
    if not len(places):
        return np.empty(0)
    facing, lights, _ = _sampled(table, solid, places, 2)
    logs = np.log(lights + FLOOR)
    shown = _without_glare(lights, logs)
    spreads = spreads_of(logs) / shown
    weights = np.where(facing > LEAST_FACING, facing, 0.0)[:, 1:]
    sides = (spreads[:, 1:] * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-3)
    return np.asarray(spreads[:, 0] + 0.5 * sides)


def _without_glare(lights: Floats, logs: Floats) -> Floats:
    """Overwrites the glare on colored faces (N, faces, samples, 3), in the logarithms of their lights, with the color
    of the rest of each face.

    Returns (N, faces): the share of each face that glare leaves; 1 for faces without glare and without color.
    """
    shown = np.minimum(np.minimum(lights[..., 0], lights[..., 1]), lights[..., 2]) <= _GLARE
    count = shown.sum(axis=2)
    size = shown.shape[2]
    glaring = (count >= _LEFT_BY_GLARE * size) & (count <= (1 - _LITTLE_GLARE) * size)
    here, left = logs[glaring], shown[glaring]
    ranked = np.sort(np.where(left[..., None], here, np.inf), axis=1)
    rest = ranked[np.arange(len(ranked)), (count[glaring] - 1) // 2]
    lit = np.exp(rest) - FLOOR
    painted = lit.max(axis=1) > _PAINT_RATIO * lit.min(axis=1)
    glaring[glaring] = painted
    logs[glaring] = np.where(left[painted, :, None], here[painted], rest[painted, None])
    return np.where(glaring, count / size, 1.0)


def spreads_of(logs: Floats) -> Floats:
    """Returns (..., faces): spreads from logarithms of light (..., faces, samples, 3)."""
    off = np.abs(logs - np.median(logs, axis=-2, keepdims=True))
    off = (off[..., 0] + off[..., 1] + off[..., 2]) / 3
    return np.asarray(np.minimum(off / _UNEVEN, 1.0).mean(axis=-1))


def _sampled(table: RegisteredImage, solid: Solid, places: Floats, step: int = 1) -> tuple[Floats, Floats, Floats]:
    """Returns for places (N, 3) and the faces that may be seen: facing (N, faces), lights (N, faces, samples, 3),
    dazzled.

    Only every `step`-th sample is looked at.
    """
    grids = samples_of(solid)[: 1 + solid.sides, ::step]
    count = len(grids)
    turns = np.radians(places[:, 2])
    cos, sin = np.cos(turns)[:, None], np.sin(turns)[:, None]

    def turned(points: Floats) -> Floats:
        flat = points.reshape(-1, 3)
        x = flat[:, 0] * cos + flat[:, 1] * sin
        y = flat[:, 1] * cos - flat[:, 0] * sin
        return np.stack([x, y, np.broadcast_to(flat[:, 2], x.shape)], axis=-1).reshape(len(places), *points.shape)

    shift = np.column_stack([places[:, :2], np.zeros(len(places))])
    ahead = table.pose.eye_mm() - (turned(solid.middles[:count]) + shift[:, None])
    facing = (ahead * turned(solid.normals[:count])).sum(axis=2) / np.linalg.norm(ahead, axis=2)
    levels = levels_at(table, (turned(grids) + shift[:, None, None]).reshape(-1, 3))
    levels = levels.reshape(len(places), *grids.shape)
    white = table.light.white(places[:, :2])[:, None, None]
    lights = LINEAR[levels] / white
    lost = (levels.min(axis=3) >= _BURNT) | (lights.min(axis=3) > _MIRRORING)
    return facing, lights, lost.mean(axis=2)


def levels_at(table: RegisteredImage, points_mm: Floats) -> NDArray[np.uint8]:
    """Returns (N, 3): levels of the picture at table points (N, 3); black outside of it."""
    pixels = pixels_of(table.pose, points_mm)
    parts = [
        cv2.remap(table.picture, part[None, :, 0], part[None, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        for part in np.array_split(pixels, len(pixels) // 30000 + 1)
    ]
    return np.concatenate([np.asarray(part, np.uint8).reshape(-1, 3) for part in parts])

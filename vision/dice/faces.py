"""The colors of a die's faces: each face that the camera sees, sampled inside of its rim.

A face is sampled through the pose where it is, so what is beside it never mixes in. Values are linear light in shares
of what a white sheet on the tray sends back, which takes lamp and camera out of them.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from msgspec import Struct

from vision.dice.outline import Place
from vision.dice.solids import CUBE, DODECAHEDRON, Floats, Solid, turned
from vision.light import LINEAR
from vision.table import Table

TOP_SHARE = 0.66
"""Rims are up to a quarter of the way from a face's sides to its middle wide."""
SIDE_SHARE = 0.6
_RINGS = (0.15, 0.4, 0.6, 0.8, 1.0)
LEAST_FACING = 0.15
"""Faces that are seen at a flatter angle (sine) tell nothing."""
FLOOR = 0.02
"""Added before logarithms are taken: darker is noise."""


class Face(Struct, frozen=True):
    """One face as it is seen."""

    number: int
    facing: float
    """How squarely it is seen: 1 from straight ahead, 0 from the side."""
    lights: Floats
    """(N, 3) linear light, B, G, R, in shares of white's."""
    color: Floats
    """(3,) their median."""
    spread: float
    """How much they differ from it, 0 (one even color) to 1, in logarithms."""
    dazzled: float
    """Share of the samples at which the camera saw nothing but its brightest white."""


@cache
def _grids(name: str) -> tuple[Floats, ...]:
    """Local sample points (N, 3) of each face of a solid, evenly spread over what lies inside of the rim."""
    solid = {CUBE.name: CUBE, DODECAHEDRON.name: DODECAHEDRON}[name]
    grids = []
    for number, face in enumerate(solid.faces):
        corners = solid.corners[list(face)]
        share = TOP_SHARE if number == 0 else SIDE_SHARE
        points = []
        for ring in _RINGS:
            per_side = max(1, round(ring * (20 / solid.sides if number == 0 else 12 / solid.sides)))
            for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
                for step in range(per_side):
                    along = a + (b - a) * (step / per_side)
                    points.append(solid.middles[number] + (along - solid.middles[number]) * ring * share)
        grids.append(np.array(points))
    return tuple(grids)


def seen_faces(table: Table, solid: Solid, place: Place) -> list[Face]:
    """The faces that a die at a place turns to the camera, the top one first."""
    yaw = place.yaw_deg
    middles = solid.placed(solid.middles, place.x_mm, place.y_mm, yaw)
    normals = turned(solid.normals, yaw)
    ahead = table.pose.eye_mm() - middles
    facing = (ahead * normals).sum(axis=1) / np.linalg.norm(ahead, axis=1)
    numbers = [0, *(k for k in range(1, len(facing)) if facing[k] > LEAST_FACING)]
    grids = _grids(solid.name)
    points = solid.placed(np.concatenate([grids[k] for k in numbers]), place.x_mm, place.y_mm, yaw)
    levels = _levels(table, points)
    white = table.light.white(np.array([[place.x_mm, place.y_mm]]))[0]
    faces = []
    at = 0
    for k in numbers:
        part = levels[at : at + len(grids[k])]
        at += len(grids[k])
        lights = LINEAR[part] / white
        logs = np.log(lights + FLOOR)
        middle = np.median(logs, axis=0)
        off = np.abs(logs - middle).mean(axis=1)
        faces.append(
            Face(
                k,
                float(facing[k]),
                lights,
                np.exp(middle) - FLOOR,
                float(np.minimum(off / 0.5, 1.0).mean()),
                float((part.min(axis=1) >= 250).mean()),
            )
        )
    return faces


def _levels(table: Table, points_mm: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """(N, 3) levels of the picture at table points (N, 3); black outside of it."""
    pixels = table.pose.project(points_mm).astype(np.float32).reshape(1, -1, 2)
    levels = cv2.remap(table.picture, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(levels, dtype=np.uint8).reshape(-1, 3)

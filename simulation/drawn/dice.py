"""Draws Spectrum dice on a table: cubes and dodecahedra with plain colored faces and light edges, flat or leaning.

Their shapes and colorings are those of `vision.readers.dice`; plastic and light are defined here.
"""

from __future__ import annotations

import cv2
import numpy as np
from msgspec import Struct

from companion.core.pieces import WHEEL, Die
from simulation.drawn.camera import Floats
from simulation.drawn.canvas import Canvas
from simulation.drawn.facets import Facet, paint
from simulation.drawn.tabletop import linear
from vision.readers.dice.naming import colorings
from vision.readers.dice.solids import CUBE, DODECAHEDRON, Solid

COLORS = {
    "red": (206, 30, 36),
    "red-orange": (232, 92, 44),
    "orange": (245, 146, 34),
    "orange-yellow": (248, 190, 48),
    "yellow": (248, 232, 38),
    "yellow-green": (146, 208, 44),
    "green": (34, 148, 66),
    "green-blue": (28, 150, 150),
    "blue": (36, 84, 200),
    "blue-purple": (84, 66, 178),
    "purple": (134, 52, 168),
    "purple-red": (184, 44, 112),
}
"""The plastic of each color in sRGB."""
EDGE = (0.72, 0.74, 0.74)
_INNER = 0.86
"""The colored share of a face; the rest is its light edge."""


class LyingDie(Struct, frozen=True):
    """A die on the table; x and y are its middle."""

    die: Die
    x_mm: float
    y_mm: float
    yaw_deg: float = 0.0
    lean_deg: float = 0.0
    """The angle by which it leans on something, so that no face is up."""

    @property
    def solid(self) -> Solid:
        """The shape of the die."""
        return DODECAHEDRON if self.die.kind == "spectrum-d12" else CUBE

    def placed(self) -> tuple[Floats, Floats]:
        """Returns the corners (N, 3) in table millimeters, and the rotation matrix (3, 3)."""
        solid = self.solid
        turn = np.asarray(cv2.Rodrigues(np.array([0.0, 0.0, -np.radians(self.yaw_deg)]))[0])
        lean = np.asarray(cv2.Rodrigues(np.radians(self.lean_deg) * np.array([0.8, 0.6, 0.0]))[0])
        rotation = lean @ turn
        points = (solid.corners - (0, 0, solid.height_mm / 2)) @ rotation.T
        return points + np.array([self.x_mm, self.y_mm, -points[:, 2].min()]), rotation


def draw_shadow(canvas: Canvas, die: LyingDie) -> None:
    """Draws the die's shadow on the table."""
    corners, _ = die.placed()
    canvas.darken(canvas.shadow(corners))
    foot = corners * (1, 1, 0)
    canvas.darken(canvas.dimness(cv2.convexHull(foot[:, :2].astype(np.float32)).reshape(-1, 2) @ np.eye(2, 3), 0.25))


def draw_die(canvas: Canvas, die: LyingDie) -> None:
    """Draws the die without its shadow."""
    corners, rotation = die.placed()
    solid = die.solid
    ways = colorings(solid.name)
    way = ways[ways[:, 0] == WHEEL.index(str(die.die.face))][0]
    rims, faces = [], []
    for number, face in enumerate(solid.faces):
        points = corners[list(face)]
        middle = points.mean(0)
        normal = rotation @ solid.normals[number]
        rims.append(Facet(points, normal, EDGE))
        color = linear(np.array(COLORS[WHEEL[way[number]]][::-1]))
        faces.append(Facet(middle + _INNER * (points - middle), normal, tuple(map(float, color))))
    paint(canvas, [facet for pair in zip(rims, faces, strict=True) for facet in pair])

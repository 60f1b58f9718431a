"""The order of colors around a Spectrum die.

Opposite faces are opposite on the wheel (BRD-1). Dice of one make also agree in their neighbors; then the visible side
faces determine the top one, even where a lamp dazzles.
"""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.core.pieces import WHEEL
from vision.readers.dice.solids import CUBE, DODECAHEDRON, Solid

Ints = NDArray[np.int64]

CUBE_SIDES = ("red", ("blue", "purple", "orange", "yellow"))
"""A top color of the six-sided die and what lies around it, counter-clockwise seen from above."""

DODECAHEDRON_SIDES = ("purple", ("yellow-green", "blue", "green", "green-blue", "orange-yellow"))
"""The same for the five faces next to a face of the twelve-sided die."""


def opposite(color: str) -> str:
    """The color six places on."""
    return WHEEL[(WHEEL.index(color) + 6) % 12]


def faces_of(solid: Solid) -> tuple[str, ...]:
    """Colors of a solid's faces, with the top color of the tables above up and the first of its neighbors at face 1."""
    top, around = CUBE_SIDES if solid.sides == 4 else DODECAHEDRON_SIDES
    colors = [""] * len(solid.faces)
    colors[0] = top
    for face, color in zip(_around(solid), around, strict=True):
        colors[face] = color
    for face, color in enumerate(colors):
        if color:
            colors[len(colors) - 1 - face] = opposite(color)
    return tuple(colors)


def _around(solid: Solid) -> list[int]:
    """The faces next to the top one, counter-clockwise seen from above, from face 1 on."""
    angles = np.arctan2(-solid.normals[:, 1], solid.normals[:, 0])
    beside = [k for k in range(1, len(solid.faces) - 1) if solid.normals[k, 2] > -0.1]
    return sorted(beside, key=lambda k: (angles[k] - angles[1]) % (2 * np.pi) % (2 * np.pi - 1e-6))


def turns_of(solid: Solid) -> Ints:
    """(turns, faces): every way to lay the solid onto itself; entry f is the face that comes to where face f was."""
    found = []
    normals = solid.normals
    for top, ahead in itertools.permutations(range(len(normals)), 2):
        if abs(float(normals[top] @ normals[ahead]) - float(normals[0] @ normals[1])) > 1e-6:
            continue
        old = _frame(normals[0], normals[1])
        new = _frame(normals[top], normals[ahead])
        moved = normals @ old @ new.T
        found.append(np.argmax(moved @ normals.T, axis=1))
    return np.array(found, dtype=np.int64)


def _frame(up: NDArray[np.float64], ahead: NDArray[np.float64]) -> NDArray[np.float64]:
    """(3, 3) right-angled unit vectors as columns."""
    across = np.cross(up, ahead)
    across /= np.linalg.norm(across)
    return np.column_stack([up, across, np.cross(across, up)])


@cache
def colorings(name: str) -> Ints:
    """(turns, faces) places on the wheel of a solid's faces, for each way that it can lie on the same outline."""
    solid = {CUBE.name: CUBE, DODECAHEDRON.name: DODECAHEDRON}[name]
    wheel = np.array([WHEEL.index(color) for color in faces_of(solid)])
    return np.asarray(wheel[turns_of(solid)])

"""Determines the upper color from top face and side faces, over every orientation of a die, for all dice together.

Side faces vote through the die's coloring. Dice of another make may be colored differently, so a vote against is never
a veto. The brightness of the lamp beyond the camera's range is the same for all dice of a picture.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from companion.core.pieces import WHEEL
from companion.core.plan import Point
from vision.readers.dice.candidates import DieCandidate
from vision.readers.dice.palette import GAINS, Palette, clip_of
from vision.readers.dice.solids import CUBE, DODECAHEDRON, Floats, Solid
from vision.registration.registered_image import RegisteredImage

# The order of colors around a Spectrum die.
#
# Opposite faces are opposite on the wheel (BRD-1). Dice of one make also agree in their neighbors; then the visible
# side faces determine the top one, even where a lamp dazzles.

Ints = NDArray[np.int64]

CUBE_SIDES = ("red", ("blue", "purple", "orange", "yellow"))
"""A top color of the six-sided die with the colors around it, counter-clockwise as seen from above."""

DODECAHEDRON_SIDES = ("purple", ("yellow-green", "blue", "green", "green-blue", "orange-yellow"))
"""A face of the twelve-sided die with the five faces next to it."""


def opposite(color: str) -> str:
    """Returns the color six places on."""
    return WHEEL[(WHEEL.index(color) + 6) % 12]


def faces_of(solid: Solid) -> tuple[str, ...]:
    """Returns the colors of a solid's faces, with the top color of the tables above on top and its first neighbor at
    face 1.
    """
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
    """Returns the faces next to the top one, counter-clockwise seen from above, from face 1 on."""
    angles = np.arctan2(-solid.normals[:, 1], solid.normals[:, 0])
    beside = [k for k in range(1, len(solid.faces) - 1) if solid.normals[k, 2] > -0.1]
    return sorted(beside, key=lambda k: (angles[k] - angles[1]) % (2 * np.pi) % (2 * np.pi - 1e-6))


def turns_of(solid: Solid) -> Ints:
    """Returns (turns, faces): every rotation of the solid onto itself; entry f is the face that comes to the place of
    face f.
    """
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
    """Returns (3, 3): orthonormal vectors as columns."""
    across = np.cross(up, ahead)
    across /= np.linalg.norm(across)
    return np.column_stack([up, across, np.cross(across, up)])


@cache
def colorings(name: str) -> Ints:
    """Returns (turns, faces): wheel indices of a solid's face colors, for each orientation with the same outline."""
    solid = {CUBE.name: CUBE, DODECAHEDRON.name: DODECAHEDRON}[name]
    wheel = np.array([WHEEL.index(color) for color in faces_of(solid)])
    return np.asarray(wheel[turns_of(solid)])


_GAIN_PRIOR = np.array([-1.5, 0.0, -0.7, -1.5, -2.5, -3.5])
_OTHER_MAKE = 0.05
"""The share of side faces that differ from the coloring, for any reason."""


def bounds_of_white(table: RegisteredImage, at_mm: Point) -> Floats:
    """Returns (3,): the brightest light that the camera shows at a place, relative to white."""
    return clip_of(table.light.white(np.array([at_mm]))[0])


class Colors:
    """The evidence of a candidate's faces about its colors, for each gain."""

    def __init__(self, table: RegisteredImage, candidate: DieCandidate, palette: Palette) -> None:
        self._ways = colorings(candidate.solid.name)
        self._palette = palette
        self._faces = candidate.faces
        self._clip = bounds_of_white(table, (candidate.place.x_mm, candidate.place.y_mm))
        self.top = palette.top(candidate.faces[0], self._clip)
        """(gains, 12): the log likelihood of the top face."""

    @cached_property
    def _sides(self) -> list[tuple[int, float, Floats]]:
        """The number, directness and log likelihood (gains, 12) of each side face."""
        return [(face.number, face.facing, self._palette.side(face, self._clip)) for face in self._faces[1:]]

    def fit(self) -> tuple[float, float]:
        """Returns log likelihoods of the top face and of the average side face, for the best coloring."""
        sides = np.zeros((len(GAINS), len(self._ways)))
        weight = sum(facing for _, facing, _ in self._sides)
        for number, facing, likely in self._sides:
            sides += facing * np.logaddexp(likely, -6.0)[:, self._ways[:, number]]
        top = self.top[:, self._ways[:, 0]]
        gain, way = np.unravel_index(int((top + sides).argmax()), top.shape)
        return float(top[gain, way]), float(sides[gain, way]) / max(weight, 0.1)

    def ways(self) -> Floats:
        """Returns (gains, ways): the log likelihood of all faces for each orientation of the die."""
        total = self.top[:, self._ways[:, 0]].copy()
        for number, _, likely in self._sides:
            share = np.exp(likely - np.logaddexp.reduce(likely, axis=1)[:, None]) * likely.shape[1]
            total += np.log(_OTHER_MAKE + (1 - _OTHER_MAKE) * share)[:, self._ways[:, number]]
        return np.asarray(total - np.log(len(self._ways)))

    def tops(self, gains: Floats) -> Floats:
        """Returns (12,): the probability of each color to be up, given log weights (gains,) from the other dice."""
        ways = np.logaddexp.reduce(self.ways() + gains[:, None], axis=0)
        chances = np.zeros(12)
        np.add.at(chances, self._ways[:, 0], np.exp(ways - ways.max()))
        return np.asarray(chances / chances.sum())


def top_chances(dice: Sequence[Colors]) -> list[Floats]:
    """Returns for each die of one picture (12,) the probability of each color to be up."""
    alone = [np.logaddexp.reduce(die.ways(), axis=1) for die in dice]
    gains = _GAIN_PRIOR + sum(alone, start=np.zeros(len(GAINS)))
    return [die.tops(gains - own) for die, own in zip(dice, alone, strict=True)]

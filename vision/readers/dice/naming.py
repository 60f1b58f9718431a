"""Which color is up: top face and side faces together, over every way that a die can lie, for all dice at once.

Side faces vote through the die's coloring. Dice of another make may be colored otherwise, so a vote against is never
a veto. How bright the lamp is beyond what the camera shows is the same for all dice of a picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from companion.core.plan import Point
from vision.readers.dice.candidates import DieCandidate
from vision.readers.dice.colorings import colorings
from vision.readers.dice.palette import GAINS, Palette, clip_of
from vision.readers.dice.solids import Floats
from vision.registration.registered_image import RegisteredImage

_GAIN_PRIOR = np.array([-1.5, 0.0, -0.7, -1.5, -2.5, -3.5])
_OTHER_MAKE = 0.05
"""The share of side faces that differ from the coloring, for any reason."""


def bounds_of_white(table: RegisteredImage, at_mm: Point) -> Floats:
    """(3,) the brightest light that the camera shows at a place, in shares of white's."""
    return clip_of(table.light.white(np.array([at_mm]))[0])


class Colors:
    """The evidence of a candidate's faces about its colors, for each gain."""

    def __init__(self, table: RegisteredImage, candidate: DieCandidate, palette: Palette) -> None:
        self._ways = colorings(candidate.solid.name)
        self._palette = palette
        self._faces = candidate.faces
        self._clip = bounds_of_white(table, (candidate.place.x_mm, candidate.place.y_mm))
        self.top = palette.top(candidate.faces[0], self._clip)
        """(gains, 12) log likelihood of the top face."""

    @cached_property
    def _sides(self) -> list[tuple[int, float, Floats]]:
        """Number, facing and log likelihood (gains, 12) of each side face."""
        return [(face.number, face.facing, self._palette.side(face, self._clip)) for face in self._faces[1:]]

    def fit(self) -> tuple[float, float]:
        """Log likelihoods of the top face and, on average, of a side face, for the coloring that fits best."""
        sides = np.zeros((len(GAINS), len(self._ways)))
        weight = sum(facing for _, facing, _ in self._sides)
        for number, facing, likely in self._sides:
            sides += facing * np.logaddexp(likely, -6.0)[:, self._ways[:, number]]
        top = self.top[:, self._ways[:, 0]]
        gain, way = np.unravel_index(int((top + sides).argmax()), top.shape)
        return float(top[gain, way]), float(sides[gain, way]) / max(weight, 0.1)

    def ways(self) -> Floats:
        """(gains, ways) log likelihood of all faces for each way that the die can lie."""
        total = self.top[:, self._ways[:, 0]].copy()
        for number, _, likely in self._sides:
            share = np.exp(likely - np.logaddexp.reduce(likely, axis=1)[:, None]) * likely.shape[1]
            total += np.log(_OTHER_MAKE + (1 - _OTHER_MAKE) * share)[:, self._ways[:, number]]
        return np.asarray(total - np.log(len(self._ways)))

    def tops(self, gains: Floats) -> Floats:
        """(12,) probability of each color to be up, given log weights (gains,) of what the other dice say."""
        ways = np.logaddexp.reduce(self.ways() + gains[:, None], axis=0)
        chances = np.zeros(12)
        np.add.at(chances, self._ways[:, 0], np.exp(ways - ways.max()))
        return np.asarray(chances / chances.sum())


def top_chances(dice: Sequence[Colors]) -> list[Floats]:
    """For each die of one picture (12,) the probability of each color to be up."""
    alone = [np.logaddexp.reduce(die.ways(), axis=1) for die in dice]
    gains = _GAIN_PRIOR + sum(alone, start=np.zeros(len(GAINS)))
    return [die.tops(gains - own) for die, own in zip(dice, alone, strict=True)]

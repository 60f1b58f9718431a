"""Models the twelve colors of Spectrum dice under any lamp: their light relative to white, and its spread.

A top face is oriented like the markers, so its light is theirs times one gain for the whole picture (white may exceed
the camera's range). A side face is lit by its own share of the lamp, with a reflection over it. Both are summed over
instead of being guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct, structs

from companion.core.foundation.kept_file import decode_json
from companion.core.pieces import WHEEL
from vision.readers.dice.faces import FLOOR, Face
from vision.readers.dice.solids import Floats

GAINS = np.array([0.8, 1.0, 1.2, 1.45, 1.75, 2.1])
"""White's true light relative to that of the markers: more than 1 if they overexpose the camera."""
_PLAIN_GAINS = 3
"""The number of gains that are possible if white is well within the camera's range."""
_PLAIN_CLIP = 1.25
_IMPOSSIBLE = -60.0
_TOP_SHARES = np.exp(np.array([-0.3, -0.15, 0.0, 0.15, 0.3]))
_TOP_PRIOR = -0.5 * (np.log(_TOP_SHARES) / 0.15) ** 2
_TOP_VEILS = np.array([0.0, 0.05, 0.12])
_TOP_VEIL_PRIOR = np.array([0.0, -1.5, -3.0])
_SIDE_SHARES = np.exp(np.linspace(np.log(0.08), np.log(1.15), 8))
_VEILS = np.array([0.0, 0.04, 0.12, 0.3])
_VEIL_PRIOR = np.array([0.0, -0.7, -1.6, -2.6])
_FREEDOM = 4.0
"""The degrees of freedom of Student's distribution, whose heavy tails allow for faces unlike all learned ones. Its
exponent is then 5 / 2.
"""
_DAZZLED = 0.4
"""The overexposed share from which a face has no color."""
_UNTOLD = -4.0
"""The log likelihood of such a face, whatever the color."""


class Palette(Struct, frozen=True, forbid_unknown_fields=True):
    """The colors, learned by `python -m vision.readers.dice.training`."""

    shares: tuple[tuple[float, float, float], ...]
    """The linear light of each color of the wheel as B, G, R relative to white."""
    top_sigma: float
    """The standard deviation of a top face's log light around the expectation."""
    side_sigma: float

    def top(self, face: Face, clip: Floats) -> Floats:
        """Returns (gains, 12): log likelihood of a top face for each color; `clip` (3,) is the camera's largest
        light.
        """
        lit = np.array(self.shares)[:, None, None, :] * _TOP_SHARES[:, None, None]
        return _likelihood(face, lit + _TOP_VEILS[:, None], clip, self.top_sigma, _TOP_PRIOR[:, None] + _TOP_VEIL_PRIOR)

    def side(self, face: Face, clip: Floats) -> Floats:
        """Returns (gains, 12): log likelihood of a side face for each color."""
        lit = np.array(self.shares)[:, None, None, :] * _SIDE_SHARES[:, None, None]
        prior = np.zeros((len(_SIDE_SHARES), 1)) + _VEIL_PRIOR
        return _likelihood(face, lit + _VEILS[:, None], clip, self.side_sigma, prior)


def _likelihood(face: Face, expected: Floats, clip: Floats, sigma: float, prior: Floats) -> Floats:
    """Returns (gains, colors) from expected lights (colors, shares, veils, 3), summed over these with their log
    priors.
    """
    if face.dazzled > _DAZZLED:
        return np.full((len(GAINS), len(expected)), _UNTOLD)
    gains = GAINS[: _PLAIN_GAINS if clip.min() > _PLAIN_CLIP else None]
    bright = (expected.reshape(len(expected), -1, 3) * gains[:, None, None, None]).astype(np.float32)
    lights = np.log(np.minimum(bright, clip.astype(np.float32)) + np.float32(FLOOR))
    off = (np.log(np.minimum(face.color, clip) + FLOOR).astype(np.float32) - lights) * np.float32(1 / sigma)
    tails = 1 + off * off * np.float32(1 / _FREEDOM)
    product = tails[..., 0] * tails[..., 1] * tails[..., 2]
    fit = np.exp(prior.ravel()).astype(np.float32) / (product * product * np.sqrt(product))
    found = np.full((len(GAINS), len(expected)), _IMPOSSIBLE)
    found[: len(gains)] = np.log(fit.sum(axis=2)) - 3 * np.log(sigma)
    return found


def clip_of(white: Floats) -> Floats:
    """Returns (3,): the brightest light that a camera shows, relative to white's (3,)."""
    return np.asarray(0.98 / np.maximum(white, 1e-3))


FILE = Path(__file__).with_name("learned.json")


class LearnedDice(Struct, frozen=True, forbid_unknown_fields=True):
    """All learned numbers, written by `python -m vision.readers.dice.training`."""

    palette: Palette
    odds: dict[str, tuple[float, ...]]
    """For each kind of die the weights of `vision.readers.dice.choice.features`, the constant last: their weighted
    sum is the logarithm of the odds that a die of the kind lies where a candidate has it."""

    def with_colors(self, shares: Mapping[str, tuple[float, float, float]]) -> LearnedDice:
        """Returns the numbers with other light, relative to white, for some colors."""
        if not shares:
            return self
        mixed = tuple(shares.get(color, known) for color, known in zip(WHEEL, self.palette.shares, strict=True))
        return structs.replace(self, palette=structs.replace(self.palette, shares=mixed))


@cache
def learned(path: Path = FILE) -> LearnedDice:
    """Reads a file that `save` wrote."""
    return decode_json(path.read_bytes(), LearnedDice)


def save(numbers: LearnedDice, path: Path) -> None:
    """Writes the numbers in a form that people can read."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(numbers), indent=1) + b"\n")

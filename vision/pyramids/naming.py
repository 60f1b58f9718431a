"""Which color each level of a stack has, from the pixels where it is seen.

Plastic is seen through plastic: a level's color mixes with what stands inside it and with what it stands in, so the
levels below and above are inputs too, and so are its light beside the table's and the table's own reflectance.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.pieces import PYRAMID_COLORS
from vision.pyramids.hypothesis import Hypothesis
from vision.pyramids.perceptron import Perceptron
from vision.pyramids.structure import Patch, regions

Floats = NDArray[Any]

LIGHTS = 5
"""Numbers for the light of a level: the median of each channel, and how far its dark and bright pixels are from it."""
FEATURES = 3 * len(PYRAMID_COLORS) + 2 * LIGHTS + 3 + 7 + 6 * 3


class Looks(Struct, frozen=True):
    """What is seen of each level of a stack, or of one lying piece."""

    tones: Floats
    """(levels, 10) mean log probability of each color by the pixel net."""
    lights: Floats
    """(levels, LIGHTS) log light beside the bare table's."""
    pixels: Floats
    """(levels,) how many pixels are seen."""


def level_looks(patch: Patch, outline: Floats, lies: bool) -> Looks:
    """The looks of the levels of an outline (levels, 5, 2)."""
    label = regions(patch, outline, lies)
    count = len(outline)
    tones = np.zeros((count, len(PYRAMID_COLORS)))
    lights = np.zeros((count, LIGHTS))
    pixels = np.zeros(count)
    for level in range(count):
        mask = ((label > 5 * level) & (label <= 5 * level + 5)).astype(np.uint8)
        core = cv2.erode(mask, np.ones((3, 3), np.uint8), borderValue=0)
        chosen = (core if cv2.countNonZero(core) >= 12 else mask) > 0
        pixels[level] = np.count_nonzero(chosen)
        if pixels[level]:
            # Pixels that hardly look like plastic (a window through a clear face, a glint) say little of the color.
            sure = 1 / (1 + np.exp(-patch.odds[chosen]))
            tones[level] = (patch.colors[chosen] * sure[:, None]).sum(axis=0) / sure.sum()
            light = patch.contrast[chosen]
            # Quartiles stand glare that a mean does not.
            dark, bright = np.percentile(light.mean(axis=1), (20, 80))
            middle = np.median(light, axis=0)
            lights[level] = *middle, dark - middle.mean(), bright - middle.mean()
    return Looks(tones, lights, pixels)


def name_features(guess: Hypothesis, looks: Looks, bare_log: Floats, tilt: float) -> Floats:
    """(levels, FEATURES) inputs of the naming net; `bare_log` (3,) is the log reflectance of the table."""
    levels = len(looks.tones)
    rank = np.arange(levels)
    extra = np.column_stack(
        [
            rank > 0,
            rank / 3,
            rank == levels - 1,
            np.full(levels, levels / 3),
            np.log1p(looks.pixels) / 4,
            np.full(levels, tilt),
            np.full(levels, float(guess.lies)),
        ]
    )
    bare = np.tile(bare_log, (levels, 1))
    tones, lights = looks.tones, looks.lights
    around = [tones, _below(tones), _above(tones), lights, _below(lights), bare]
    return np.hstack([*around, extra, *_physics(lights[:, :3], bare)]).astype(np.float32)


def _physics(away: Floats, bare: Floats) -> list[Floats]:
    """Six (levels, 3) blocks from the log light `away` from the table's.

    Opaque plastic keeps its own reflectance on every table, translucent plastic the hue of what it absorbs, whose
    direction does not depend on the depth; and each level adds its own to the one below. A small net has too few
    examples to find these sums by itself.
    """
    own = away + bare
    hue = away - away.mean(axis=1, keepdims=True)
    own_hue = own - own.mean(axis=1, keepdims=True)
    direction = hue / (np.linalg.norm(hue, axis=1, keepdims=True) + 0.1)
    step = away - _below(away)
    step[0] = 0
    return [own, hue, own_hue, direction, np.exp(own), step]


def _below(rows: Floats) -> Floats:
    """Each level's row of the level below; zeros for the lowest."""
    return np.vstack([np.zeros((1, rows.shape[1])), rows[:-1]])


def _above(rows: Floats) -> Floats:
    """Each level's row of the level above; zeros for the highest."""
    return np.vstack([rows[1:], np.zeros((1, rows.shape[1]))])


def log_likelihoods(guess: Hypothesis, looks: Looks, bare_log: Floats, tilt: float, net: Perceptron) -> Floats:
    """(levels, 10) log probability of each color in the order of `PYRAMID_COLORS`."""
    return net.log_probabilities(name_features(guess, looks, bare_log, tilt))

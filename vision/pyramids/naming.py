"""Which color each level of a stack has, from the pixels where it is seen.

Plastic is seen through plastic: a level's color mixes with what stands inside it, so the level below is an input too.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.pieces import PYRAMID_COLORS
from vision.pyramids.hypothesis import Hypothesis
from vision.pyramids.perceptron import Perceptron
from vision.pyramids.structure import Patch, regions

Floats = NDArray[Any]

FEATURES = 2 * len(PYRAMID_COLORS) + 6


def level_tones(patch: Patch, outline: Floats, lies: bool) -> tuple[Floats, Floats]:
    """(levels, 10) mean log probability of each color where a level is seen, and (levels,) how many pixels that is."""
    label = regions(patch, outline, lies)
    count = len(outline)
    tones = np.zeros((count, len(PYRAMID_COLORS)))
    pixels = np.zeros(count)
    for level in range(count):
        mask = ((label > 5 * level) & (label <= 5 * level + 5)).astype(np.uint8)
        core = cv2.erode(mask, np.ones((3, 3), np.uint8), borderValue=0)
        chosen = core if cv2.countNonZero(core) >= 12 else mask
        pixels[level] = cv2.countNonZero(chosen)
        if pixels[level]:
            # Pixels that hardly look like plastic (a window through a clear face, a glint) say little of the color.
            sure = 1 / (1 + np.exp(-patch.odds[chosen > 0]))
            tones[level] = (patch.colors[chosen > 0] * sure[:, None]).sum(axis=0) / sure.sum()
    return tones, pixels


def name_features(guess: Hypothesis, tones: Floats, pixels: Floats, tilt: float) -> Floats:
    """(levels, FEATURES) inputs of the naming net."""
    levels = len(tones)
    below = np.vstack([np.zeros((1, tones.shape[1])), tones[:-1]])
    rank = np.arange(levels)
    extra = np.column_stack(
        [
            rank > 0,
            rank / 3,
            (rank == levels - 1),
            np.log1p(pixels) / 4,
            np.full(levels, tilt),
            np.full(levels, float(guess.lies)),
        ]
    )
    return np.hstack([tones, below, extra]).astype(np.float32)


def log_likelihoods(guess: Hypothesis, tones: Floats, pixels: Floats, tilt: float, net: Perceptron) -> Floats:
    """(levels, 10) log probability of each color in the order of `PYRAMID_COLORS`."""
    return net.log_probabilities(name_features(guess, tones, pixels, tilt))

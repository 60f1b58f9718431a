"""A picture and its empty table as training data: lit, noisy and sometimes without the latter."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.difference import LIMIT

Floats = NDArray[Any]

_ALONE, _ALONE_IF_GUESSED = 0.3, 0.6
"""Shares of examples whose table was never shown empty: where a picture of it is there, and where it is guessed."""
_CUT_OFF = 0.06
"""Share whose empty table is known in part: the camera was knocked since."""
_MOVED, _MOVED_PX = 0.3, 0.5
"""Share whose empty picture lies a little beside, and one sigma of that."""
_BLURRED, _BLUR_PX = 0.25, (0.4, 1.0)
"""Share that is out of focus, and one sigma of that."""
_LIGHTER = 0.03
"""One sigma of the error of today's light on the empty table, in logarithms."""
_SHADE = 25.0
_WIDE = 4


def lit(
    light: Floats, empty: Floats | None, random: np.random.Generator, guessed: bool = False
) -> tuple[Floats, Floats, Floats]:
    """Log light (3, h, w), its log ratio to the empty table and where that is known (1, h, w), as another day has them.

    Args:
        empty: (3, h, w) log light of the empty table; None: it is unknown.
        guessed: Whether that is only a guess (`guessed_empty`).
    """
    if random.random() < _BLURRED:
        blur = random.uniform(*_BLUR_PX)
        light, empty = _blurred(light, blur), None if empty is None else _blurred(empty, blur)
    shift = random.normal(0, 0.12) + random.normal(0, 0.05, (3, 1, 1))
    stretch = random.uniform(0.85, 1.15) if random.random() < 0.4 else 1.0
    sigma = random.uniform(0, 0.12) if random.random() < 0.4 else 0.0
    noise: Floats = random.normal(0, sigma, light.shape) if sigma else np.zeros(light.shape)
    now = np.asarray((light + shift) * stretch + noise, np.float32)
    ratio, known = np.zeros(light.shape, np.float32), np.zeros((1, *light.shape[1:]), np.float32)
    if empty is None or random.random() < (_ALONE_IF_GUESSED if guessed else _ALONE):
        return now, ratio, known
    if random.random() < _MOVED:
        empty = _moved(empty, random.normal(0, _MOVED_PX, 2))
    known[:] = 1
    if random.random() < _CUT_OFF:
        ys, xs = np.mgrid[0 : light.shape[1], 0 : light.shape[2]]
        angle = random.uniform(0, 2 * np.pi)
        side = (xs - light.shape[2] / 2) * np.cos(angle) + (ys - light.shape[1] / 2) * np.sin(angle)
        known[0] = side > random.normal(0, 25)
    apart = (light - empty) * stretch + noise + random.normal(0, _LIGHTER, (3, 1, 1))
    return now, np.asarray(np.clip(apart * known, -LIMIT, LIMIT), np.float32), known


def _blurred(light: Floats, sigma: float) -> Floats:
    wide = np.ascontiguousarray(light.transpose(1, 2, 0), np.float32)
    return np.asarray(cv2.GaussianBlur(wide, (0, 0), sigma).transpose(2, 0, 1))


def _moved(empty: Floats, by_px: Floats) -> Floats:
    matrix = np.array([[1, 0, by_px[0]], [0, 1, by_px[1]]])
    size = empty.shape[2], empty.shape[1]
    wide = cv2.warpAffine(
        np.ascontiguousarray(empty.transpose(1, 2, 0), np.float32), matrix, size, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(wide.transpose(2, 0, 1))


def guessed_empty(light: Floats, table: NDArray[np.bool_]) -> Floats:
    """(3, H, W) log light of a plain table that was never shown empty, from its free part.

    Its grain stays where it is free; shade, which is smooth, does not. Good enough to learn from, not to read by.

    Args:
        light: (3, H, W) of a picture with pieces.
        table: (H, W) the free part.
    """
    small = np.ascontiguousarray(light.transpose(1, 2, 0)[::_WIDE, ::_WIDE], np.float32)
    free = cv2.erode(table.astype(np.uint8), np.ones((7, 7), np.uint8))[::_WIDE, ::_WIDE].astype(np.float32)
    ground = _spread(small, free, _SHADE / _WIDE * 3)
    # Shade pulls a mean down: what lies plainly below it counts no more.
    bright = free * (np.abs(small - ground).max(axis=2) < 0.15)
    ground = _spread(small, np.maximum(bright, 1e-3 * free), _SHADE / _WIDE * 2)
    shade = _spread(small, free, 1.5) - ground
    shade[free < 0.5] = 0
    size = light.shape[2], light.shape[1]
    wide, dark = (cv2.resize(one, size, interpolation=cv2.INTER_LINEAR).transpose(2, 0, 1) for one in (ground, shade))
    return np.asarray(np.where(table, light - dark, wide), np.float32)


def _spread(values: Floats, weight: Floats, sigma: float) -> Floats:
    """(h, w, 3) weighted mean of the surroundings."""
    total = cv2.GaussianBlur(values * weight[..., None], (0, 0), sigma)
    return np.asarray(total / np.maximum(cv2.GaussianBlur(weight, (0, 0), sigma), 1e-4)[..., None])

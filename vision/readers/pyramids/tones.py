"""How each level of a guess is colored in the picture: the light of the pixels that its exact shape shows of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.light import LINEAR
from vision.image.picture import Picture
from vision.image.pose import Pose
from vision.readers.pyramids.hypothesis import StackHypothesis, outlines
from vision.readers.pyramids.painting import painted_levels
from vision.readers.pyramids.sheet import White

Floats = NDArray[Any]

AXES = np.array([(1, 1, 1), (1, -1, 0), (1, 1, -2)]) / np.sqrt([(3,), (2,), (6,)])
"""From the logarithms of B, G, R to how light a tone is, how blue rather than green, and how little red."""
_FLOOR = 0.01
_INNER = np.ones((3, 3), np.uint8)
_FEW, _TOO_FEW = 12, 6
"""Pixels: a band with fewer away from its border includes it, one with fewer in all is no evidence."""
_SHIFT = 4


def tones(
    guesses: Sequence[Sequence[StackHypothesis]],
    beside: Sequence[StackHypothesis],
    picture: Picture,
    pose: Pose,
    light: White,
) -> list[list[Floats]]:
    """For each guess at each thing (levels, 3): its levels' light over that of white paper, logarithms along `AXES`.

    What a nearer thing hides, by that thing's first guess, is left out. A level of which too little is seen is NaN.

    Args:
        guesses: Of each thing, the likeliest one first.
        beside: All else that is in the picture.
        picture: (H, W, 3) BGR.
    """
    if not guesses:
        return []
    first = [*(some[0] for some in guesses), *beside]
    places = np.array([(one.x_mm, one.y_mm, 0.0) for one in first])
    away = np.linalg.norm(places - pose.eye_mm(), axis=1)
    nearness = np.empty(len(first), np.int32)
    nearness[np.argsort(-away)] = np.arange(1, len(first) + 1)
    nearest = np.zeros(picture.shape[:2], np.int32)
    whole = outlines(first, pose)
    for k in np.argsort(nearness):
        for corners in np.rint(whole[k] * 2**_SHIFT).astype(np.int32):
            cv2.fillConvexPoly(nearest, cv2.convexHull(corners), int(nearness[k]), shift=_SHIFT)
    shapes = [outlines(some, pose) for some in guesses]
    white = light.white(places[:, :2])
    return [
        [_tones(shape, picture, nearest, int(nearness[k]), white[k]) for shape in shapes[k]]
        for k in range(len(guesses))
    ]


def _tones(outline: Floats, picture: Picture, nearest: NDArray[np.int32], nearness: int, white: Floats) -> Floats:
    """(levels, 3) of an outline (levels, 5, 2)."""
    flat = outline.reshape(-1, 2)
    limit = np.array(picture.shape[1::-1])
    left, top = np.clip(np.floor(flat.min(axis=0)).astype(int) - 1, 0, limit)
    right, bottom = np.clip(np.ceil(flat.max(axis=0)).astype(int) + 2, 0, limit)
    found = np.full((len(outline), 3), np.nan)
    if right <= left or bottom <= top:
        return found
    part = (slice(top, bottom), slice(left, right))
    levels = painted_levels(outline - (left, top), (bottom - top, right - left))
    levels[nearest[part] > nearness] = 0
    pixels = picture[part]
    for level in range(len(outline)):
        band = np.asarray(levels == level + 1, np.uint8)
        inner = cv2.erode(band, _INNER)
        seen = pixels[(inner if np.count_nonzero(inner) >= _FEW else band) > 0]
        if len(seen) >= _TOO_FEW:
            found[level] = AXES @ np.log(LINEAR[seen].mean(axis=0) / white + _FLOOR)
    return found

"""Where things stand or lie: each cell of plastic points at a place of the table, and things are where many agree.

All levels of a stack point at the same place, below the lowest; so a stack is one peak.
"""

from __future__ import annotations

from typing import Any, Protocol

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.plan import Mat
from vision.readers.pyramids.answers import Answers
from vision.readers.pyramids.sheet import Sheet

Floats = NDArray[Any]
Ints = NDArray[np.intp]

SEEN = -1.5
"""Log odds of plastic from which a cell has a vote."""
_BIN_MM = 2.0
_BLUR_MM = 2.6
_APART_MM = 7.0
"""No two things stand closer than this."""
_REACH_MM = 8.0
"""Votes so near to a peak are for it."""
_LEAST = 5.0
"""Votes, in cells, that make a peak; a close look follows."""
_LEAST_DENSE = 0.1
_MARGIN_MM = 10.0


class Unprojector(Protocol):
    """A pose that works both ways."""

    def unproject(self, pixels: Floats, z_mm: float = 0.0) -> Floats: ...


class Votes(Struct, frozen=True):
    """Cells that may show plastic."""

    weight: Floats
    """(N,) probability of plastic."""
    place_mm: Floats
    """(N, 2) the place of the table that each points at."""


class Peak(Struct, frozen=True):
    """A place that many cells point at."""

    x_mm: float
    y_mm: float
    mass: float


def votes_of(answers: Answers, sheet: Sheet, pose: Unprojector) -> Votes:
    """Votes of all cells that may show plastic."""
    rows, columns = np.nonzero(answers.plastic > SEEN)
    weight = 1 / (1 + np.exp(-answers.plastic[rows, columns]))
    if not len(rows):
        return Votes(weight, np.zeros((0, 2)))
    pixels = sheet.to_picture(answers.place_px[:, rows, columns].T.astype(np.float64))
    return Votes(weight, np.asarray(pose.unproject(pixels))[:, :2])


def peaks(votes: Votes, mat: Mat) -> list[Peak]:
    """Places where many votes meet, strongest first."""
    places, weight = votes.place_mm, votes.weight
    wide, tall = (int((v + 2 * _MARGIN_MM) / _BIN_MM) + 1 for v in (mat.width_mm, mat.height_mm))
    at = np.floor((places + _MARGIN_MM) / _BIN_MM).astype(int)
    inside = (at >= 0).all(axis=1) & (at[:, 0] < wide) & (at[:, 1] < tall)
    columns, rows = at[inside].T
    grid = np.bincount(rows * wide + columns, weight[inside], tall * wide).reshape(tall, wide).astype(np.float32)
    smooth = cv2.GaussianBlur(grid, (0, 0), _BLUR_MM / _BIN_MM)
    around = int(_APART_MM / _BIN_MM) * 2 + 1
    top = (smooth == cv2.dilate(smooth, np.ones((around, around), np.uint8))) & (smooth > _LEAST_DENSE)
    found = []
    order = np.argsort(places[:, 0])  # so that few have to be measured for each peak
    places, weight = places[order], weight[order]
    for y, x in zip(*np.nonzero(top), strict=True):
        middle = (np.array([x, y]) + 0.5) * _BIN_MM - _MARGIN_MM
        for _ in range(3):
            first, end = np.searchsorted(places[:, 0], (middle[0] - _REACH_MM, middle[0] + _REACH_MM))
            near = first + np.flatnonzero(np.hypot(*(places[first:end] - middle).T) < _REACH_MM)
            mass = float(weight[near].sum())
            if mass < _LEAST:
                break
            middle = np.average(places[near], axis=0, weights=weight[near])
        if mass >= _LEAST:
            found.append(Peak(float(middle[0]), float(middle[1]), mass))
    kept: list[Peak] = []
    for peak in sorted(found, key=lambda p: -p.mass):
        if all(np.hypot(peak.x_mm - k.x_mm, peak.y_mm - k.y_mm) > _APART_MM for k in kept):
            kept.append(peak)
    return kept

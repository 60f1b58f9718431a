"""Where things stand or lie: each cell points at the middle of its piece's base, and pieces are where many agree.

All levels of a stack point at one place of the table, because each tells its height; so a stack is one peak.
"""

from __future__ import annotations

from typing import Any, Protocol

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.plan import Mat
from vision.pyramids.cells.answers import Answers
from vision.pyramids.cells.sheet import Sheet

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
_LEAST = 7.0
"""Votes, in cells, that make a peak."""
_MARGIN_MM = 10.0
_LEAST_SHARE = 0.3
"""A cell that is less sure to stand has no vote among what stands; the same for what lies."""


class Unprojector(Protocol):
    """A pose that works both ways."""

    def unproject(self, pixels: Floats, z_mm: float = 0.0) -> Floats: ...


class Votes(Struct, frozen=True):
    """Cells that may show plastic."""

    rows: Ints
    columns: Ints
    weight: Floats
    """(N,) probability of plastic."""
    lies: Floats
    """(N,) probability that it lies."""
    place_mm: Floats
    """(N, 2) the place of the table that each points at, its own height allowed for."""
    flat_mm: Floats
    """(N, 2) the same if it lies: the point on the table itself."""


class Peak(Struct, frozen=True):
    """A place that many cells point at."""

    x_mm: float
    y_mm: float
    mass: float
    lies: bool
    members: Ints
    """Numbers of the votes near it."""


def votes_of(answers: Answers, sheet: Sheet, pose: Unprojector) -> Votes:
    """Votes of all cells that may show plastic."""
    rows, columns = np.nonzero(answers.plastic > SEEN)
    pixels = sheet.to_picture(answers.base_px[:, rows, columns].T.astype(np.float64))
    weight = 1 / (1 + np.exp(-answers.plastic[rows, columns]))
    lies = 1 / (1 + np.exp(-answers.lies[rows, columns]))
    if not len(rows):
        return Votes(rows, columns, weight, lies, np.zeros((0, 2)), np.zeros((0, 2)))
    flat = np.asarray(pose.unproject(pixels))[:, :2]
    high = np.asarray(pose.unproject(pixels, 40.0))[:, :2]
    share = np.clip(answers.lift_mm[rows, columns], 0, 60)[:, None] / 40
    return Votes(rows, columns, weight, lies, flat + (high - flat) * share, flat)


def peaks(votes: Votes, mat: Mat) -> list[Peak]:
    """Things, strongest first; what stands and what lies are counted apart."""
    found = []
    for lies in (False, True):
        sure = votes.lies if lies else 1 - votes.lies
        share = np.where(sure > _LEAST_SHARE, sure, 0.0)
        found += _peaks(votes.flat_mm if lies else votes.place_mm, votes.weight * share, lies, mat)
    return sorted(found, key=lambda peak: -peak.mass)


def _peaks(places: Floats, weight: Floats, lies: bool, mat: Mat) -> list[Peak]:
    wide, tall = (int((v + 2 * _MARGIN_MM) / _BIN_MM) + 1 for v in (mat.width_mm, mat.height_mm))
    at = np.floor((places + _MARGIN_MM) / _BIN_MM).astype(int)
    inside = (at >= 0).all(axis=1) & (at[:, 0] < wide) & (at[:, 1] < tall)
    grid = np.zeros((tall, wide), np.float32)
    np.add.at(grid, (at[inside, 1], at[inside, 0]), weight[inside])
    smooth = cv2.GaussianBlur(grid, (0, 0), _BLUR_MM / _BIN_MM)
    around = int(_APART_MM / _BIN_MM) * 2 + 1
    top = (smooth == cv2.dilate(smooth, np.ones((around, around), np.uint8))) & (smooth > 0.12)
    found = []
    for y, x in zip(*np.nonzero(top), strict=True):
        middle = (np.array([x, y]) + 0.5) * _BIN_MM - _MARGIN_MM
        for _ in range(3):
            near = np.hypot(*(places - middle).T) < _REACH_MM
            mass = float(weight[near].sum())
            if mass < _LEAST:
                break
            middle = np.average(places[near], axis=0, weights=weight[near])
        if mass >= _LEAST:
            found.append(Peak(float(middle[0]), float(middle[1]), mass, lies, np.flatnonzero(near)))
    kept: list[Peak] = []
    for peak in sorted(found, key=lambda p: -p.mass):
        if all(np.hypot(peak.x_mm - k.x_mm, peak.y_mm - k.y_mm) > _APART_MM for k in kept):
            kept.append(peak)
    return kept

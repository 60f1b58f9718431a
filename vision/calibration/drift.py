"""How far a table is from the one that was shown empty: a cloth that was moved, a lamp that was switched.

A table in play changes all the time; pieces and their shadows are left out. What is left should look as it did,
whatever an even change of the light does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.calibration.around import SHADOW_MM
from vision.calibration.difference import difference
from vision.calibration.empty import EmptyTable
from vision.calibration.sheets import MM_PER_PX, sheets
from vision.light import Light
from vision.picture import Picture
from vision.pose import Pose

Floats = NDArray[Any]

_DIFFERS = 0.25
"""Log light by which a place plainly differs."""
_GRAIN_PX = 3
"""Smaller spots are noise and edges of a pattern."""
_LEAST = 0.1
"""With less of the mat free nothing can be said."""


TINT = 0.2
"""Logarithm by which white paper changed its color; without a change it is at most 0.02."""


class Drift(Struct, frozen=True):
    """What changed between the empty table and a picture."""

    moved: float
    """Share of the free mat that plainly looks otherwise."""
    tint: float
    """Logarithm by which the light's red or blue changed against its green."""


def drift(picture: Picture, pose: Pose, light: Light, empty: EmptyTable, outlines_px: Sequence[Floats]) -> Drift | None:
    """Compare a picture (H, W, 3) BGR with the empty table; None if too little of the mat is free.

    :param outlines_px: what stands there, as polygons (N, 2) in pixels of the picture.
    """
    beside = sheets(picture, pose, light, empty)
    free = beside.both & beside.off_markers & ~_covered(outlines_px, pose, beside.both.shape)
    if free.mean() < _LEAST:
        return None
    differs = difference(beside.now, beside.before, free).strength() > _DIFFERS
    spots = cv2.morphologyEx(differs.astype(np.uint8), cv2.MORPH_OPEN, np.ones((_GRAIN_PX, _GRAIN_PX), np.uint8))
    moved = float((spots[free] > 0).mean())
    return Drift(moved, tint(light, empty))


def tint(light: Light, empty: EmptyTable) -> float:
    """How far the color of white paper is from what it was."""
    middle = np.array([[empty.mat.width_mm / 2, empty.mat.height_mm / 2]])
    apart = np.log(light.white(middle)[0]) - np.log(empty.light.white(middle)[0])
    return float(np.abs(apart - apart[1]).max())


def _covered(outlines_px: Sequence[Floats], pose: Pose, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """(H, W) where pieces stand, throw shadows, or hide the mat behind them."""
    covered = np.zeros(shape, np.uint8)
    for outline in outlines_px:
        ground = pose.unproject(np.asarray(outline, np.float64).reshape(-1, 2)) / MM_PER_PX - 0.5
        hull = cv2.convexHull(ground.reshape(-1, 1, 2).astype(np.float32))
        cv2.fillPoly(covered, [np.round(hull).astype(np.int32)], 1)
    reach = round(SHADOW_MM / MM_PER_PX)
    around = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    return np.asarray(cv2.dilate(covered, around) > 0)

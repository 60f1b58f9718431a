"""The distance of a table from the one that was shown empty: a cloth that was moved, a lamp that was switched.

A table in play changes all the time; pieces and their shadows are left out. The rest should look as before, apart from
an even change of the light.
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
from vision.image.light import Light
from vision.image.picture import Picture
from vision.image.pose import Pose

Floats = NDArray[Any]

_DIFFERS = 0.25
"""Log light by which a place plainly differs."""
_GRAIN_PX = 3
"""Smaller spots are noise and edges of a pattern."""
_LONGEST_MM = 90.0
"""Farther from a piece its shadow does not reach, the tallest stack's neither."""
_LEAST = 0.1
"""With less of the mat free, drift cannot be measured."""


TINT = 0.2
"""Logarithm by which white paper changed its color; without a change it is at most 0.02."""


class Drift(Struct, frozen=True):
    """The change between the empty table and a picture."""

    moved: float
    """Share of the free mat that plainly looks otherwise."""
    tint: float
    """Logarithm by which the light's red or blue changed against its green."""


def drift(picture: Picture, pose: Pose, light: Light, empty: EmptyTable, outlines_px: Sequence[Floats]) -> Drift | None:
    """Compare a picture (H, W, 3) BGR with the empty table; None if too little of the mat is free.

    Args:
        outlines_px: What stands there, as polygons (N, 2) in pixels of the picture.
    """
    beside = sheets(picture, pose, light, empty)
    covered = _covered(outlines_px, pose, beside.both.shape)
    free = beside.both & beside.off_markers & ~covered
    if free.mean() < _LEAST:
        return None
    apart = difference(beside.now, beside.before, free)
    spots = _spots(apart.strength() > _DIFFERS)
    spots &= ~_shadows(spots & (beside.now < beside.before).all(axis=0), covered)
    return Drift(float(spots[free].mean()), tint(light, empty))


def _spots(differs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(H, W) without grain."""
    grain = np.ones((_GRAIN_PX, _GRAIN_PX), np.uint8)
    return np.asarray(cv2.morphologyEx(differs.astype(np.uint8), cv2.MORPH_OPEN, grain) > 0)


def _shadows(darker: NDArray[np.bool_], covered: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(H, W) the darker parts that continue from a standing piece: a tall stack's shadow is longer than most."""
    near = _dilated(covered, _LONGEST_MM - SHADOW_MM)
    _, parts = cv2.connectedComponents((darker & near | covered).astype(np.uint8))
    return np.asarray(np.isin(parts, np.unique(parts[covered])) & darker & near)


def tint(light: Light, empty: EmptyTable) -> float:
    """Returns the change of the color of white paper."""
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
    return _dilated(covered > 0, SHADOW_MM)


def _dilated(some: NDArray[np.bool_], by_mm: float) -> NDArray[np.bool_]:
    """(H, W) the mask, grown by a distance."""
    reach = round(by_mm / MM_PER_PX)
    around = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    return np.asarray(cv2.dilate(some.astype(np.uint8), around) > 0)

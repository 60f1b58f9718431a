"""Measures how much a table differs from its empty picture: the cloth was moved, or a lamp was switched.

A table in play changes all the time, so pieces and their shadows are left out. The rest should look as before, apart
from an even change of the light.
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
"""The difference in log light from which a place has plainly changed."""
_GRAIN_PX = 3
"""The size in pixels up to which spots count as noise or edges of a pattern."""
_LONGEST_MM = 90.0
"""The longest distance in millimeters of a shadow from its piece, even the tallest stack."""
_LEAST = 0.1
"""The least free share of the mat with which drift can be measured."""


TINT = 0.2
"""The logarithm from which white paper has changed its color; without a change it is at most 0.02."""


class Drift(Struct, frozen=True):
    """The change between the empty table and a picture."""

    moved: float
    """The share of the free mat that plainly looks different."""
    tint: float
    """The logarithm of the change of the light's red or blue relative to its green."""


def drift(picture: Picture, pose: Pose, light: Light, empty: EmptyTable, outlines_px: Sequence[Floats]) -> Drift | None:
    """Compares a picture (H, W, 3) BGR with the empty table; returns None if too little of the mat is free.

    Args:
        outlines_px: The outlines of the pieces, as polygons (N, 2) in pixels of the picture.
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
    """Returns a mask (H, W) without grain."""
    grain = np.ones((_GRAIN_PX, _GRAIN_PX), np.uint8)
    return np.asarray(cv2.morphologyEx(differs.astype(np.uint8), cv2.MORPH_OPEN, grain) > 0)


def _shadows(darker: NDArray[np.bool_], covered: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Returns a mask (H, W) of the darker parts that are connected to a piece: a tall stack casts a long shadow."""
    near = _dilated(covered, _LONGEST_MM - SHADOW_MM)
    _, parts = cv2.connectedComponents((darker & near | covered).astype(np.uint8))
    return np.asarray(np.isin(parts, np.unique(parts[covered])) & darker & near)


def tint(light: Light, empty: EmptyTable) -> float:
    """Returns the change of the color of white paper."""
    middle = np.array([[empty.mat.width_mm / 2, empty.mat.height_mm / 2]])
    apart = np.log(light.white(middle)[0]) - np.log(empty.light.white(middle)[0])
    return float(np.abs(apart - apart[1]).max())


def _covered(outlines_px: Sequence[Floats], pose: Pose, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Returns a mask (H, W) of the places where pieces stand, cast shadows, or hide the mat behind them."""
    covered = np.zeros(shape, np.uint8)
    for outline in outlines_px:
        ground = pose.unproject(np.asarray(outline, np.float64).reshape(-1, 2)) / MM_PER_PX - 0.5
        hull = cv2.convexHull(ground.reshape(-1, 1, 2).astype(np.float32))
        cv2.fillPoly(covered, [np.round(hull).astype(np.int32)], 1)
    return _dilated(covered > 0, SHADOW_MM)


def _dilated(some: NDArray[np.bool_], by_mm: float) -> NDArray[np.bool_]:
    """Returns the mask (H, W) grown by a distance in millimeters."""
    reach = round(by_mm / MM_PER_PX)
    around = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    return np.asarray(cv2.dilate(some.astype(np.uint8), around) > 0)

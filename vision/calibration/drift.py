"""Compares a table with its empty picture: recognizes the table, and measures how much it has changed since.

Both are seen from straight above, place by place in millimeters. A table in play changes all the time, so pieces and
their shadows are left out. The rest should look as before, apart from an even change of the light.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.plan import Mat
from vision.calibration.calibration import SHADOW_MM, EmptyTable
from vision.calibration.difference import difference
from vision.image.light import LINEAR, Light
from vision.image.picture import Picture
from vision.image.pose import Map, Pose, inside, rectified, rectifying_map

Floats = NDArray[Any]

MM_PER_PX = 2.0
_FLOOR = 0.02


class Sheets(Struct, frozen=True):
    """Two views of one mat from straight above; a pixel is `MM_PER_PX` wide, and the first one is at marker 0."""

    now: Floats
    """(3, H, W) float32 in B, G, R: the logarithm of the picture over white paper."""
    before: Floats
    """(3, H, W) float32: the same logarithm for the empty table."""
    both: NDArray[np.bool_]
    """A mask (H, W) of the places that both views show."""
    off_markers: NDArray[np.bool_]
    """A mask (H, W) of the table without markers, which look alike on every table."""


def sheets(picture: Picture, pose: Pose, light: Light, empty: EmptyTable) -> Sheets:
    """Returns a picture (H, W, 3) BGR beside the empty table."""
    now, mapping = _seen(picture, pose, light, empty.mat)
    before, known, off_markers = _before(empty)
    return Sheets(now, before, inside(mapping, (picture.shape[1], picture.shape[0])) & known, off_markers)


@lru_cache(maxsize=2)
def _before(empty: EmptyTable) -> tuple[Floats, NDArray[np.bool_], NDArray[np.bool_]]:
    """Returns the parts that stay constant: the empty table, the mask of its known places, and that of places off
    markers.
    """
    before, mapping = _seen(empty.picture, empty.pose, empty.light, empty.mat)
    kept = before, empty.known(mapping), _off_markers(_ground_mm(empty.mat), empty.mat).reshape(before.shape[1:])
    for one in kept:
        one.setflags(write=False)
    return kept


def _seen(shown: Picture, camera: Pose, white: Light, mat: Mat) -> tuple[Floats, Map]:
    """Returns (3, H, W), the logarithm of the picture over white paper, and the mask of the places that the picture
    shows.
    """
    width, height = _size(mat)
    mapping = rectifying_map(camera, (width, height), 0.0, _place_mm)
    paper = white.white(_ground_mm(mat)).reshape(height, width, 3)
    reflectance = LINEAR[rectified(shown, mapping)] / paper
    return np.log(reflectance + _FLOOR).transpose(2, 0, 1).astype(np.float32), mapping


def _size(mat: Mat) -> tuple[int, int]:
    return round(mat.width_mm / MM_PER_PX), round(mat.height_mm / MM_PER_PX)


def _place_mm(pixels: Floats) -> Floats:
    return (pixels + 0.5) * MM_PER_PX


@lru_cache(maxsize=2)
def _ground_mm(mat: Mat) -> Floats:
    """Returns (N, 2): the table place of each pixel in millimeters."""
    width, height = _size(mat)
    ys, xs = np.mgrid[0:height, 0:width]
    ground = _place_mm(np.column_stack([xs.ravel(), ys.ravel()]))
    ground.setflags(write=False)
    return ground


def _off_markers(ground_mm: Floats, mat: Mat) -> NDArray[np.bool_]:
    """Returns (N,): True for places (N, 2) that show the table itself instead of a marker."""
    away = np.abs(ground_mm[:, None] - np.array(mat.corners_mm())).max(axis=2)
    return np.asarray(away.min(axis=1) > mat.marker_mm)


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


_SAME = 0.5
"""The least share of the mat that must be unchanged."""
_OFF = 0.7
"""The log reflectance by which the whole table may seem lighter or darker: exposure and glare cause less."""
_NOISE_PX, _PRINT_PX = 1.5, 7.0
_LEAST_WEIGHT = 0.001
"""With a smaller weight of free places around it, a place is unknown."""
_MARK = 0.05
"""The least contrast, in log light, of a mark such as a vein or a stripe."""
_MARKED, _PATTERNED = 0.1, 0.4
"""The least shares of the table covered by marks: in the empty picture, and now."""
_AGREE = 0.55
"""The least correlation of marks; on the same table it is above 0.8."""
_TINT = 0.3
"""The largest log difference between two channels."""


def same_table(picture: Picture, pose: Pose, light: Light, empty: EmptyTable) -> bool:
    """True if the mat in a picture (H, W, 3) BGR looks like the empty one where it is free.

    Only a clearly different table is rejected: one of another color, or with a pattern that does not fit.
    """
    beside = sheets(picture, pose, light, empty)
    now, before, both = beside.now, beside.before, beside.both
    if both.mean() < 0.2:
        return True
    apart = difference(now, before, both)
    free = both & (apart.strength() < _DIFFERS) & beside.off_markers
    offset = np.median((now - before)[:, both], axis=1)
    alike = bool(np.abs(offset).max() < _OFF and np.ptp(offset) < _TINT)
    return alike and float(free.sum()) > _SAME * float(both.sum()) and _same_print(now, before, free)


def _same_print(now: Floats, before: Floats, free: Floats) -> bool:
    """Returns true if the print or grain of two tables (3, H, W) agrees where neither is covered; plain ones do."""
    means = np.stack([one.mean(axis=0) for one in (now, before)], axis=2)
    marks = np.moveaxis(_blurred(means, free, _NOISE_PX) - _blurred(means, free, _PRINT_PX), 2, 0)
    strong = [free & (np.abs(mark) > _MARK) for mark in marks]
    shares = [float(one.sum()) / max(float(free.sum()), 1.0) for one in strong]
    # Shadows are marks too, so the empty table's own decide where it has some.
    if shares[1] > _MARKED:
        shown = strong[1]
    elif shares[0] > _PATTERNED:
        shown = strong[0]
    else:
        return True
    a, b = (one[shown] for one in marks)
    return float(a @ b) > _AGREE * float(np.sqrt((a @ a) * (b @ b)))


def _blurred(sheets: Floats, free: NDArray[np.bool_], sigma_px: float) -> Floats:
    """Returns (H, W, N), a Gaussian blur of the free places alone, so that pieces beside them do not influence it."""
    weight = free.astype(np.float32)[..., None]
    around = cv2.GaussianBlur(weight, (0, 0), sigma_px)[..., None]
    return np.asarray(cv2.GaussianBlur(sheets * weight, (0, 0), sigma_px) / np.maximum(around, _LEAST_WEIGHT))

"""Determines the true shape of a mat that was measured wrong by a few percent.

Three or four markers, or the four corners of a sheet, show the ratio of a mat's width to its height. If the given shape
is wrong by a few percent, the table is still read, and a remark names the true shape.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import structs

from companion.core.foundation.errors import NoTable
from companion.core.plan import Mat, Point
from vision.image.picture import Picture
from vision.image.pose import Floats
from vision.registration.markers import find_markers
from vision.registration.pose_estimate import agreement_px, center_px, fitted, usual_lens
from vision.registration.registered_image import RegisteredImage, find_table, working

FARTHEST = 0.06
"""A shape that is wrong by a larger share is another mat."""
NOTABLE = 0.017
"""A difference above this share is reported; smaller ones also occur for tables that were measured well."""
WRONG = 0.025
"""From this share on, the table is read by the shape in the picture: loose markers deviate by up to two percent."""
CLEARLY = 2.0
"""The least difference in cost between a wrong shape and the true one; with four clicks, a right one costs at most 1.4
more.
"""
PLAINLY = 1.5
"""The given shape fits much worse if its cost exceeds the true one's by this factor, and by `CLEARLY`."""
_STEPS = np.linspace(-FARTHEST, FARTHEST, 7)
_FINER = 4
"""The number of halvings of a step, down to an eighth of a percent."""
_DOUBTED = 0.032
"""If a shape that differs by this share fits as well, the picture does not show the shape."""
_CLICK_LIMIT_PX = 4.0
"""The largest error of clicked corners at 1280 pixels of width, as in `pose_estimate.estimate_from_corners`."""
_MEASURE = "Measure it from the center of one marker to that of the next."


class ShapedTable(NamedTuple):
    """A table with a remark on its shape."""

    table: RegisteredImage
    remark: str | None
    """Sentences if the mat has, or may have, another shape than the given one; None otherwise."""


class _Shape(NamedTuple):
    """The evidence of a picture about a mat's shape."""

    wider: float
    """The logarithm of the ratio of width to height, relative to the given one."""
    clear: bool
    """False if a picture of another shape would look the same."""
    plain: bool
    """True if the given shape fits much worse. Loose or bent markers explain a smaller difference."""
    fits: bool
    """True if a mat of this shape has a pose."""


def find_shaped(picture: Picture, mat: Mat, corners_px: Sequence[Point] | None = None) -> ShapedTable:
    """Locates the table in a picture without any knowledge about the camera and the table.

    Args:
        picture: (H, W, 3) BGR.
        mat: The table's mat as somebody measured it.
        corners_px: Centers of markers 0 to 3 as a person gave them.

    Raises:
        NoTable: No shape near the given one locates it.
    """
    shape = _shape(picture, mat, corners_px)
    given = mat.width_mm / mat.height_mm
    if shape is None:
        return ShapedTable(find_table(picture, mat, corners_px), None)
    if not shape.clear:
        unclear = f"This view does not show whether the mat is {given:.3f} times as wide as high. {_MEASURE}"
        return ShapedTable(find_table(picture, mat, corners_px), unclear)
    if abs(shape.wider) < NOTABLE:
        return ShapedTable(find_table(picture, mat, corners_px), None)
    ratio = given * math.exp(shape.wider)
    remark = (
        f"The mat is {ratio:.3f} times as wide as high, not {given:.3f} times: {mat.height_mm * ratio:.0f} x "
        f"{mat.height_mm:g} mm would fit, or {mat.width_mm:g} x {mat.width_mm / ratio:.0f} mm. {_MEASURE}"
    )
    if abs(shape.wider) >= WRONG and shape.plain and shape.fits:
        return ShapedTable(find_table(picture, _shaped(mat, shape.wider), corners_px), remark)
    try:
        return ShapedTable(find_table(picture, mat, corners_px), remark)
    except NoTable:
        if not shape.fits:
            raise
        return ShapedTable(find_table(picture, _shaped(mat, shape.wider), corners_px), remark)


def _shape(picture: Picture, mat: Mat, corners_px: Sequence[Point] | None) -> _Shape | None:
    """Returns the shape of the mat in a picture; None if fewer than three points are known or no shape fits."""
    small, factor = working(picture)
    size_px = small.shape[1], small.shape[0]
    markers: Mapping[int, Floats] = {}
    clicks: Mapping[int, Floats] = {}
    limit_px = agreement_px(size_px)
    if corners_px is not None:
        clicks = {i: (np.array(corner) + 0.5) * factor - 0.5 for i, corner in enumerate(corners_px)}
        limit_px = _CLICK_LIMIT_PX * max(size_px) / 1280
    else:
        seen = find_markers(small)
        markers = {i: np.asarray(seen[i][0]) for i in range(4) if len(seen.get(i, ())) == 1}
    points = clicks or {i: center_px(corners) for i, corners in markers.items()}
    if len(points) < 3 or not _go_round([points[i] for i in sorted(points)]):
        return None
    lens = usual_lens(size_px)

    def cost(wider: float) -> float:
        fit = fitted(markers, clicks, _shaped(mat, wider), size_px, lens)
        return math.inf if fit is None else fit.cost

    costs = [cost(float(step)) for step in _STEPS]
    at = costs.index(min(costs))
    if not math.isfinite(costs[at]):
        return None
    wider, step = float(_STEPS[at]), float(_STEPS[1] - _STEPS[0])
    for _ in range(_FINER):
        step /= 2
        near = [cost(wider + by * step) for by in (-1, 0, 1)]
        wider += (near.index(min(near)) - 1) * step
    best = fitted(markers, clicks, _shaped(mat, wider), size_px, lens)
    if best is None:
        return None
    beside = min(cost(wider - _DOUBTED), cost(wider + _DOUBTED))
    plain = cost(0.0) >= PLAINLY * best.cost + CLEARLY
    return _Shape(wider, beside - best.cost >= CLEARLY, plain, best.worst_px <= limit_px)


def _shaped(mat: Mat, wider: float) -> Mat:
    """Returns a mat of the same area whose ratio of width to height is larger by the logarithm `wider`."""
    by = math.exp(wider / 2)
    return structs.replace(mat, width_mm=mat.width_mm * by, height_mm=mat.height_mm / by)


def _go_round(corners: Sequence[Floats]) -> bool:
    sides = np.roll(np.array(corners), -1, axis=0) - np.array(corners)
    following = np.roll(sides, -1, axis=0)
    return bool((sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0] > 16).all())

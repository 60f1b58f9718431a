"""Learns the empty table while pieces stand on it, because players do not clear a table in the middle of a game.

The new picture is used wherever it shows the bare table. Under pieces and their shadows the earlier picture stays,
adjusted to today's light. Unknown parts stay unknown; readers treat them like a table without an empty picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from vision.calibration.empty import EmptyTable
from vision.image.picture import Picture
from vision.image.pose import Pose

Floats = NDArray[Any]

SHADOW_MM = 24.0
"""The distance in millimeters that shadows and scattered light reach from a piece."""
_FIELD = 0.06
"""The width of the smooth light field, as a share of the picture's width."""
_LEAST_WEIGHT = 1e-3
_SMALL_PX = 320
"""The width in pixels at which unknown places are filled in smoothly."""
_DARKEST = 4.0


def around_pieces(shown: EmptyTable, outlines_px: Sequence[Floats], before: EmptyTable | None) -> EmptyTable:
    """Returns an empty table made from one with pieces on it.

    Args:
        shown: The table as it is now; its picture shows the pieces.
        outlines_px: The outlines of the pieces, as polygons (N, 2) in pixels of that picture.
        before: The empty table as it was known until now.
    """
    covered = _covered(outlines_px, shown)
    if not covered.any():
        return shown
    known = np.zeros(covered.shape, bool) if before is None else covered & before.known_from(shown.pose)
    free = ~covered | known
    picture = shown.picture
    if before is not None and known.any():
        picture = np.where(known[..., None], relit(before.picture_from(shown.pose), picture, ~covered), picture)
    if free.all():
        return structs.replace(shown, picture=picture)
    picture = np.where(free[..., None], picture, _filled(picture, ~free))
    return structs.replace(shown, picture=picture, free=free.astype(np.uint8))


def _covered(outlines_px: Sequence[Floats], shown: EmptyTable) -> NDArray[np.bool_]:
    """Returns a mask (H, W) of the places where pieces and their shadows hide the bare table."""
    covered = np.zeros(shown.picture.shape[:2], np.uint8)
    for outline in outlines_px:
        hull = cv2.convexHull(np.asarray(outline, np.float32).reshape(-1, 1, 2))
        cv2.fillPoly(covered, [np.round(hull).astype(np.int32)], 1)
    reach = max(1, round(SHADOW_MM * px_per_mm(shown.pose, shown.mat.corners_mm())))
    around = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    return np.asarray(cv2.dilate(covered, around) > 0)


def px_per_mm(pose: Pose, corners_mm: Sequence[tuple[float, float]]) -> float:
    """Returns the mean scale along the mat's sides, in pixels per millimeter."""
    corners = np.array(corners_mm)
    pixels = pose.project(np.column_stack([corners, np.zeros(4)]))
    sides = [np.linalg.norm(np.roll(points, -1, axis=0) - points, axis=1).sum() for points in (pixels, corners)]
    return float(sides[0] / sides[1])


def relit(before: Picture, now: Picture, free: NDArray[np.bool_]) -> Picture:
    """Returns the picture of before (H, W, 3) in the light of now, which is compared where the table is free."""
    weight = free.astype(np.float32)
    logs = np.log((now.astype(np.float32) + _DARKEST) / (before.astype(np.float32) + _DARKEST)) * weight[..., None]
    sigma = _FIELD * now.shape[1]
    field = _blurred(logs, sigma) / np.maximum(_blurred(weight, sigma), _LEAST_WEIGHT)[..., None]
    relit = (before.astype(np.float32) + _DARKEST) * np.exp(field) - _DARKEST
    return np.clip(np.round(relit), 0, 255).astype(np.uint8)


def _blurred(values: Floats, sigma: float) -> Floats:
    """Returns a wide blur, made on an eighth of the pixels."""
    height, width = values.shape[:2]
    small = cv2.resize(values, (max(1, width // 8), max(1, height // 8)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(cv2.GaussianBlur(small, (0, 0), sigma / 8), (width, height)))


def _filled(picture: Picture, unknown: NDArray[np.bool_]) -> Picture:
    """Returns the picture with its unknown places filled in smoothly from their surroundings."""
    height, width = picture.shape[:2]
    size = _SMALL_PX, max(1, round(height * _SMALL_PX / width))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    holes = (cv2.resize(unknown.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0).astype(np.uint8)
    return np.asarray(cv2.resize(cv2.inpaint(small, holes, 3, cv2.INPAINT_TELEA), (width, height)), np.uint8)

"""The empty table, learned while pieces stand on it: a table is not cleared in the middle of a game.

The bare table is taken over wherever it shows. Under the pieces and their shadows the earlier picture stays, in today's
light; unknown parts stay unknown, and are read as on a table that was never shown empty.
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
"""Shadows and what plastic scatters reach so far from a piece."""
_FIELD = 0.06
"""Width of the smooth field of light, as a share of the picture's."""
_LEAST_WEIGHT = 1e-3
_SMALL_PX = 320
"""The width at which unknown places are filled in smoothly, without edges."""
_DARKEST = 4.0


def around_pieces(shown: EmptyTable, outlines_px: Sequence[Floats], before: EmptyTable | None) -> EmptyTable:
    """Returns an empty table from one with pieces on it.

    Args:
        shown: The table as it is now; its picture shows the pieces.
        outlines_px: What stands there, as polygons (N, 2) in pixels of that picture.
        before: How the same table was known until now.
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
    """(H, W) where pieces and their shadows hide the bare table."""
    covered = np.zeros(shown.picture.shape[:2], np.uint8)
    for outline in outlines_px:
        hull = cv2.convexHull(np.asarray(outline, np.float32).reshape(-1, 1, 2))
        cv2.fillPoly(covered, [np.round(hull).astype(np.int32)], 1)
    reach = max(1, round(SHADOW_MM * px_per_mm(shown.pose, shown.mat.corners_mm())))
    around = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    return np.asarray(cv2.dilate(covered, around) > 0)


def px_per_mm(pose: Pose, corners_mm: Sequence[tuple[float, float]]) -> float:
    """Mean scale along the mat's sides."""
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
    """Returns the picture with its unknown places drawn on smoothly from around them."""
    height, width = picture.shape[:2]
    size = _SMALL_PX, max(1, round(height * _SMALL_PX / width))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    holes = (cv2.resize(unknown.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0).astype(np.uint8)
    return np.asarray(cv2.resize(cv2.inpaint(small, holes, 3, cv2.INPAINT_TELEA), (width, height)), np.uint8)

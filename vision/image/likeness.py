"""Finds the parts of a picture that show the same as an earlier picture of the same table.

The earlier picture is aligned with the later one (a knocked camera turns and shifts it). A smooth factor, fitted where
nothing moved, evens out the light. The rest has changed if it exceeds the later picture's own noise. So fading light, a
coarse picture and a knock do not count as change.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.image.picture import Picture
from vision.image.pose import Pose

Floats = NDArray[Any]
Small = NDArray[np.uint8]
"""A picture at a quarter of its size: (h, w, 3) BGR."""
Mask = NDArray[np.uint8]
"""(h, w): 0 or 1 for each pixel of a small picture."""

SHRINK = 4
"""The factor by which pictures are shrunk before comparison, which averages out sensor noise and coarse JPEG blocks."""
LEAST = 0.08
"""The log ratio of light that never counts as change; a shadow's edge has about 0.1, other plastic 0.2 to 2."""
NOISE_TIMES = 5.0
"""A pixel differs if its difference exceeds this multiple of the median difference."""
MOST = 0.25
"""The log ratio that always counts as change, however noisy a picture is."""
FLOOR = 6.0
"""The number of gray levels added before ratios are taken, because single levels are no evidence in the dark."""
STILL_PX = 1.5
"""The motion of the mat's corners, in pixels of the picture, up to which the camera has not moved."""
NEAR_PX = 30
"""The margin around a thing in pixels of a small picture, which are 120 pixels of the picture."""
KNOCKED = 0.12
"""The share of the picture's width beyond which a moved camera is another view instead of a knocked one."""

_GRID = (32, 18)
_ROUNDS = 6


class Glance(Struct, frozen=True):
    """A remembered picture."""

    small: Small
    pose: Pose


def glance_of(picture: Picture, pose: Pose) -> Glance:
    """Returns a picture (H, W, 3) BGR at a quarter of its size, with its pose."""
    small = cv2.resize(picture, None, fx=1 / SHRINK, fy=1 / SHRINK, interpolation=cv2.INTER_AREA)
    return Glance(np.asarray(small, np.uint8), pose)


def unchanged(before: Glance, now: Glance, corners_mm: Floats) -> Mask | None:
    """Returns (h, w) with 1 where `now` shows the same as `before`; None if the camera looks from somewhere else.

    Args:
        corners_mm: (4, 2) corners of the mat in table millimeters.
    """
    if before.small.shape != now.small.shape:
        return None
    over, seen = _laid_over(before, now, corners_mm)
    if over is None:
        return None
    ratio = residual(over, now.small, seen)
    apart = np.abs(cv2.blur(ratio, (3, 3))).max(axis=2)
    noise = float(np.median(apart[seen > 0])) if seen.any() else 0.0
    moved = (apart > min(MOST, max(LEAST, NOISE_TIMES * noise))).astype(np.uint8)
    moved = np.asarray(cv2.morphologyEx(moved, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)
    moved |= 1 - seen
    return np.asarray(1 - cv2.dilate(moved, np.ones((3, 3), np.uint8)), np.uint8)


class NearbyChange(NamedTuple):
    """The changes around a thing."""

    same: Mask | None
    """(h, w) with 1 where nothing has changed; None if the camera looks from elsewhere."""
    corner_px: Floats
    """(2,): the origin of `same` in pixels of the picture."""


def unchanged_near(before: Glance, now: Glance, outlines_px: Floats) -> NearbyChange:
    """Returns `unchanged` for a thing with outlines (levels, N, 2), in pixels of the picture, and its surroundings.

    If the camera has not moved, only that part is compared, which takes a tenth of the time.
    """
    height, width = now.small.shape[:2]
    flat = outlines_px.reshape(-1, 2) / SHRINK
    low = np.clip(np.floor(flat.min(axis=0)).astype(int) - NEAR_PX, 0, (width - 1, height - 1))
    high = np.clip(np.ceil(flat.max(axis=0)).astype(int) + NEAR_PX, low + 1, (width, height))
    box = np.array([low, (high[0], low[1]), high, (low[0], high[1])]) * float(SHRINK)
    corners_mm = now.pose.unproject(box)
    if before.small.shape != now.small.shape or _moved_px(before, now, corners_mm) >= STILL_PX:
        return NearbyChange(unchanged(before, now, corners_mm), np.zeros(2))
    part = np.s_[low[1] : high[1], low[0] : high[0]]
    same = unchanged(Glance(before.small[part], before.pose), Glance(now.small[part], now.pose), corners_mm)
    return NearbyChange(same, low * float(SHRINK))


def changed_share(same: Mask, outlines_px: Floats) -> float:
    """Returns the changed share of the hulls of `outlines_px` (levels, N, 2), pixels of the picture; 0 to 1."""
    return changed_within(same, drawn(outlines_px, same.shape))


def changed_within(same: Mask, inside: Mask) -> float:
    """Returns the share of a part (h, w) of a small picture that has changed; 1 if the part is empty."""
    count = int(inside.sum())
    return 1.0 - float((same & inside).sum()) / count if count else 1.0


def drawn(outlines_px: Floats, shape: tuple[int, ...]) -> Mask:
    """Returns (h, w) with 1 inside the hull of each of the outlines (levels, N, 2)."""
    mask = np.zeros(shape[:2], np.uint8)
    for outline in outlines_px:
        hull = cv2.convexHull(((outline + 0.5) / SHRINK - 0.5).astype(np.float32).reshape(-1, 1, 2))
        cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), 1)
    return mask


def dilated(mask: Mask, by_px: int) -> Mask:
    """Returns a mask (h, w) grown by `by_px` pixels on all sides."""
    return np.asarray(cv2.dilate(mask, np.ones((2 * by_px + 1, 2 * by_px + 1), np.uint8)), np.uint8)


def carried(before: Glance, mask: Mask, now: Glance, corners_mm: Floats) -> tuple[Small, Mask]:
    """Returns the earlier picture and a mask (h, w) of it as the later camera would have taken them.

    Args:
        corners_mm: (4, 2) corners of the mat in table millimeters.
    """
    if _moved_px(before, now, corners_mm) < STILL_PX:
        return before.small, mask
    height, width = mask.shape
    ends = [((points + 0.5) / SHRINK - 0.5).astype(np.float32) for points in _seen(before, now, corners_mm)]
    matrix = cv2.getPerspectiveTransform(ends[0], ends[1])
    over = cv2.warpPerspective(before.small, matrix, (width, height), flags=cv2.INTER_CUBIC)
    reach = cv2.warpPerspective(mask, matrix, (width, height), flags=cv2.INTER_NEAREST)
    return np.asarray(over, np.uint8), np.asarray(cv2.erode(reach, np.ones((3, 3), np.uint8)), np.uint8)


def _laid_over(before: Glance, now: Glance, corners_mm: Floats) -> tuple[Small | None, Mask]:
    """Returns the earlier picture as the later camera would have taken it, and a mask of the part that it covers."""
    everywhere = np.ones(now.small.shape[:2], np.uint8)
    if _moved_px(before, now, corners_mm) > KNOCKED * now.small.shape[1] * SHRINK:
        return None, everywhere
    return carried(before, everywhere, now, corners_mm)


def _moved_px(before: Glance, now: Glance, corners_mm: Floats) -> float:
    """Returns the largest distance by which points (N, 2) of the table have moved in the picture."""
    old, new = _seen(before, now, corners_mm)
    return float(np.abs(old - new).max())


def _seen(before: Glance, now: Glance, corners_mm: Floats) -> tuple[Floats, Floats]:
    """Returns (N, 2) pixels twice: the places of table points in the earlier and in the later picture."""
    flat = np.column_stack([corners_mm, np.zeros(len(corners_mm))])
    return before.pose.project(flat), now.pose.project(flat)


def residual(before: Small, now: Small, seen: Mask) -> Floats:
    """Returns (h, w, 3): the log ratio of light that no smooth change of the lamps explains."""
    ratio = np.log((now.astype(np.float32) + FLOOR) / (before.astype(np.float32) + FLOOR))
    height, width = seen.shape
    coarse = cv2.resize(ratio, _GRID, interpolation=cv2.INTER_AREA).reshape(-1, 3)
    reach = cv2.resize(seen, _GRID, interpolation=cv2.INTER_NEAREST).ravel() > 0
    terms = _surface(_GRID)
    for channel in range(3):
        values = coarse[:, channel]
        fit: Floats = np.zeros(terms.shape[1])
        fit[0] = np.median(values[reach]) if reach.any() else 0.0
        for _ in range(_ROUNDS):
            error = values - terms @ fit
            scale = max(0.02, 4.0 * float(np.median(np.abs(error[reach])))) if reach.any() else 0.02
            trust = reach * np.clip(1 - (error / scale) ** 2, 0, None) ** 2
            normal = terms.T @ (terms * trust[:, None]) + 1e-3 * np.eye(terms.shape[1])
            fit = np.linalg.solve(normal, terms.T @ (values * trust))
        field = (terms @ fit).reshape(_GRID[1], _GRID[0]).astype(np.float32)
        ratio[..., channel] -= cv2.resize(field, (width, height), interpolation=cv2.INTER_LINEAR)
    return ratio


def _surface(size: tuple[int, int]) -> Floats:
    """Returns (width * height, 6): 1, x, y, xx, xy, yy over a grid, with x and y from -1 to 1."""
    across, down = np.meshgrid(np.linspace(-1, 1, size[0]), np.linspace(-1, 1, size[1]))
    x, y = across.ravel(), down.ravel()
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)

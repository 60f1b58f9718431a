"""Keeps the empty table of a running game fresh wherever the table is free.

Light fades, the sun moves, a cloth is pulled a little: an empty picture from the beginning fits less and less. So parts
that several consecutive pictures show to be empty are replaced by the newest picture. If much of the table has changed
and no piece was read there, those parts become unknown. A piece never enters the empty table, because parts that differ
from it are never taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from vision.calibration.calibration import SHADOW_MM, EmptyTable, px_per_mm, relit
from vision.image.likeness import SHRINK, Mask, glance_of, unchanged
from vision.image.picture import Picture
from vision.image.pose import Pose

Floats = NDArray[Any]
Counts = NDArray[np.int16]

STEADY = 3
"""The number of consecutive pictures that must show a place free."""
STRANGE = 6
"""After this number of consecutive pictures that show something else, but no piece, a place becomes unknown."""
EVERY = 4
"""The number of pictures between renewals of the empty table."""
_NEWEST = 0.5
"""The weight of the newest picture: a mean of several pictures is less noisy than one."""
MOVED = 0.1
"""The share of the free mat that must have changed before places become unknown, since shadows of pieces change,
too.
"""


class FreshTable:
    """The present look of an empty table."""

    def __init__(self, empty: EmptyTable) -> None:
        self.kept = empty
        """The newest picture of the empty table, with earlier parts where no newer one exists."""
        self.empty = empty
        """The table of `kept` without places that look different now, if a cloth was moved."""
        self._same: Counts | None = None
        """The number of consecutive pictures (h, w) that show the empty table, at a quarter of the picture's size."""
        self._other: Counts | None = None
        self._corners_px: Floats | None = None
        self._count = 0

    def take(self, shown: EmptyTable, outlines_px: Sequence[Floats]) -> bool:
        """Takes a steady picture; returns True if it renewed the empty table.

        Args:
            shown: The table as it is now, with its pieces.
            outlines_px: The outlines of the pieces, as polygons (N, 2) in pixels of that picture.
        """
        mat_mm = np.array(shown.mat.corners_mm())
        now = glance_of(shown.picture, shown.pose)
        same = unchanged(glance_of(self.kept.picture_from(shown.pose), shown.pose), now, mat_mm)
        if same is None:
            return False
        corners_px = shown.pose.project(np.column_stack([mat_mm, np.zeros(4)]))
        if self._same is None or self._same.shape != same.shape or not self._rests(corners_px):
            self._same, self._other = np.zeros(same.shape, np.int16), np.zeros(same.shape, np.int16)
            self._corners_px, self._count = corners_px, 0
        assert self._other is not None
        free = _small(self.kept.known_from(shown.pose), same) & ~_near(outlines_px, same, shown.pose, mat_mm)
        on_mat = free & _on_mat(corners_px, same)
        self._same = np.where((same > 0) & free, self._same + 1, 0).astype(np.int16)
        self._other = np.where((same == 0) & on_mat, self._other + 1, 0).astype(np.int16)
        self._count += 1
        if self._count < EVERY:
            return False
        self._count = 0
        lost = self._other >= STRANGE
        if not on_mat.any() or lost[on_mat].mean() < MOVED:
            lost = np.zeros_like(lost)
        self.kept = renewed(self.kept, shown, self._same >= STEADY)
        self.empty = without(self.kept, lost)
        return True

    def _rests(self, corners_px: Floats) -> bool:
        """Returns true if the camera has not moved, so that counts of places go on."""
        return self._corners_px is not None and float(np.abs(corners_px - self._corners_px).max()) < SHRINK / 2


def renewed(before: EmptyTable, shown: EmptyTable, same: NDArray[np.bool_]) -> EmptyTable:
    """Returns the empty table as the camera of `shown` sees it today.

    Args:
        same: (h, w) at a quarter of the picture's size: where `shown` is the empty table.
    """
    taken = _large(same, shown.picture)
    old = relit(before.picture_from(shown.pose), shown.picture, taken)
    mixed = cv2.addWeighted(old, 1 - _NEWEST, shown.picture, _NEWEST, 0)
    picture: Picture = np.where(taken[..., None], mixed, old)
    free = before.known_from(shown.pose)
    return structs.replace(
        shown, picture=picture, noise=before.noise, free=None if free.all() else free.astype(np.uint8)
    )


def without(empty: EmptyTable, lost: NDArray[np.bool_]) -> EmptyTable:
    """Returns the table with its places under `lost` (h, w) unknown."""
    if not lost.any():
        return empty
    known = np.ones(empty.picture.shape[:2], np.uint8) if empty.free is None else empty.free
    return structs.replace(empty, free=np.where(_large(lost, empty.picture), np.uint8(0), known))


def _large(mask: NDArray[np.bool_], like: Picture) -> NDArray[np.bool_]:
    size = like.shape[1], like.shape[0]
    return np.asarray(cv2.resize(mask.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0)


def _near(outlines_px: Sequence[Floats], same: Mask, pose: Pose, mat_mm: Floats) -> NDArray[np.bool_]:
    """Returns a mask (h, w) of pieces and their shadows, at a quarter of the picture's size."""
    near = np.zeros(same.shape, np.uint8)
    for outline in outlines_px:
        hull = cv2.convexHull(((np.asarray(outline) + 0.5) / SHRINK - 0.5).astype(np.float32).reshape(-1, 1, 2))
        cv2.fillConvexPoly(near, np.round(hull).astype(np.int32), 1)
    reach = max(1, round(SHADOW_MM * px_per_mm(pose, [tuple(corner) for corner in mat_mm]) / SHRINK))
    around = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    return np.asarray(cv2.dilate(near, around) > 0)


def _small(mask: NDArray[np.bool_], like: Mask) -> NDArray[np.bool_]:
    """Returns a mask (H, W) at the size of another one: True where all of the larger area is True."""
    size = like.shape[1], like.shape[0]
    return np.asarray(cv2.resize(mask.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0.99)


def _on_mat(corners_px: Floats, same: Mask) -> NDArray[np.bool_]:
    """Returns a mask (h, w) of the mat itself."""
    inside = np.zeros(same.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.round((corners_px + 0.5) / SHRINK - 0.5).astype(np.int32), 1)
    return np.asarray(inside > 0)

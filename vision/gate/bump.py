"""Detects a move of the camera between two pictures, and how to lay one over the other again.

Corners of markers, board and pieces are followed from one thumb to the other; corners that a hand hides or a player
moved are outvoted. A table that stands still gives a motion of a few hundredths of a pixel.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gate.change import Thumb

POINTS = 100
"""Corners that are followed at most."""
POINTS_LEAST = 8
"""With fewer agreeing corners there is no answer."""
AGREE_PX = 0.8
"""Thumb pixels within which a corner agrees with the common motion."""
AGREE_SHARE = 0.5
"""This share of the corners must agree."""


class Shift(NamedTuple):
    """A common motion of the whole picture."""

    matrix: NDArray[np.float64]
    """(2, 3): takes thumb pixels of the earlier picture to the later one."""
    px: float
    """The median distance in thumb pixels by which the agreeing corners moved."""


def find_shift(before: Thumb, now: Thumb) -> Shift | None:
    """The camera's motion between two pictures; None if they have too little in common."""
    old, new = cv2.cvtColor(before, cv2.COLOR_BGR2GRAY), cv2.cvtColor(now, cv2.COLOR_BGR2GRAY)
    corners = cv2.goodFeaturesToTrack(old, POINTS, 0.02, 6)
    if corners is None:
        return None
    start = np.asarray(corners, dtype=np.float32).reshape(-1, 1, 2)
    if len(start) < POINTS_LEAST:
        return None
    end, found, _ = cv2.calcOpticalFlowPyrLK(old, new, start, start.copy(), winSize=(13, 13), maxLevel=3)
    kept = np.ravel(found) > 0
    source, target = start.reshape(-1, 2)[kept], np.asarray(end).reshape(-1, 2)[kept]
    if len(source) < POINTS_LEAST:
        return None
    matrix, agree = cv2.estimateAffine2D(source, target, method=cv2.RANSAC, ransacReprojThreshold=AGREE_PX)
    if matrix is None:
        return None
    chosen = np.ravel(agree) > 0
    if np.count_nonzero(chosen) < max(POINTS_LEAST, AGREE_SHARE * len(source)):
        return None
    moved = np.linalg.norm(target[chosen] - source[chosen], axis=1)
    return Shift(np.asarray(matrix, dtype=np.float64), float(np.median(moved)))


def laid_over(before: Thumb, shift: Shift) -> Thumb:
    """The earlier picture as the moved camera would have seen it; its new border repeats the old one."""
    size = (before.shape[1], before.shape[0])
    return np.asarray(
        cv2.warpAffine(before, shift.matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        dtype=np.uint8,
    )

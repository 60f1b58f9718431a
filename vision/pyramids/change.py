"""Where a picture is as it was: pieces there are kept, and only the rest is read again."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]
Mask = NDArray[np.uint8]
Box = tuple[int, int, int, int]
"""x0, y0, x1, y1 in pixels of the picture, ends excluded."""

SHRINK = 4
"""Pictures are compared at a quarter of their size."""


def unchanged(now: Mask, before: Mask) -> Mask:
    """(h, w) 1 where a small picture (h, w, 3) BGR is as it was, after evening out the exposure."""
    ratio = np.log((now.astype(np.float32) + 4) / (before.astype(np.float32) + 4))
    ratio -= np.median(ratio[::4, ::4], axis=(0, 1))
    moved = (np.abs(cv2.blur(ratio, (3, 3))).max(axis=2) > 0.08).astype(np.uint8)
    moved = np.asarray(cv2.morphologyEx(moved, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)
    return np.asarray(1 - cv2.dilate(moved, np.ones((5, 5), np.uint8)), np.uint8)


def inside(box: Box, same: Mask) -> bool:
    """Whether all of a box is unchanged."""
    part = same[max(box[1], 0) // SHRINK : -(-box[3] // SHRINK), max(box[0], 0) // SHRINK : -(-box[2] // SHRINK)]
    return bool(part.all()) if part.size else True


def changed_boxes(same: Mask) -> list[Box]:
    """Boxes around all that has changed, joined where they touch, in pixels of the full picture."""
    joined = cv2.dilate(1 - same, np.ones((9, 9), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    found = []
    for x, y, width, height, _ in stats.reshape(-1, 5)[1:]:
        found.append(tuple(int(v) * SHRINK for v in (x, y, x + width, y + height)))
    return found  # type: ignore[return-value]

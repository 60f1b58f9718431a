"""Boxes of a picture that are as they were: pieces there are kept, and only the rest is read again."""

from __future__ import annotations

import cv2
import numpy as np

from vision.image.likeness import SHRINK, Mask

Box = tuple[int, int, int, int]
"""x0, y0, x1, y1 in pixels of the picture, ends excluded."""


def inside(box: Box, same: Mask) -> bool:
    """Returns true if all of a box is unchanged."""
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

"""Exact shapes painted into a grid of cells or pixels, nearer levels over farther ones."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readers.pyramids.sheet import STRIDE, Sheet

Floats = NDArray[Any]

_SHIFT = 4
"""Bits of the fraction in which OpenCV takes corners."""


def painted_levels(outline: Floats, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """(h, w) 0, or 1 + the level that is seen.

    Args:
        outline: (levels, 5, 2) corners and tip of each piece, lowest first, x and y in cells or pixels of the grid.
        shape: Its rows and columns.
    """
    seen = np.zeros(shape, np.uint8)
    for level, corners in enumerate(np.rint(outline * 2**_SHIFT).astype(np.int32)):
        cv2.fillConvexPoly(seen, cv2.convexHull(corners), level + 1, shift=_SHIFT)
    return seen


def covered(outline_px: Floats, sheet: Sheet, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """(h, w) which cells of a sheet are inside of a thing's outline (levels, 5, 2), in picture pixels."""
    return painted_levels((sheet.to_sheet(outline_px) - (STRIDE - 1) / 2) / STRIDE, shape) > 0

"""Outlines, rims, ridges and insides of pyramids, by a net pixel by pixel.

It looks at the picture alone: patterns of a table, its shadows and its grain have edges, too, and a gradient cannot
distinguish them from those of a piece; a net that has seen many tables can (as in Xie and Tu, Holistically-nested edge
detection, ICCV 2015, only much smaller).
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.edges import LOGS
from vision.image.picture import Picture
from vision.readers.pyramids.packed import load_net

Floats = NDArray[Any]

FILE = "contours.npz"
KINDS = 4
"""Outline, rim, ridge (`shape_lines`), and inside of a piece."""
CELL_PX = 2
"""The net sees pixels in squares of this side."""
STEP_PX = 32
"""Parts of a picture are as wide and as high as a multiple of this, so that few sizes occur."""
_SURE = 6.0
"""Log odds are no farther from zero than this: no pixel decides alone."""
_SPARSE = 8


def middle_log(picture: Picture) -> Floats:
    """(3,) the logarithm of what most of a picture shows, B, G, R."""
    return np.asarray(np.median(LOGS[picture[::_SPARSE, ::_SPARSE]].reshape(-1, 3), axis=0), np.float32)


class ContourNet:
    """The trained net, run by OpenCV."""

    def __init__(self, path: Path) -> None:
        self._net = load_net(path)

    def __call__(self, part: Picture, middle: Floats) -> Floats:
        """(KINDS, H, W) log odds for a part of a picture (H, W, 3), H and W multiples of `STEP_PX`.

        Args:
            middle: `middle_log` of the whole picture.
        """
        logs = cv2.LUT(part, LOGS) - middle
        height, width = logs.shape[0] // CELL_PX, logs.shape[1] // CELL_PX
        cells = logs.reshape(height, CELL_PX, width, CELL_PX, 3).transpose(4, 1, 3, 0, 2)
        self._net.setInput(np.ascontiguousarray(cells.reshape(1, -1, height, width), np.float32))
        out = self._net.forward()[0].reshape(KINDS, CELL_PX, CELL_PX, height, width).transpose(0, 3, 1, 4, 2)
        return np.asarray(np.clip(out.reshape(KINDS, height * CELL_PX, width * CELL_PX), -_SURE, _SURE))


class Contours:
    """The contours of one picture, found part by part where they are asked for."""

    def __init__(self, picture: Picture, net: ContourNet) -> None:
        self._picture, self._net = picture, net

    @cached_property
    def _middle(self) -> Floats:
        return middle_log(self._picture)

    def around(self, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """Log odds (KINDS, h, w) of a part that holds a box from `low` to `high` (2,), and its first pixel (2,)."""
        height, width = self._picture.shape[:2]
        first = np.clip(np.floor(low).astype(int), 0, (width - 1, height - 1))
        end = np.clip(np.ceil(high).astype(int), first + 1, (width, height))
        size = -(-(end - first) // STEP_PX) * STEP_PX
        first = np.maximum(np.minimum(first, (width, height) - size), 0)
        part = self._picture[first[1] : first[1] + size[1], first[0] : first[0] + size[0]]
        right, below = (size - part.shape[1::-1]).tolist()
        if right or below:
            part = np.asarray(cv2.copyMakeBorder(part, 0, below, 0, right, cv2.BORDER_REPLICATE), np.uint8)
        return self._net(part, self._middle), first

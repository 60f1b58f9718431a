"""Where outlines, rims and ridges of pyramids run, and what is inside of them, told by a net pixel by pixel.

It looks at the picture alone: patterns of a table, its shadows and its grain have edges, too, and a gradient cannot
tell them from those of a piece; a net that has seen many tables can (as in Xie and Tu, Holistically-nested edge
detection, ICCV 2015, only much smaller).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.edges import LOGS
from vision.picture import Picture
from vision.pyramids.packed import load_net

Floats = NDArray[Any]
Ints = NDArray[np.intp]

FILE = "contours.npz"
KINDS = 4
"""Outline, rim, ridge (`shape_lines`), and inside of a piece."""
LINES = 3
"""The first of them are lines."""
CELL_PX = 2
"""The net sees pixels in squares of this side."""
STEP_PX = 32
"""Parts of a picture are as wide and as high as a multiple of this, so that few sizes occur."""
_SURE = 6.0
"""Log odds are no farther from zero than this: no pixel decides alone."""
_SPARSE = 8
_BLUR_PX = 0.7
EDGE_PX = 8
"""So near to the edge of a part the net sees half of what is around."""
_LOOK_PX = 3000
"""A part takes as much time as its pixels and so many more."""


def middle_log(picture: Picture) -> Floats:
    """(3,) the logarithm of what most of a picture shows, B, G, R."""
    return np.asarray(np.median(LOGS[picture[::_SPARSE, ::_SPARSE]].reshape(-1, 3), axis=0), np.float32)


class ContourNet:
    """The trained net, run by OpenCV."""

    def __init__(self, path: Path) -> None:
        self._net = load_net(path)

    def __call__(self, part: Picture, middle: Floats) -> Floats:
        """(KINDS, H, W) log odds for a part of a picture (H, W, 3), H and W multiples of `STEP_PX`.

        :param middle: `middle_log` of the whole picture.
        """
        logs = cv2.LUT(part, LOGS) - middle
        height, width = logs.shape[0] // CELL_PX, logs.shape[1] // CELL_PX
        cells = logs.reshape(height, CELL_PX, width, CELL_PX, 3).transpose(4, 1, 3, 0, 2)
        self._net.setInput(np.ascontiguousarray(cells.reshape(1, -1, height, width), np.float32))
        out = self._net.forward()[0].reshape(KINDS, CELL_PX, CELL_PX, height, width).transpose(0, 3, 1, 4, 2)
        return np.asarray(np.clip(out.reshape(KINDS, height * CELL_PX, width * CELL_PX), -_SURE, _SURE))


class ContourMaps(NamedTuple):
    """What is known of a picture's contours; where it was not looked for them, nothing is, and all values are zero."""

    odds: Floats
    """(KINDS, H, W) log odds of each kind."""
    lines: Floats
    """(H, W) how likely an outline or a rim is, from 0 to 1, a little blurred."""
    missed: Floats
    """(LINES, H, W) how much less likely the picture is, in logarithms, if no line of a kind is there."""


class Contours:
    """The contours of one picture, found part by part where they are asked for."""

    def __init__(self, picture: Picture, net: ContourNet) -> None:
        self._picture, self._net = picture, net
        self._known = np.zeros(picture.shape[:2], np.uint8)
        """1 at the edge of a part, where the net saw half of what is around, 2 inside of it."""

    @cached_property
    def _middle(self) -> Floats:
        return middle_log(self._picture)

    @cached_property
    def _maps(self) -> ContourMaps:
        height, width = self._picture.shape[:2]
        return ContourMaps(*(np.zeros((*kinds, height, width), np.float32) for kinds in ((KINDS,), (), (LINES,))))

    def seen_in(self, boxes: Sequence[Floats]) -> ContourMaps:
        """The maps of the whole picture, in which everything in some boxes (2, 2) of pixels is known.

        A box goes from its first row, x and y, to its second one. Boxes that overlap are looked at together.
        """
        limit = np.array(self._picture.shape[1::-1])
        asked = [np.clip([np.floor(low), np.ceil(high)], 0, limit).astype(int) for low, high in boxes]
        for low, high in _merged([box for box in asked if not self._knows(box)]):
            self._keep(*self.around(low, high))
        return self._maps

    def _knows(self, box: Ints) -> bool:
        """Whether all of a box (2, 2) was looked at, and more than its edge as the inside of a part."""
        (left, top), (right, bottom) = box.tolist()
        known = self._known[top:bottom, left:right]
        return bool(known.all() and (known[EDGE_PX:-EDGE_PX, EDGE_PX:-EDGE_PX] > 1).all())

    def _keep(self, odds: Floats, first: Ints) -> None:
        """Put a part into the maps; its edge only where nothing was known."""
        maps = self._maps
        height, width = np.minimum(odds.shape[1:], self._known.shape - first[::-1])
        part = np.s_[first[1] : first[1] + height, first[0] : first[0] + width]
        odds = odds[:, :height, :width]
        likely = 1 / (1 + np.exp(-odds))
        lines = cv2.GaussianBlur(np.maximum(likely[0], likely[1]), (0, 0), _BLUR_PX)
        known = np.ones((height, width), np.uint8)
        known[EDGE_PX:-EDGE_PX, EDGE_PX:-EDGE_PX] = 2
        new = known >= self._known[part]
        for old, values in zip(maps, (odds, lines, -np.log1p(-likely[:LINES])), strict=True):
            np.copyto(old[..., *part], values, where=new)
        np.maximum(self._known[part], known, out=self._known[part])

    def around(self, low: Floats, high: Floats) -> tuple[Floats, Ints]:
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


def _merged(boxes: Sequence[Ints]) -> list[Ints]:
    """Boxes (2, 2) that hold all of some boxes; two of them are one where that is less to look at."""
    found: list[Ints] = []
    for box in boxes:
        kept = 0
        while kept < len(found):
            both = np.stack([np.minimum(box[0], found[kept][0]), np.maximum(box[1], found[kept][1])])
            if _pixels(both) > _pixels(box) + _pixels(found[kept]):
                kept += 1
                continue
            box, kept = both, 0
            found = [other for other in found if not _within(other, both)]
        found.append(box)
    return found


def _within(box: Ints, other: Ints) -> bool:
    """Whether all of a box is in another one."""
    return bool((box[0] >= other[0]).all() and (box[1] <= other[1]).all())


def _pixels(box: Ints) -> int:
    """How many pixels are looked at for a box, and what one look costs beside them."""
    width, height = (-(-(box[1] - box[0]) // STEP_PX) * STEP_PX).tolist()
    return int(width * height) + _LOOK_PX

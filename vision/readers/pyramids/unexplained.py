"""Unexplained plastic and contours of a part of a picture.

Shapes are laid over it one after another; each part counts for one of them only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readers.pyramids.contours import ContourFit
from vision.readers.pyramids.hypothesis import StackHypothesis, outlines
from vision.readers.pyramids.looking import Looking
from vision.readers.pyramids.shape_lines import ShapeLines, shape_lines
from vision.readers.pyramids.sheet import PX_PER_MM, STRIDE

Floats = NDArray[Any]
Counts = NDArray[np.int16]

_MOST = 5.0
"""Log odds of plastic that one cell may claim."""
_CELL = 0.012
"""The weight of a cell of plastic beside contours: neighbors are alike."""
_BESIDE_PX = 2
"""Contours so near to a line are explained by it."""
_MARGIN_PX = 3


class ShapePixels(NamedTuple):
    """The pixels of a shape in the part of a picture."""

    part: tuple[slice, slice]
    """Rows and columns around it."""
    explains: Counts
    """(2, h, w) 1 inside of it, and 1 on its lines and just beside them."""
    at: NDArray[np.intp]
    """(N,) numbers of its pixels: those inside of it in the area, then those on its lines in the contours."""
    claims: Floats
    """(N,) log odds that each counts for it without another explanation."""
    always: float
    """Log odds that count in any case: a head start, and what speaks against it."""


class Unexplained:
    """The unexplained rest, in log odds for each pixel."""

    def __init__(self, fit: ContourFit, place_mm: Floats, looking: Looking) -> None:
        """
        Args:
            place_mm: (2,) the place that gives a pixel's size.
        """
        self._fit, self._pose = fit, looking.pose
        px_per_mm = float(fit.scales_at(place_mm[None])[0])
        self._lines = fit.worth(looking.weigher.weights.whole, px_per_mm)
        self._plastic = self._plastic_of(looking) * (_CELL * (PX_PER_MM / STRIDE / px_per_mm) ** 2)
        self._explained = np.zeros((2, *self._plastic.shape), np.int16)
        """(2, h, w) by how many taken shapes each pixel is covered, and explained as a contour."""
        self._numbers = np.arange(self._explained.size).reshape(self._explained.shape)

    def _plastic_of(self, looking: Looking) -> Floats:
        """(h, w) log odds of plastic."""
        answers, sheet = looking.answers, looking.sheet
        odds, step = (answers.plastic, STRIDE) if answers.fine is None else (answers.fine, 1)
        height, width = self._lines.shape[1:]
        rows, columns = np.mgrid[0:height, 0:width]
        pixels = np.stack([columns, rows], axis=-1).reshape(-1, 2) + self._fit.first
        at = ((sheet.to_sheet(pixels) - (step - 1) / 2) / step).astype(np.float32).reshape(height, width, 2)
        clipped = np.clip(odds, -_MOST, _MOST).astype(np.float32)
        x, y = at[..., 0], at[..., 1]
        seen = cv2.remap(clipped, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=-_MOST)
        return np.asarray(seen)

    def pixels(self, places: Sequence[StackHypothesis], head_starts: Sequence[float] = ()) -> list[ShapePixels]:
        """The pixels of some shapes, with the head start of each, if any has one."""
        limit = np.array(self._plastic.shape[::-1])
        found = []
        seen = outlines(places, self._pose) if places else []
        for place, outline, start in zip(places, seen, head_starts or [0.0] * len(places), strict=True):
            flat = outline - self._fit.first
            low = np.clip(np.floor(flat.min(axis=(0, 1))).astype(int) - _MARGIN_PX, 0, limit - 1)
            high = np.clip(np.ceil(flat.max(axis=(0, 1))).astype(int) + _MARGIN_PX, low + 1, limit)
            width, height = (high - low).tolist()
            lines = shape_lines(flat - low, (width, height), place.lies)
            found.append(self._pixels_of(lines, (slice(low[1], high[1]), slice(low[0], high[0])), start))
        return found

    def _pixels_of(self, lines: ShapeLines, part: tuple[slice, slice], head_start: float) -> ShapePixels:
        """The pixels of a shape with these lines around it."""
        side = 2 * _BESIDE_PX + 1
        near = cv2.dilate((lines.kinds > 0).astype(np.uint8), np.ones((side, side), np.uint8))
        inside, lined = lines.inside > 0, lines.kinds > 0
        told = self._lines[:, *part][lines.kinds[lined] - 1, *np.nonzero(lined)]
        claims = np.concatenate([self._plastic[part][inside], told])
        covered, contours = self._numbers[:, *part]
        at = np.concatenate([covered[inside], contours[lined]])
        always = head_start + float(np.minimum(claims, 0).sum())
        return ShapePixels(part, np.stack([lines.inside, near]).astype(np.int16), at, np.maximum(claims, 0), always)

    def gain(self, shape: ShapePixels) -> float:
        """Log odds that a shape explains and those that are taken do not; what speaks against it always does."""
        return shape.always + float(shape.claims @ self._free(shape.at))

    def own(self, shape: ShapePixels) -> float:
        """Share of a shape's inside that no taken one covers."""
        inside = int(np.count_nonzero(shape.explains[0]))
        return float(self._free(shape.at[:inside]).mean()) if inside else 0.0

    def _free(self, at: NDArray[np.intp]) -> NDArray[np.bool_]:
        """(N,) the pixels that no taken shape explains."""
        return np.asarray(self._explained.ravel()[at] == 0)

    def take(self, shape: ShapePixels) -> None:
        """From now on this shape explains what it covers."""
        self._explained[:, *shape.part] += shape.explains

    def leave(self, shape: ShapePixels) -> None:
        """No more."""
        self._explained[:, *shape.part] -= shape.explains

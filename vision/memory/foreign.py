"""Finds foreign things on a table: a cloth, a sleeve, a cup, and other things that are not pieces.

`BareTable` remembers how each place of the table looked when it was bare, and compares each picture with that. Most
changes are harmless: a piece casts a shadow and colored light, a hand in the air shades the table, a cloth is lifted.
Two kinds of change count as foreign: a part brighter than colored light makes the table, and a large change that has
another color than a shadow, a sharper edge than one, or lacks the table's pattern. A place that was never seen bare has
no answer. A doubtful change does not count as foreign, since a foreign thing turns verdicts into questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.plan import Mat
from vision.calibration.calibration import SHADOW_MM, EmptyTable, px_per_mm, relit
from vision.image.likeness import (
    FLOOR,
    SHRINK,
    Glance,
    Mask,
    Small,
    carried,
    dilated,
    drawn,
    glance_of,
    residual,
    unchanged,
)

Floats = NDArray[Any]
Box = tuple[slice, slice]

EXPLAINED_MM = 5.0
"""The distance in millimeters within which a change belongs to a known thing: outlines are wrong by a millimeter or
two.
"""
FIRST_MM = 10.0
"""The distance in millimeters from all things at which the first picture's table counts as bare. Shadows may reach
farther.
"""
BRIGHT = 0.25
"""The log ratio of light above which a change is brighter than the light that colored plastic throws on the table."""
SMALL_MM = 12.0
"""The least diameter in millimeters of a bright change: the base of a small pyramid, less the blur of a small
picture.
"""
LARGE_MM = 36.0
"""The least diameter in millimeters of any other change: the shadows of trees are narrower."""
HUE = 0.15
"""The largest difference of a shadow's log ratios between colors: this number, plus this share of its depth."""
DEEP, SHARP = 0.25, 0.32
"""A colorless change counts if it is darker than `DEEP`, in logarithms, and its edge rises by more than the share
`SHARP` of its depth per pixel: 0.36 to 0.47 at a cloth's edge, 0.23 at that of a shadow 12 mm wide.
"""
STEP = 0.05
"""The log ratio by which the edge of a new thing exceeds the edge that the bare table had there."""
PATTERNED, PLAIN = 0.12, 0.5
"""A table has a pattern if the logarithm of its light has at least the standard deviation `PATTERNED`. The pattern is
gone if the deviation is below the share `PLAIN` of that.
"""

_REACH_PX = 8
"""The margin around a change that is examined, in pixels of a small picture."""
_RIM_PX = 3
"""The width in pixels of the rim in which a change mixes with the table."""
_WINDOW_PX = 7
"""The side in pixels of the windows over which the light on both sides of an edge is averaged."""
_FILLED = 2.5 / 49
"""The least share of such a window that must lie on each side."""
_LEAST_EDGE_PX = 4
"""The least length in pixels of an edge that counts as evidence."""


class _Beside(NamedTuple):
    """A picture compared with the bare table."""

    bare: Small
    """(h, w, 3): the bare table as the picture's camera sees it."""
    seen: Mask
    """(h, w) 1 where the bare table is known."""
    same: Mask
    """(h, w) 1 where the picture shows the bare table."""
    changed: Mask
    """(h, w) 1 where the picture shows something else that no thing explains."""
    perhaps: Mask
    """(h, w) 1 at `changed` and where only a doubtful thing explains the change: a piece of cloth may have been
    misread.
    """
    free: Mask
    """(h, w) 1 where neither known things nor their shadows are."""
    open: Mask
    """(h, w) 1 where there is no certain thing."""
    px_per_mm: float
    """The scale of the small picture in pixels per millimeter."""


class BareTable:
    """The look of one table, place by place, when it was last seen bare."""

    def __init__(self, empty: EmptyTable | None = None) -> None:
        """Args:
        empty: The table that was shown empty; with None, the first picture shows the bare table beside its things.
        """
        self._empty = empty
        self._glance: Glance | None = None
        self._seen: Mask | None = None

    def take(self, now: Glance, mat: Mat, sure_px: Sequence[Floats], doubtful_px: Sequence[Floats] = ()) -> Mask:
        """Returns where foreign things are, and remembers where the table is bare.

        Args:
            now: A steady picture.
            sure_px: The outlines (N, 2) of the things that were read surely, in pixels of the picture.
            doubtful_px: Those of the others. A large change is not explained by them.

        Returns:
            (h, w) 1 at foreign things, at the size of `now.small`.
        """
        sure, things = _drawn(sure_px, now), _drawn([*sure_px, *doubtful_px], now)
        beside = self._beside(now, mat, sure, things)
        if beside is None:
            self._begin(now, mat, things)
            beside = self._beside(now, mat, sure, things)
        if beside is None:
            return np.zeros_like(things)
        self._remember(now, beside)
        return _foreign(now, beside)

    def foreign(self, now: Glance, mat: Mat, sure_px: Sequence[Floats], doubtful_px: Sequence[Floats] = ()) -> Mask:
        """Returns the mask of foreign things, as `take` does, without remembering it."""
        sure, things = _drawn(sure_px, now), _drawn([*sure_px, *doubtful_px], now)
        beside = self._beside(now, mat, sure, things)
        return np.zeros_like(things) if beside is None else _foreign(now, beside)

    def _begin(self, now: Glance, mat: Mat, things: Mask) -> None:
        """Begins with the empty table, or with the first picture."""
        if self._empty is None:
            self._glance, self._seen = now, 1 - _grown(things, FIRST_MM * _px_per_mm(now, mat))
            return
        self._glance = glance_of(self._empty.picture_from(now.pose), now.pose)
        known = self._empty.known_from(now.pose).astype(np.float32)
        size = things.shape[1], things.shape[0]
        self._seen = np.asarray(cv2.resize(known, size, interpolation=cv2.INTER_AREA) > 0.99, np.uint8)

    def _beside(self, now: Glance, mat: Mat, sure: Mask, things: Mask) -> _Beside | None:
        """Returns a picture beside the bare table; None if there is no comparable memory."""
        if self._glance is None or self._seen is None:
            return None
        corners_mm = np.array(mat.corners_mm())
        same = unchanged(self._glance, now, corners_mm)
        if same is None:
            return None
        bare, seen = carried(self._glance, self._seen, now, corners_mm)
        scale = _px_per_mm(now, mat)
        is_open, free = 1 - _grown(sure, EXPLAINED_MM * scale), 1 - _grown(things, SHADOW_MM * scale)
        perhaps = seen & (1 - same) & is_open
        changed = perhaps & (1 - _grown(things, EXPLAINED_MM * scale))
        return _Beside(bare, seen, same, changed, perhaps, free, is_open, scale)

    def _remember(self, now: Glance, beside: _Beside) -> None:
        """Takes the bare places from a picture, and adapts the others to its light.

        A place that was never seen bare counts as bare after a thing has left it, unless something changed beside it: a
        cloth may have been laid over both.
        """
        quiet = 1 - _grown(beside.perhaps, _RIM_PX)
        known = beside.same & beside.free & beside.seen
        taken = known | (beside.free & quiet & (1 - beside.seen))
        old = relit(beside.bare, now.small, known > 0)
        self._glance = Glance(np.where(taken[..., None] > 0, now.small, old), now.pose)
        self._seen = beside.seen | taken


def _foreign(now: Glance, beside: _Beside) -> Mask:
    """Returns (h, w) with 1 at the changes that only a foreign thing makes."""
    found = np.zeros_like(beside.changed)
    if not _opened(beside.perhaps, SMALL_MM * beside.px_per_mm).any():
        return found
    ratio = cv2.blur(residual(beside.bare, now.small, beside.seen), (3, 3))
    bright = beside.changed & (ratio.max(axis=2) > BRIGHT).astype(np.uint8)
    for changes, size_mm in ((bright, SMALL_MM), (beside.perhaps, LARGE_MM)):
        _, labels, stats, _ = cv2.connectedComponentsWithStats(_opened(changes, size_mm * beside.px_per_mm))
        for number, (x, y, width, height) in enumerate(stats[1:, :4].tolist(), 1):
            box = (
                slice(max(0, y - _REACH_PX), y + height + _REACH_PX),
                slice(max(0, x - _REACH_PX), x + width + _REACH_PX),
            )
            change = _Change(np.asarray(labels[box] == number, np.uint8), now.small[box], ratio[box], beside, box)
            if change.came() if changes is bright else change.is_mostly(beside.changed[box]) and change.is_foreign():
                found[box] |= change.place
    return found


class _Change:
    """One connected change of the table."""

    def __init__(self, place: Mask, now: Small, ratio: Floats, beside: _Beside, box: Box) -> None:
        """Args:
        place: (h, w) 1 at the change; like all arrays here, only the part of the picture around it.
        ratio: Log ratios of light that no lamp explains.
        """
        self.place, self._ratio = place, ratio
        self._now, self._bare = _logs(now), _logs(beside.bare[box])
        self._open, self._around = beside.open[box], beside.open[box] & beside.seen[box]
        inner = cv2.erode(place, np.ones((2 * _RIM_PX + 1, 2 * _RIM_PX + 1), np.uint8)) > 0
        self._inner = inner if inner.any() else place > 0

    def is_mostly(self, mask: Mask) -> bool:
        """True if at least half of the change is in a mask (h, w)."""
        return 2 * int((self.place & mask).sum()) >= int(self.place.sum())

    def is_foreign(self) -> bool:
        """True if the change does not look like a shadow, and the table was bare before it but not after it."""
        pattern = float(self._bare[self._inner].mean(axis=1).std())
        if pattern > PATTERNED:
            now, before = self._steps()
            return float(self._now[self._inner].mean(axis=1).std()) < PLAIN * pattern and now > before / 2
        middle = np.median(self._ratio[self._inner], axis=0)
        depth = float(middle.mean())
        is_colored = float(np.ptp(middle)) > HUE * (1 + abs(depth))
        return (is_colored or (depth < -DEEP and self._sharpness(-depth) > SHARP)) and self.came()

    def came(self) -> bool:
        """True if its edge is stronger than before: the thing lies on the table, and was not lifted from it."""
        now, before = self._steps()
        return now > before + STEP

    def _steps(self) -> tuple[float, float]:
        """Returns the strength of the edge in the picture and on the bare table, in logarithms of light."""
        return _step(self._now, self.place, self._around), _step(self._bare, self.place, self._around)

    def _sharpness(self, depth: float) -> float:
        """Returns the rise of the edge per pixel, as a share of the change's depth."""
        mean = self._ratio.mean(axis=2)
        across, down = (cv2.Sobel(mean, cv2.CV_32F, dx, 1 - dx, scale=1 / 8) for dx in (1, 0))
        steepest = cv2.dilate(np.hypot(across, down), np.ones((_WINDOW_PX, _WINDOW_PX), np.uint8))
        edge = ((_grown(self.place, 1) - self.place) & self._open) > 0
        return float(np.median(steepest[edge])) / depth if edge.any() else 0.0


def _step(logs: Floats, place: Mask, around: Mask) -> float:
    """Returns the mean difference of light (h, w, 3) across the edge of a place; 0 if too little of it is in view."""
    inside, outside = place.astype(np.float32), ((1 - place) & around).astype(np.float32)
    (inner, filled), (outer, full) = (_windows(logs, weight) for weight in (inside, outside))
    edge = (_grown(place, 1) > place) & (filled > _FILLED) & (full > _FILLED)
    if int(edge.sum()) < _LEAST_EDGE_PX:
        return 0.0
    return float(np.abs(inner - outer)[edge].max(axis=1).mean())


def _windows(logs: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Returns weighted means over windows, (h, w, 3), and the weight of each, (h, w)."""
    size = _WINDOW_PX, _WINDOW_PX
    total = cv2.blur(weight, size)
    return cv2.blur(logs * weight[..., None], size) / np.maximum(total, 1e-6)[..., None], total


def _logs(small: Small) -> Floats:
    return np.asarray(np.log(small.astype(np.float32) + FLOOR))


def _drawn(outlines_px: Sequence[Floats], now: Glance) -> Mask:
    """Returns (h, w) with 1 at known things."""
    shape = now.small.shape[:2]
    things = np.zeros(shape, np.uint8)
    for outline in outlines_px:
        things |= drawn(np.asarray(outline, np.float64)[None], shape)
    return things


def _px_per_mm(now: Glance, mat: Mat) -> float:
    return px_per_mm(now.pose, mat.corners_mm()) / SHRINK


def _grown(mask: Mask, by_px: float) -> Mask:
    return dilated(mask, max(1, round(by_px)))


def _opened(mask: Mask, diameter_px: float) -> Mask:
    """Returns the parts of a mask that are as wide as a disk."""
    side = max(2, round(diameter_px))
    disk = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, disk), np.uint8)

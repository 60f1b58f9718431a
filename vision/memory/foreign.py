"""The foreign things on a table: a cloth, a sleeve, a cup, and other things that are no pieces.

`BareTable` remembers how each place of the table looked when it was bare, and compares each picture with that. Most
changes are no foreign thing: a piece throws a shadow and colored light, a hand in the air shades the table, a cloth is
lifted. Only these count: a part brighter than colored light makes the table, and a large change that is colored unlike
a shadow, has a sharper edge than one, or lacks the table's pattern. A place that was never seen bare has no answer. In
doubt a change is no foreign thing, since a foreign thing turns verdicts into questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.plan import Mat
from vision.calibration.around import SHADOW_MM, px_per_mm, relit
from vision.calibration.empty import EmptyTable
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
"""A change so near to a known thing belongs to it: outlines are wrong by a millimeter or two."""
FIRST_MM = 10.0
"""In the first picture the table counts as bare so far from all things. Some of their shadows reach farther."""
BRIGHT = 0.25
"""A log ratio of light above this is no light that colored plastic throws on the table beside it."""
SMALL_MM = 12.0
"""A bright change counts from this diameter on: the base of a small pyramid, less the blur of a small picture."""
LARGE_MM = 36.0
"""Any other change counts from this diameter on: the shadows of trees are narrower."""
HUE = 0.15
"""A shadow's log ratios differ by at most so much between colors, and by this share of its depth more."""
DEEP, SHARP = 0.25, 0.32
"""A colorless change counts if it is darker than `DEEP`, in logarithms, and its edge rises by more than the share
`SHARP` of that in a pixel: 0.36 to 0.47 at a cloth's edge, 0.23 at that of a shadow 12 mm wide."""
STEP = 0.05
"""The edge of what came is stronger than the edge which the bare table had there by this log ratio."""
PATTERNED, PLAIN = 0.12, 0.5
"""A table has a pattern if its light varies by this standard deviation of the logarithm. The pattern is gone where the
light varies by less than the share `PLAIN` of that."""

_REACH_PX = 8
"""So much around a change is looked at, in pixels of a small picture."""
_RIM_PX = 3
"""The rim of a change mixes with the table."""
_WINDOW_PX = 7
"""Light on both sides of an edge is the mean over a window of this side."""
_FILLED = 2.5 / 49
"""The least share of such a window that must lie on each side."""
_LEAST_EDGE_PX = 4
"""A shorter edge is no evidence."""


class _Beside(NamedTuple):
    """A picture beside the bare table."""

    bare: Small
    """(h, w, 3) as the picture's camera sees it."""
    seen: Mask
    """(h, w) 1 where it is known."""
    same: Mask
    """(h, w) 1 where the picture shows it."""
    changed: Mask
    """(h, w) 1 where the picture shows something else that no thing explains."""
    perhaps: Mask
    """(h, w) 1 there, and where a doubtful thing explains it: a part of a cloth may have been taken for a piece."""
    free: Mask
    """(h, w) 1 where neither known things nor their shadows are."""
    open: Mask
    """(h, w) 1 where no sure thing is."""
    px_per_mm: float
    """Of the small picture."""


class BareTable:
    """The looks of one table when it was last seen bare, place by place."""

    def __init__(self, empty: EmptyTable | None = None) -> None:
        """`empty` is the table that was shown empty; None: what the first picture shows beside its things is bare."""
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
        """Begin with the empty table, or with the first picture."""
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
        """Take the bare places of a picture over, and bring the others into its light.

        A place that was never seen bare counts as bare once a thing has left it, unless something changed beside it: a
        cloth may have been laid over both.
        """
        quiet = 1 - _grown(beside.perhaps, _RIM_PX)
        known = beside.same & beside.free & beside.seen
        taken = known | (beside.free & quiet & (1 - beside.seen))
        old = relit(beside.bare, now.small, known > 0)
        self._glance = Glance(np.where(taken[..., None] > 0, now.small, old), now.pose)
        self._seen = beside.seen | taken


def _foreign(now: Glance, beside: _Beside) -> Mask:
    """(h, w) 1 at the changes that only a foreign thing makes."""
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
        """All (h, w, ...) are the part of a picture around it.

        Args:
            place: 1 at the change.
            ratio: Log ratios of light that no lamp explains.
        """
        self.place, self._ratio = place, ratio
        self._now, self._bare = _logs(now), _logs(beside.bare[box])
        self._open, self._around = beside.open[box], beside.open[box] & beside.seen[box]
        inner = cv2.erode(place, np.ones((2 * _RIM_PX + 1, 2 * _RIM_PX + 1), np.uint8)) > 0
        self._inner = inner if inner.any() else place > 0

    def is_mostly(self, mask: Mask) -> bool:
        """True if at least half of it is in a mask (h, w)."""
        return 2 * int((self.place & mask).sum()) >= int(self.place.sum())

    def is_foreign(self) -> bool:
        """True if no shadow looks like it, and the table was bare before it and not after it."""
        pattern = float(self._bare[self._inner].mean(axis=1).std())
        if pattern > PATTERNED:
            now, before = self._steps()
            return float(self._now[self._inner].mean(axis=1).std()) < PLAIN * pattern and now > before / 2
        middle = np.median(self._ratio[self._inner], axis=0)
        depth = float(middle.mean())
        is_colored = float(np.ptp(middle)) > HUE * (1 + abs(depth))
        return (is_colored or (depth < -DEEP and self._sharpness(-depth) > SHARP)) and self.came()

    def came(self) -> bool:
        """True if its edge is stronger than before: it lies on the table, and was not lifted from it."""
        now, before = self._steps()
        return now > before + STEP

    def _steps(self) -> tuple[float, float]:
        """Returns the strength of its edge in the picture and on the bare table, in logarithms of light."""
        return _step(self._now, self.place, self._around), _step(self._bare, self.place, self._around)

    def _sharpness(self, depth: float) -> float:
        """Returns the share of its depth by which its edge rises in one pixel."""
        mean = self._ratio.mean(axis=2)
        across, down = (cv2.Sobel(mean, cv2.CV_32F, dx, 1 - dx, scale=1 / 8) for dx in (1, 0))
        steepest = cv2.dilate(np.hypot(across, down), np.ones((_WINDOW_PX, _WINDOW_PX), np.uint8))
        edge = ((_grown(self.place, 1) - self.place) & self._open) > 0
        return float(np.median(steepest[edge])) / depth if edge.any() else 0.0


def _step(logs: Floats, place: Mask, around: Mask) -> float:
    """Returns the mean difference of light (h, w, 3) across the edge of a place; 0 where too little of it is in
    view.
    """
    inside, outside = place.astype(np.float32), ((1 - place) & around).astype(np.float32)
    (inner, filled), (outer, full) = (_windows(logs, weight) for weight in (inside, outside))
    edge = (_grown(place, 1) > place) & (filled > _FILLED) & (full > _FILLED)
    if int(edge.sum()) < _LEAST_EDGE_PX:
        return 0.0
    return float(np.abs(inner - outer)[edge].max(axis=1).mean())


def _windows(logs: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Weighted means over windows, (h, w, 3), and the weight of each, (h, w)."""
    size = _WINDOW_PX, _WINDOW_PX
    total = cv2.blur(weight, size)
    return cv2.blur(logs * weight[..., None], size) / np.maximum(total, 1e-6)[..., None], total


def _logs(small: Small) -> Floats:
    return np.asarray(np.log(small.astype(np.float32) + FLOOR))


def _drawn(outlines_px: Sequence[Floats], now: Glance) -> Mask:
    """(h, w) 1 at known things."""
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

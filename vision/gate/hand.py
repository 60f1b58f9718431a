"""Detects a hand: a large change that reaches in over the picture's border.

The detection ignores skin colors, so sleeves and gloves count as hands, too. It distinguishes a hand from three similar
changes: a piece cut off by the border (too small), a shadow or lamp (no sharp outline), and the place of a hand in the
earlier picture (the outline is in that picture).
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gate.change import Exposure, Map, Thumb, changed, difference, fit_exposure, relit, threshold

VISIT_S = 2.0
"""The number of seconds with nothing over the table after which a new visit begins: a card is laid in one visit.
Chosen.
"""
SAME_ARM = 0.5
"""Two pictures show the same arm if the smaller hidden area lies in the other one to at least this share. Chosen."""
VISITS_MOST = 100
"""The largest count of visits."""


class Visits:
    """The number of visits over each part of the table."""

    def __init__(self) -> None:
        self.counts: Map | None = None
        """(h, w) of the thumbs; None if nothing came."""
        self._now: Map | None = None
        """A map with 1 where something was during the current visit."""
        self._last_s = -math.inf

    def add(self, hides: Map, t_s: float) -> None:
        """Adds a picture in which something hides the table where `hides` is 1."""
        if self.counts is None or self._now is None or self.counts.shape != hides.shape:
            self.counts, self._now = np.zeros_like(hides), np.zeros_like(hides)
        elif t_s - self._last_s > VISIT_S or self._is_elsewhere(hides):
            self._now = np.zeros_like(hides)
        self._last_s = t_s
        self.counts = np.minimum(self.counts, VISITS_MOST - 1) + (hides & (1 - self._now))
        self._now = self._now | hides

    def _is_elsewhere(self, hides: Map) -> bool:
        """True if the hidden area is not where it was during the visit, so that another arm has come."""
        assert self._now is not None
        least = min(cv2.countNonZero(hides), cv2.countNonZero(self._now))
        return cv2.countNonZero(hides & self._now) < SAME_ARM * least


HAND_MM2 = 5500.0
"""The visible area in square millimeters from which a change may be a hand. Two 50 mm tiles exchanged at the border
make about 3000.
"""
ARM_MM2, ARM_REACH_MM = 3200.0, 85.0
"""A smaller area that reaches further into the picture than any piece is long, such as fingers or a stick."""
DETACHED_MM2, DETACHED_MM = 11_000.0, 60.0
"""An area this large counts even with a gap of this many millimeters to the border: the arm may have the table's
color.
"""
EDGE_PX = 2
"""The number of thumb pixels within which a region touches the border."""
FAINT, FAINT_TIMES, FAINT_PX = 8.0, 8.0, 5
"""A faint change: the least change of a mean, in gray levels and as a multiple of the median, and the side of the
averaged square in pixels.
"""
STEPS = (2.0, 6.0)
"""An outline is sharp if the logarithm's gradient is larger by this, in hundredths of an e-fold per thumb pixel."""
STEP_SHARE = 0.25
"""The least gradient, between these bounds, as a share of the region's own contrast per pixel."""
LIGHT_SHARE, LIGHT_SHARP = 0.98, 0.05
"""A shadow or lamp: the least share of pixels that are only scaled, and the largest share of sharp outline."""
LIGHT_RATIOS = (0.3, 3.0)
"""The factors by which shadows and lamps scale a pixel."""
LIGHT_TINT = 0.08
"""The largest distance of the three channels' ratios from their mean, as a share of it."""
GONE_TIMES, GONE_SHARE = 2.5, 0.3
"""A thing was taken away if at least this factor and this share more of its outline was sharper in the earlier
picture.
"""

_SQUARE_3 = np.ones((3, 3), dtype=np.uint8)
_SQUARE_5 = np.ones((5, 5), dtype=np.uint8)
_LOGARITHM = (100 * np.log(np.arange(256, dtype=np.float32) + 12) / 2).astype(np.float32)
"""(256,): halved, so that a 3x3 Sobel divided by eight gives hundredths of an e-fold over two pixels."""


class Region(NamedTuple):
    """One connected change at the border of a picture."""

    kind: Literal["hand", "gone", "light", "piece"]
    """The kind of the change; "gone" means that a hand, or something as large, was in the earlier picture only."""
    area_mm2: float
    reach_mm: float
    """The distance in millimeters from the border inwards."""
    box_px: tuple[int, int, int, int]
    """x, y, width and height in thumb pixels."""
    appeared: float
    """The share of its outline that is sharper now."""
    vanished: float
    """The share of its outline that was sharper before."""
    place: Map
    """(h, w) of the thumb, 1 at the region."""


def border_regions(before: Thumb, now: Thumb, exposure: Exposure, mm_per_px: float) -> tuple[Region, ...]:
    """Returns the changes at the border between a hand-free picture and another one, largest first.

    Args:
        before: The last picture without a hand, as a thumb.
        now: The picture in question, of the same size.
        exposure: How `now` follows from `before`.
        mm_per_px: Table millimeters of one thumb pixel.
    """
    apart = difference(before, now, exposure)
    mask = cv2.morphologyEx(changed(apart, threshold(apart)), cv2.MORPH_CLOSE, _SQUARE_5)
    found = _regions(before, now, exposure, np.asarray(mask, dtype=np.uint8), mm_per_px)
    if any(region.kind == "hand" for region in found):
        return found
    even = relit(before, now)
    exposure = fit_exposure(even, now)
    return _regions(even, now, exposure, _faint(even, now, exposure), mm_per_px) or found


def is_gone(before: Thumb, now: Thumb, exposure: Exposure, place: Map) -> bool:
    """True if the earlier picture shows the thing at a place (h, w) and the later one does not."""
    return _judge(before, now, exposure, place, _box(place), math.inf, math.inf).kind == "gone"


def _box(place: Map) -> tuple[int, int, int, int]:
    x, y, width, height = cv2.boundingRect(place)
    return x, y, width, height


def _faint(before: Thumb, now: Thumb, exposure: Exposure) -> Map:
    """Returns a map with 1 where the mean of a neighborhood changed even slightly, as by a hand in nearly the table's
    color.
    """
    shift = now.astype(np.float32) - (before.astype(np.float32) * exposure.gains() + exposure.offsets())
    means = np.abs(cv2.blur(shift, (FAINT_PX, FAINT_PX))).max(2)
    level = max(FAINT, FAINT_TIMES * float(np.median(means)))
    return np.asarray(means > level, dtype=np.uint8)


def _regions(before: Thumb, now: Thumb, exposure: Exposure, mask: Map, mm_per_px: float) -> tuple[Region, ...]:
    """Returns the large connected regions of a mask that touch the border, judged, largest first."""
    if cv2.countNonZero(mask) * mm_per_px**2 < ARM_MM2:
        return ()
    count, labels, boxes, _ = cv2.connectedComponentsWithStats(mask)
    found = []
    for index in range(1, count):
        x, y, width, height, area_px = (int(value) for value in boxes[index])
        area_mm2 = area_px * mm_per_px**2
        if area_mm2 < ARM_MM2:
            continue
        away_px, reach_px = _border((x, y, width, height), (mask.shape[1], mask.shape[0]))
        touches = away_px <= EDGE_PX or (area_mm2 >= DETACHED_MM2 and away_px * mm_per_px <= DETACHED_MM)
        if not touches:
            continue
        region = np.asarray(labels == index, dtype=np.uint8)
        found.append(_judge(before, now, exposure, region, (x, y, width, height), area_mm2, reach_px * mm_per_px))
    return tuple(sorted(found, key=lambda region: -region.area_mm2))


def _border(box: tuple[int, int, int, int], size: tuple[int, int]) -> tuple[int, int]:
    """Returns the distance in pixels of a box from the nearest border, and its reach from the border or borders nearest
    to it.
    """
    x, y, width, height = box
    gaps = (x, y, size[0] - x - width, size[1] - y - height)
    depths = (x + width, y + height, size[0] - x, size[1] - y)
    nearest = min(gaps)
    return nearest, max(depth for gap, depth in zip(gaps, depths, strict=True) if gap <= max(EDGE_PX, nearest))


def _judge(
    before: Thumb,
    now: Thumb,
    exposure: Exposure,
    region: Map,
    box: tuple[int, int, int, int],
    area_mm2: float,
    reach_mm: float,
) -> Region:
    """Returns the region with its kind: judges a large change at the border."""
    x, y, width, height = box
    rows = slice(max(0, y - 4), min(region.shape[0], y + height + 4))
    columns = slice(max(0, x - 4), min(region.shape[1], x + width + 4))
    inside = region[rows, columns]
    old, new = before[rows, columns], now[rows, columns]
    step = float(np.clip(STEP_SHARE * _contrast(old, new, exposure, inside), *STEPS))
    appeared, vanished = _outline(old, new, _line(region)[rows, columns], step)
    kind: Literal["hand", "gone", "light", "piece"] = "hand"
    if area_mm2 < HAND_MM2 and reach_mm < ARM_REACH_MM:
        kind = "piece"
    elif max(appeared, vanished) <= LIGHT_SHARP and _scaled(old, new, exposure, inside) >= LIGHT_SHARE:
        kind = "light"
    elif vanished > max(GONE_SHARE, GONE_TIMES * appeared):
        kind = "gone"
    return Region(kind, area_mm2, reach_mm, box, appeared, vanished, region)


def _line(region: Map) -> NDArray[np.bool_]:
    """Returns the pixels just outside a region, without the picture's border, where every region ends."""
    line = np.asarray(cv2.dilate(region, _SQUARE_3) > region)
    line[:2] = line[-2:] = False
    line[:, :2] = line[:, -2:] = False
    return line


def _contrast(old: Thumb, new: Thumb, exposure: Exposure, inside: Map) -> float:
    """Returns the change of a region's middle pixel, in the units of `_edges`."""
    chosen = inside > 0
    expected = np.clip(old[chosen].astype(np.float32) * exposure.gains() + exposure.offsets(), 0, 255)
    return float(np.median(np.abs(_LOGARITHM[new[chosen]] - _LOGARITHM[expected.astype(np.uint8)]).max(1)))


def _outline(old: Thumb, new: Thumb, line: NDArray[np.bool_], step: float) -> tuple[float, float]:
    """Returns the shares of a line where the later picture, and where the earlier picture, has the sharper edge.

    The edges are gradients of logarithms, which a shadow over a textured table does not change.
    """
    length = int(np.count_nonzero(line))
    if length == 0:
        return 0.0, 0.0
    more = (cv2.dilate(_edges(new), _SQUARE_5) - cv2.dilate(_edges(old), _SQUARE_5))[line]
    return float(np.count_nonzero(more > step)) / length, float(np.count_nonzero(more < -step)) / length


def _edges(thumb: Thumb) -> NDArray[np.float32]:
    """Returns (h, w): the size of the logarithm's gradient, the largest of the three channels."""
    levels = cv2.LUT(thumb, _LOGARITHM)
    across = cv2.Sobel(levels, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(levels, cv2.CV_32F, 0, 1, scale=1 / 8)
    blue, green, red = cv2.split(cv2.magnitude(across, down))
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.float32)


def _scaled(old: Thumb, new: Thumb, exposure: Exposure, inside: Map) -> float:
    """Returns the share of a region's pixels that only became darker or lighter and kept their color."""
    chosen = inside > 0
    base = old[chosen].astype(np.float32) * exposure.gains() + exposure.offsets()
    ratios = (new[chosen].astype(np.float32) + 4) / (np.maximum(base, 0) + 4)
    mean = ratios.mean(1)
    tint = np.abs(ratios - mean[:, None]).max(1)
    low, high = LIGHT_RATIOS
    return float(np.mean((mean > low) & (mean < high) & (tint < LIGHT_TINT * np.maximum(mean, 1.0))))

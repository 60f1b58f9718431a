"""Computes the difference of a picture to the empty table under today's light.

Both are given as logarithms of light, so a lamp that was dimmed, moved or switched adds a smooth field. That field is
fitted where the table is free, and subtracted. The rest is zero on the free table; on a piece it is the logarithm of
the piece's effect on the light behind it, so translucent plastic looks the same on any cloth.
"""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Floats = NDArray[Any]

LIMIT = 3.0
"""The bound for logarithms; larger ones carry no more information."""
_BLOCK = 8
"""The side in sheet pixels of a block whose mean is one sample of the light's field."""
_ROUNDS = 10
_FREE = 0.12
"""A block counts as free table if its logarithm is within this distance of the field."""
_CHANGED, _ABOVE_NOISE = 0.1, 4.0
"""The least change, in logarithms and as a multiple of the noise of such places. Their noise is the median difference,
two thirds of a standard deviation.
"""
_DARKEST, _LEVELS_PER_LOG, _LEVELS = -2.5, 4.0, 16
"""The classes of brightness for noise: the lowest log light, the number of classes per logarithm, and their number."""
_EDGES = (0.1, 0.3, 0.8)
"""The bounds, in logarithms, of the classes of contrast between neighboring places."""
_UNLIKE, _MOVED_PX = 2.0, 0.25
"""All places of a class count as covered if their median is this multiple of the median of all places (only where
logarithms do not exaggerate dark places), and is more than a shift by this many pixels causes at their edges.
"""
_FEWEST = 100
"""The least number of places of a class that measure its noise; with fewer, all places measure it."""
_BRIGHTER = 0.25
"""The largest amount of light, in logarithms, that a colored piece throws on the table beside it."""
_LEAST_BLOCKS = 24
_STEPS = 4096
"""The number of integer steps per unit of the logarithm."""
_SOME = 3
"""The stride in pixels at which noise is sampled, because closer pixels are not independent."""
_SHIFTS = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))


class Changed(Struct, frozen=True):
    """The places where a sheet differs from the empty table."""

    plain: NDArray[np.bool_]
    """A mask (H, W) of exactly these places, with some noise."""
    around: NDArray[np.bool_]
    """A mask (H, W) of these places with a small margin, without noise."""
    brighter: NDArray[np.bool_]
    """A mask (H, W) of places that reflect more light of some color than the empty table, which shadows never do."""


class TableDifference(Struct, frozen=True):
    """A sheet of a picture compared with the same sheet of the empty table, both as log light."""

    ratio: Floats
    """(3, H, W) float32 in B, G, R: the log of the light divided by the empty table's under today's light; 0 if
    unknown.
    """
    known: Floats
    """(H, W) float32, 1 where the empty table is known."""
    empty: Floats
    """(3, H, W) float32: log light of the empty table under today's light."""

    def strength(self) -> Floats:
        """Returns (H, W) float32: the difference of each place, in logarithms, unless a shift by a pixel explains it; 0
        if unknown.
        """
        # Integers of half the size take half the time, and their steps are far finer than noise.
        empty = [_whole(one) for one in self.empty]
        seen = [_whole(ratio + one) for ratio, one in zip(self.ratio, self.empty, strict=True)]
        wide = [cv2.copyMakeBorder(one, 1, 1, 1, 1, cv2.BORDER_REPLICATE) for one in empty]
        height, width = self.known.shape
        best = np.full(self.known.shape, np.iinfo(np.int16).max, np.int16)
        for dx, dy in _SHIFTS:
            part = np.s_[1 - dy : 1 - dy + height, 1 - dx : 1 - dx + width]
            b, g, r = (cv2.absdiff(one, moved[part]) for one, moved in zip(seen, wide, strict=True))
            cv2.min(best, cv2.blur(cv2.max(cv2.max(b, g), r), (3, 3)), best)
        return np.asarray(best * (self.known / np.float32(_STEPS)), np.float32)

    def changed(self) -> Changed:
        """Returns the places where something stands, throws a shadow or is unknown.

        A sensor's noise and the blocks of a JPEG are large in logarithms where a channel is dark, and half a pixel of
        shift at the edges of a print. So each channel is compared with what it differs at places of the same brightness
        beside edges as strong: most of a table is free.
        """
        seen = self.known > 0
        above, brighter = np.zeros(self.known.shape, np.float32), np.zeros(self.known.shape, np.bool_)
        for ratio, empty in zip(self.ratio, self.empty, strict=True):
            apart = cv2.blur(np.abs(ratio), (3, 3))
            limit = np.maximum(_CHANGED, _ABOVE_NOISE * noise_of(apart, empty, seen))
            above = np.maximum(above, apart / limit)
            brighter |= cv2.blur(ratio, (3, 3)) > np.maximum(_BRIGHTER, limit)
        plain = (above > 1) | ~seen
        whole = cv2.morphologyEx(plain.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        return Changed(plain, cv2.dilate(whole, np.ones((5, 5), np.uint8)) > 0, brighter & plain & seen)


def noise_of(apart: Floats, empty: Floats, seen: NDArray[np.bool_]) -> Floats:
    """Returns (H, W): the median difference, in one channel, of all places that are similar to each place.

    Args:
        apart: (H, W) the difference in that channel.
        empty: (H, W) log light of the empty table.
        seen: (H, W) True where the difference is known.
    """
    edge = cv2.morphologyEx(empty, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    kind = np.clip((empty - _DARKEST) * _LEVELS_PER_LOG, 0, _LEVELS - 1).astype(np.uint8) * (len(_EDGES) + 1)
    for limit in _EDGES:
        kind += edge > limit
    some = np.s_[::_SOME, ::_SOME]
    kinds, values = kind[some][seen[some]], apart[some][seen[some]]
    if not values.size:
        return np.zeros(apart.shape, np.float32)
    medians, all_places = np.empty(256, np.float32), float(np.median(values))
    medians[:] = all_places
    middle = float(np.median(empty[some][seen[some]]))
    counts = np.bincount(kinds, minlength=256)
    ends = np.cumsum(counts)
    by_kind = values[np.argsort(kinds, kind="stable")]
    for one in np.flatnonzero(counts >= _FEWEST):
        level, edges = divmod(int(one), len(_EDGES) + 1)
        darker = middle - (_DARKEST + level / _LEVELS_PER_LOG)
        like_all = _UNLIKE * math.exp(max(darker, 0.0)) * all_places
        most = max(like_all, _MOVED_PX * (*_EDGES, 2 * _EDGES[-1])[edges]) if edges else like_all
        medians[one] = min(np.median(by_kind[ends[one] - counts[one] : ends[one]]), most)
    return np.asarray(cv2.LUT(kind, medians))


def difference(seen: Floats, empty: Floats, known: Floats) -> TableDifference:
    """Returns the difference of a sheet's log light (3, H, W) to the empty table's, which is known where `known` (H, W)
    is 1.
    """
    known = known.astype(np.float32)
    ratio, under = np.empty(seen.shape, np.float32), np.empty(seen.shape, np.float32)
    for now, before, apart in zip(seen, empty, ratio, strict=True):
        np.subtract(now, before, out=apart)
        apart *= known
    for apart, before, light, below in zip(ratio, empty, _field(ratio, known), under, strict=True):
        apart -= light * known
        np.clip(apart, -LIMIT, LIMIT, out=apart)
        np.add(before, light, out=below)
    return TableDifference(ratio, known, under)


def _whole(logs: Floats) -> NDArray[np.int16]:
    """Returns logarithms of light as integers."""
    return np.asarray(cv2.addWeighted(logs, float(_STEPS), logs, 0.0, 0.0, dtype=cv2.CV_16S), np.int16)


def _field(apart: Floats, known: Floats) -> Floats:
    """Returns (3, H, W): the smooth part of a difference, caused by a change of the light."""
    height, width = known.shape
    rows, columns = max(height // _BLOCK, 1), max(width // _BLOCK, 1)
    blocks = np.stack([cv2.resize(one, (columns, rows), interpolation=cv2.INTER_AREA).ravel() for one in apart], axis=1)
    whole = cv2.resize(known, (columns, rows), interpolation=cv2.INTER_AREA).ravel() > 0.99
    if whole.sum() < _LEAST_BLOCKS:
        return np.zeros((3, 1, 1), np.float32)
    ys, xs = np.mgrid[0:rows, 0:columns]
    x, y = (xs.ravel() + 0.5) / columns * 2 - 1, (ys.ravel() + 0.5) / rows * 2 - 1
    design = np.column_stack([np.ones(rows * columns), x, y, x * x, x * y, y * y])
    free = whole & (np.abs(blocks - np.median(blocks[whole], axis=0)).max(axis=1) < 4 * _FREE)
    found = np.zeros((6, 3))
    pull = np.diag([1e-6, 1, 1, 4, 4, 4])
    for k in range(_ROUNDS):
        part = design[free]
        found = np.linalg.solve(part.T @ part + pull, part.T @ blocks[free])
        limit = _FREE * max(1.0, 3.0 - 0.4 * k)
        now = whole & (np.abs(blocks - design @ found).max(axis=1) < limit)
        if now.sum() < _LEAST_BLOCKS or (now == free).all():
            break
        free = now
    field = (design @ found).T.reshape(3, rows, columns).astype(np.float32)
    return np.stack([cv2.resize(one, (width, height), interpolation=cv2.INTER_LINEAR) for one in field])

"""The difference to the empty table under today's light.

Both are given as logarithms of light, so that a lamp that was dimmed, moved or switched adds a smooth field, which is
fitted where the table is free and taken away. The rest is zero on free table, and on a piece the logarithm of its
effect on the light from behind it: plastic that lets light through looks alike on any cloth.
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
"""Larger logarithms say no more."""
_BLOCK = 8
"""Sheet pixels whose mean is one sample of the light's field."""
_ROUNDS = 10
_FREE = 0.12
"""A block that is farther off the field, in logarithms, is not free table."""
_CHANGED, _ABOVE_NOISE = 0.1, 4.0
"""A change is at least so strong, in logarithms, and so many times stronger than the noise of such places: their median
difference, which is two thirds of one sigma."""
_DARKEST, _LEVELS_PER_LOG, _LEVELS = -2.5, 4.0, 16
"""Places are alike in their noise that are of one level of brightness, from this log light on, ..."""
_EDGES = (0.1, 0.3, 0.8)
"""... and whose neighbors differ from each other by logarithms between the same two of these."""
_UNLIKE, _MOVED_PX = 2.0, 0.25
"""All places of a kind are under things if their median is so many times that of all places, where logarithms make no
more of the dark, and more than such a shift does at their edges."""
_FEWEST = 100
"""The number of places of a kind that measure its noise; with fewer, all places do."""
_BRIGHTER = 0.25
"""So much more light, in logarithms, is no light that a colored piece throws on the table beside it."""
_LEAST_BLOCKS = 24
_STEPS = 4096
"""Of one unit of the logarithm, where whole numbers are fine enough."""
_SOME = 3
"""Noise is measured at every so many pixels, both ways: nearer ones are not independent."""
_SHIFTS = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))


class Changed(Struct, frozen=True):
    """Where a sheet differs from the empty table."""

    plain: NDArray[np.bool_]
    """(H, W) just there, with some noise."""
    around: NDArray[np.bool_]
    """(H, W) there and a little around it, without noise."""
    brighter: NDArray[np.bool_]
    """(H, W) where more light of some color comes from than from the empty table: no shadow does that."""


class TableDifference(Struct, frozen=True):
    """A sheet of a picture beside the same sheet of the empty table, both in log light."""

    ratio: Floats
    """(3, H, W) float32, B, G, R: log of light over the empty table's under today's light; 0 where that is unknown."""
    known: Floats
    """(H, W) float32, 1 where the empty table is known."""
    empty: Floats
    """(3, H, W) float32: log light of the empty table under today's light."""

    def strength(self) -> Floats:
        """(H, W) float32 how much a place differs, in logarithms, if no shift by a pixel explains it; 0 if unknown."""
        # Whole numbers of half the size take half the time, and are far finer than noise.
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
    """(H, W) how much one channel differs, `apart` (H, W), in the median of all places like each.

    Args:
        empty: (H, W) log light of the empty table.
        seen: (H, W) where that is known.
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
    """Of a sheet's log light (3, H, W) to the empty table's; `known` (H, W) is 1 where the latter is known."""
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
    """Logarithms of light as whole numbers."""
    return np.asarray(cv2.addWeighted(logs, float(_STEPS), logs, 0.0, 0.0, dtype=cv2.CV_16S), np.int16)


def _field(apart: Floats, known: Floats) -> Floats:
    """(3, H, W) the smooth part of a difference: what the light does to free table."""
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

"""Pieces of a close group, found by their joint explanation.

Where one piece hides another's foot, cells of both point at places between them, and a close look there sees both at
once. So exact shapes of lone pieces are tried all over such a group: the one that explains most of its plastic and of
its contours is taken first, then the one that explains most of the rest, and so on (greedily, as in Barinova,
Lempitsky and Kohli, On detection of multiple object instances using Hough transforms, CVPR 2010). Afterwards each
shape that was not taken may replace those that it excludes, if that explains more.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_SIZES
from companion.core.plan import Mat
from vision.readers.pyramids.contour_fit import ContourFit
from vision.readers.pyramids.doubles import clear_of
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.looking import Looking
from vision.readers.pyramids.sheet import STRIDE
from vision.readers.pyramids.unexplained import ShapePixels, Unexplained

Floats = NDArray[Any]
Mask = NDArray[np.bool_]

_LEAST, _OWN = 2.0, 0.3
"""A shape explains so much, in log odds, and so much of its inside is explained by no other."""
_NAMED, _LYING = 6.0, 3.0
"""The advantage of things from a close look over tried ones, standing and lying. Beside others it takes standing things
for lying ones more often than the reverse: their plastic is seen there, too."""
_MORE = 0.2
"""So much more is explained by what replaces others."""
_ROUNDS = 6
_STEP_MM, _TURNS = 2.0, (0.0, 15.0, 30.0, 45.0, 60.0, 75.0)
"""Where lone pieces are tried, and how they are turned."""
_LIKELY = 0.25
"""The mean likelihood of a contour under the outline of a shape that is tried in full."""
_APART_MM = 3.0
"""Of shapes of one size that are closer only the likeliest is tried in full."""
_MOST_TRIED = 100
"""So many of each size."""


class Explained(NamedTuple):
    """One shape of a group."""

    place: StackHypothesis
    gain: float
    """Log odds that it explains and all others do not."""


def explained(
    cells: Mask, named: Sequence[StackHypothesis], beside: Sequence[StackHypothesis], looking: Looking, mat: Mat
) -> list[Explained]:
    """The things of a group, the best explanation first.

    Args:
        cells: (h, w) the group's cells.
        named: The things from close looks; these may also lie.
        beside: The known things, which explain their own part.
    """
    grid = _places(cells, looking, mat)
    if not len(grid):
        return []
    corners = [(x, y) for x in (grid[:, 0].min(), grid[:, 0].max()) for y in (grid[:, 1].min(), grid[:, 1].max())]
    reach = [StackHypothesis(float(x), float(y), turn, PYRAMID_SIZES[:1]) for x, y in corners for turn in (0.0, 45.0)]
    fit = looking.weigher.around([*reach, *named], looking.pose)
    left = Unexplained(fit, grid.mean(axis=0), looking)
    for one in left.pixels(beside):
        left.take(one)
    places = [*named, *_tried(grid, fit)]
    starts = [_LYING if place.lies else _NAMED for place in named] + [0.0] * (len(places) - len(named))
    pixels = left.pixels(places, starts)
    there = [k for k, place in enumerate(places) if all(clear_of(place, other) for other in beside)]
    choice = _Choice([places[k] for k in there], [pixels[k] for k in there], left)
    choice.begin()
    for _ in range(_ROUNDS):
        if not choice.improve():
            break
    return choice.told()


def _places(cells: Mask, looking: Looking, mat: Mat) -> Floats:
    """(N, 2) places of the table, in millimeters, that are seen in a group."""
    rows, columns = np.nonzero(cells)
    box = np.array([(x, y) for x in (columns.min(), columns.max()) for y in (rows.min(), rows.max())], np.float64)
    pixels = looking.sheet.to_picture(box * STRIDE + (STRIDE - 1) / 2)
    ends = looking.pose.unproject(pixels)[:, :2]
    low, high = np.maximum(ends.min(axis=0), 0), np.minimum(ends.max(axis=0), (mat.width_mm, mat.height_mm))
    across, down = (np.arange(a + _STEP_MM / 2, b, _STEP_MM) for a, b in zip(low, high, strict=True))
    places = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
    if not len(places):
        return np.asarray(places)
    seen = looking.sheet.to_sheet(looking.pose.project(np.column_stack([places, np.zeros(len(places))])))
    x, y = np.rint((seen - (STRIDE - 1) / 2) / STRIDE).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < cells.shape[1]) & (y < cells.shape[0])
    inside[inside] = cells[y[inside], x[inside]]
    return np.asarray(places[inside])


def _tried(grid: Floats, fit: ContourFit) -> list[StackHypothesis]:
    """Lone pieces of all sizes, in places and turns in which contours are likely under their outlines."""
    found = []
    for size, likely in zip(PYRAMID_SIZES, fit.likely_at(grid, _TURNS), strict=True):
        best, free = likely.max(axis=1), np.ones(len(grid), np.bool_)
        tried = 0
        for k in np.argsort(-best, kind="stable"):
            if best[k] < _LIKELY or tried == _MOST_TRIED:
                break
            if free[k]:
                free &= np.hypot(*(grid - grid[k]).T) > _APART_MM
                x, y = grid[k].tolist()
                found.append(StackHypothesis(x, y, _TURNS[int(likely[k].argmax())], (size,)))
                tried += 1
    return fit.moved(found)


class _Choice:
    """Shapes that are taken, of some of which many exclude each other."""

    def __init__(self, places: Sequence[StackHypothesis], pixels: Sequence[ShapePixels], left: Unexplained) -> None:
        self._places, self._pixels, self._left = places, pixels, left
        self._taken: list[int] = []

    def begin(self) -> None:
        """Takes the best explanation of the rest, again and again."""
        heap = [(-self._left.gain(one), k) for k, one in enumerate(self._pixels)]
        heapq.heapify(heap)
        while heap:
            _, k = heapq.heappop(heap)
            if self._excluded(k) or self._left.own(self._pixels[k]) < _OWN:
                continue
            gain = self._left.gain(self._pixels[k])
            if heap and gain < -heap[0][0]:  # what was taken since explains a part of it
                heapq.heappush(heap, (-gain, k))
            elif gain < _LEAST:
                return
            else:
                self._take(k)

    def improve(self) -> bool:
        """Replaces things of less worth than those they exclude; returns true if one was replaced."""
        before = set(self._taken)
        for k in range(len(self._places)):
            if k not in self._taken:
                self._replace(k)
        for k in list(self._taken):
            self._leave(k)
            if self._worth(k) >= _LEAST:
                self._take(k)
        return set(self._taken) != before

    def told(self) -> list[Explained]:
        """The taken shapes."""
        found = []
        for k in list(self._taken):
            self._leave(k)
            found.append(Explained(self._places[k], self._left.gain(self._pixels[k])))
            self._take(k)
        return sorted(found, key=lambda one: -one.gain)

    def _replace(self, k: int) -> None:
        rivals, lost = self._excluded(k), 0.0
        for n in rivals:
            self._leave(n)
            lost += self._left.gain(self._pixels[n])
        if self._worth(k) >= max(lost + _MORE, _LEAST):
            self._take(k)
        else:
            for n in rivals:
                self._take(n)

    def _worth(self, k: int) -> float:
        """The worth of a shape; 0 if others cover most of it."""
        return self._left.gain(self._pixels[k]) if self._left.own(self._pixels[k]) >= _OWN else 0.0

    def _excluded(self, k: int) -> list[int]:
        """The taken shapes that cannot stand beside a shape."""
        return [n for n in self._taken if not clear_of(self._places[k], self._places[n])]

    def _take(self, k: int) -> None:
        self._left.take(self._pixels[k])
        self._taken.append(k)

    def _leave(self, k: int) -> None:
        self._left.leave(self._pixels[k])
        self._taken.remove(k)

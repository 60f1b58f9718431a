"""How well an exact shape explains the plastic around a place, and which colors the cells of its levels show.

Only cells that point at the place, and bare table, count for or against it; what belongs to a neighbor is left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.readers.pyramids.answers import Answers
from vision.readers.pyramids.hypothesis import StackHypothesis, outlines
from vision.readers.pyramids.painting import painted_levels
from vision.readers.pyramids.sheet import PX_PER_MM, STRIDE, Sheet, Viewer

Floats = NDArray[Any]

_MOST = 5.0
"""Log odds of plastic that one cell may claim."""
_AROUND_MM = 75.0
"""A thing at a place is seen within this distance."""
_NEAR_MM = 11.0
"""A cell that points farther away belongs to something else."""
_TURNS = tuple(float(turn) for turn in range(0, 90, 9))
_AROUND_DEG = tuple(float(heading) for heading in range(0, 360, 20))
_BEHIND_MM = (0.0, 6.0, 12.0)
_HEADINGS = (-24.0, -12.0, 0.0, 12.0, 24.0)


class Fitted(Struct, frozen=True):
    """A guess where it fits best."""

    place: StackHypothesis
    score: float
    """Sum of log odds of plastic, in cells, inside of the outline."""


class Surroundings:
    """The cells around a place."""

    def __init__(self, answers: Answers, sheet: Sheet, pose: Viewer, place_mm: Floats) -> None:
        self.sheet, self.pose = sheet, pose
        middle = sheet.to_sheet(pose.project(np.array([(*place_mm, 0.0)])))[0] / STRIDE
        reach = _AROUND_MM * PX_PER_MM / STRIDE
        height, width = answers.plastic.shape
        low = np.clip(np.floor(middle - reach).astype(int), 0, (width - 1, height - 1))
        high = np.clip(np.ceil(middle + reach).astype(int), low + 1, (width, height))
        self.low = low
        part = np.s_[low[1] : high[1], low[0] : high[0]]
        plastic = np.clip(answers.plastic[part], -_MOST, _MOST)
        own = np.ones(plastic.shape, bool)
        if answers.bound:
            # Where surely no plastic is, nothing points anywhere.
            own = plastic > -_MOST
            pixels = sheet.to_picture(answers.place_px[(slice(None), *part)][:, own].T.astype(np.float64))
            own[own] = np.hypot(*(pose.unproject(pixels)[:, :2] - place_mm).T) <= _NEAR_MM
        self.odds = np.where((plastic > 0) & ~own, 0.0, plastic)
        self.weight = np.where(own, 1 / (1 + np.exp(-plastic)), 0.0)
        self.colors = answers.colors[(slice(None), *part)]
        self.fine = self._fine(answers, low, high)

    def _fine(self, answers: Answers, low: NDArray[np.intp], high: NDArray[np.intp]) -> Floats | None:
        """Log odds pixel by pixel, where they are known; parts of other things do not count."""
        if answers.fine is None:
            return None
        part = answers.fine[STRIDE * low[1] : STRIDE * high[1], STRIDE * low[0] : STRIDE * high[0]]
        own = np.where((self.odds == 0) & (self.weight == 0), 0.0, 1.0)
        return np.clip(part, -_MOST, _MOST) * own.repeat(STRIDE, 0).repeat(STRIDE, 1)

    def levels(self, outline: Floats) -> NDArray[np.uint8]:
        """(h, w) 0 for table, else 1 + the level that is seen; `outline` is (levels, 5, 2) in picture pixels."""
        cells = (self.sheet.to_sheet(outline) - (STRIDE - 1) / 2) / STRIDE - self.low
        return painted_levels(cells, self.odds.shape)

    def scores(self, seen: Sequence[Floats]) -> list[float]:
        """Sums of log odds of plastic, in cells, inside of outlines (levels, 5, 2) in picture pixels."""
        pixels = self.sheet.to_sheet(np.concatenate(seen))
        if self.fine is None:
            values, pixels, unit = self.odds, (pixels - (STRIDE - 1) / 2) / STRIDE - self.low, 1
        else:
            values, pixels, unit = self.fine, pixels - STRIDE * self.low, STRIDE**2
        first = np.cumsum([0, *(len(outline) for outline in seen)])
        limit = values.shape[::-1]
        low = np.clip(np.floor(np.minimum.reduceat(pixels.min(axis=1), first[:-1])).astype(int) - 1, 0, limit)
        high = np.clip(np.ceil(np.maximum.reduceat(pixels.max(axis=1), first[:-1])).astype(int) + 2, low, limit)
        found = []
        for k, ((left, top), (right, bottom)) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
            part = values[top:bottom, left:right]
            if not part.size:
                found.append(0.0)
                continue
            inside = painted_levels(pixels[first[k] : first[k + 1]] - (left, top), part.shape) > 0
            found.append(float(part[inside].sum()) / unit)
        return found

    def best(self, guesses: Sequence[StackHypothesis]) -> Fitted:
        """The guess whose outline holds most of the plastic."""
        (best,) = self.best_of([guesses])
        return best

    def best_of(self, groups: Sequence[Sequence[StackHypothesis]]) -> list[Fitted]:
        """For each of some groups of guesses the one whose outline holds most of the plastic."""
        guesses = [guess for group in groups for guess in group]
        scores = self.scores(outlines(guesses, self.pose))
        found, first = [], 0
        for group in groups:
            k = max(range(first, first + len(group)), key=scores.__getitem__)
            found.append(Fitted(guesses[k], scores[k]))
            first += len(group)
        return found

    def turns(self, place: StackHypothesis) -> list[StackHypothesis]:
        """A stack in all its turns, or a lying piece in headings near the one that it is given."""
        return [place.moved(0, 0, turn) for turn in (_HEADINGS if place.lies else _TURNS)]

    def lying(self, place_mm: Floats, sizes: Sequence[str]) -> Fitted:
        """A lying piece whose outline covers a place: what lies is first looked for in its middle."""
        guesses = []
        for heading in _AROUND_DEG:
            ahead = np.array([math.cos(math.radians(heading)), -math.sin(math.radians(heading))])
            for behind in _BEHIND_MM:
                x, y = place_mm - behind * ahead
                guesses += [StackHypothesis(float(x), float(y), heading, (size,), True) for size in sizes]
        return self.best(guesses)

    def shown(self, place: StackHypothesis) -> float:
        """Share of an outline whose cells show plastic that belongs to this place, and not to something else."""
        inside = self.levels(outlines([place], self.pose)[0]) > 0
        return float(self.weight[inside].sum()) / max(int(inside.sum()), 1)

    def color_logs(self, place: StackHypothesis) -> Floats:
        """(levels, 10) sums over the cells of each level of the log probability of each color."""
        levels = self.levels(outlines([place], self.pose)[0])
        out = np.zeros((len(place.sizes), len(self.colors)))
        for level in range(len(place.sizes)):
            mask = levels == level + 1
            out[level] = (np.maximum(self.colors[:, mask], -7.0) * self.weight[mask]).sum(axis=1)
        return out

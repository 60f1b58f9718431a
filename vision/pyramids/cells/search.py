"""Finding the exact stack or lying piece behind a peak of votes.

A guess is drawn into the cells of the sheet, level by level; its score adds up, over the cells that it covers, how well
plastic, size, height and the votes agree with just that. All guesses at a place are weighed on the same cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import Any, Protocol

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.pieces import PYRAMID_SIZES
from vision.pyramids.cells.answers import Answers
from vision.pyramids.cells.sheet import STRIDE, Sheet
from vision.pyramids.cells.votes import Peak, Votes
from vision.pyramids.hypothesis import Hypothesis, outlines
from vision.pyramids.models import lifts_mm

Floats = NDArray[Any]

HIGHEST = 7
"""Pieces in the tallest stack that any game builds."""
SHORT: tuple[tuple[str, ...], ...] = tuple(
    sizes for count in (1, 2, 3) for sizes in combinations_with_replacement(PYRAMID_SIZES, count)
)
"""Stacks that are tried at once; taller ones grow from them."""

_MOST = 5.0
"""Log odds of plastic that one cell may claim."""
_WORST = -6.0
"""What a cell that contradicts a guess outright may cost."""
_LIFT_MM = 3.0
_VOTE_MM = 2.0
_LIKE_NEIGHBOR = 1.0
"""Log odds, in cells, that two levels of a stack share their color."""
_YAWS = (0.0, 22.5, 45.0, 67.5)
_HEADINGS = tuple(float(h) for h in range(0, 360, 20))


class Viewer(Protocol):
    """A pose that works both ways."""

    def project(self, points_mm: Floats) -> Floats: ...
    def unproject(self, pixels: Floats, z_mm: float = 0.0) -> Floats: ...


class Fit(Struct, frozen=True):
    """A guess and how well it explains its cells."""

    place: Hypothesis
    score: float
    cells: int
    """Cells that it covers."""


class Patch:
    """The cells around a peak."""

    def __init__(self, answers: Answers, votes: Votes, peak: Peak, sheet: Sheet, pose: Viewer) -> None:
        self.sheet, self.pose, self.peak = sheet, pose, peak
        rows, columns = votes.rows[peak.members], votes.columns[peak.members]
        margin = 5
        height, width = answers.plastic.shape
        self.row, self.column = max(int(rows.min()) - margin, 0), max(int(columns.min()) - margin, 0)
        last_row, last_column = min(int(rows.max()) + margin + 1, height), min(int(columns.max()) + margin + 1, width)
        part = np.s_[self.row : last_row, self.column : last_column]
        plastic = np.clip(answers.plastic[part], -_MOST, _MOST)
        self.shape = plastic.shape
        self.seen = 1 / (1 + np.exp(-plastic))
        self.plastic = plastic
        self.sizes = self.seen * np.maximum(answers.sizes[(slice(None), *part)] + np.log(3), _WORST)
        self.lies = self.seen * np.clip(answers.lies[part], _WORST, 2.0)
        self.stands = self.seen * np.clip(-answers.lies[part], _WORST, 2.0)
        self.lift = answers.lift_mm[part]
        self.colors = answers.colors[(slice(None), *part)]
        place = np.full((*self.shape, 2), 1e4)
        inside = (votes.rows >= self.row) & (votes.rows < last_row) & (votes.columns >= self.column)
        inside &= votes.columns < last_column
        spots = votes.flat_mm if peak.lies else votes.place_mm
        place[votes.rows[inside] - self.row, votes.columns[inside] - self.column] = spots[inside]
        self.place = place
        self._ranks = np.arange(plastic.size)
        self._lifts: dict[float, Floats] = {}

    def levels(self, outline: Floats) -> NDArray[np.uint8]:
        """(h, w) 0 for table, else 1 + the level that is seen; `outline` is (levels, 5, 2) in picture pixels."""
        cells = (self.sheet.to_sheet(outline) - (STRIDE - 1) / 2) / STRIDE - (self.column, self.row)
        fixed = np.asarray(np.rint(cells * 16), np.int32)
        seen = np.zeros(self.shape, np.uint8)
        for level, corners in enumerate(fixed):
            cv2.fillConvexPoly(seen, cv2.convexHull(corners), level + 1, shift=4)
        return seen

    def lifted(self, lift_mm: float) -> Floats:
        """(h, w) how well each cell fits a base of that height."""
        key = round(lift_mm, 1)
        found = self._lifts.get(key)
        if found is None:
            found = self.seen * np.maximum(1 - np.abs(self.lift - key) / _LIFT_MM, -3.0)
            self._lifts[key] = found
        return found

    def weigh(self, guesses: Sequence[Hypothesis]) -> list[Fit]:
        """Scores of guesses."""
        found = []
        common: dict[tuple[float, float], Floats] = {}
        for guess, outline in zip(guesses, outlines(guesses, self.pose), strict=True):
            spot = guess.x_mm, guess.y_mm
            shared = common.get(spot)
            if shared is None:
                away = np.hypot(self.place[..., 0] - spot[0], self.place[..., 1] - spot[1])
                agree = self.seen * np.maximum(1.5 - away / _VOTE_MM, _WORST)
                shared = self.plastic + agree + (self.lies if guess.lies else self.stands)
                common[spot] = shared
            levels = self.levels(outline)
            lifts = (0.0,) if guess.lies else lifts_mm(guess.sizes)
            total, cells = 0.0, 0
            for level, (size, lift) in enumerate(zip(guess.sizes, lifts, strict=True)):
                mask = levels == level + 1
                count = int(np.count_nonzero(mask))
                if not count:
                    total -= 20.0
                    continue
                cells += count
                fit = shared[mask] + self.sizes[PYRAMID_SIZES.index(size)][mask]
                if not guess.lies:
                    fit = fit + self.lifted(lift)[mask]
                total += float(fit.sum())
            found.append(Fit(guess, total, cells))
        return found

    def best(self, guesses: Sequence[Hypothesis], count: int = 1) -> list[Fit]:
        """The best few, best first."""
        return sorted(self.weigh(guesses), key=lambda fit: -fit.score)[:count]


def search(patch: Patch) -> list[Fit]:
    """The best fit at a peak first, then the best fits of other sizes."""
    return _lying(patch) if patch.peak.lies else _standing(patch)


def _standing(patch: Patch) -> list[Fit]:
    x, y = patch.peak.x_mm, patch.peak.y_mm
    first = patch.best([Hypothesis(x, y, yaw, sizes) for sizes in SHORT for yaw in _YAWS], 40)
    leaders: dict[tuple[str, ...], Fit] = {}
    for fit in first:
        leaders.setdefault(fit.place.sizes, fit)
    grown = [_grown(patch, _tuned(patch, fit)) for fit in list(leaders.values())[:2]]
    top = _tuned(patch, max(grown, key=lambda fit: fit.score))
    others = patch.best([_resized(top.place, sizes) for sizes in _edits(top.place.sizes)])
    return [top, *others, *sorted((f for f in grown if f.place.sizes != top.place.sizes), key=lambda f: -f.score)]


def _resized(place: Hypothesis, sizes: tuple[str, ...]) -> Hypothesis:
    return Hypothesis(place.x_mm, place.y_mm, place.turn_deg, sizes, place.lies)


def _tuned(patch: Patch, fit: Fit) -> Fit:
    """The same thing, turned and moved a little to where it fits best."""
    for step_deg, step_mm in ((10.0, 1.5), (4.0, 0.7)):
        place = fit.place
        near = [place.moved(0, 0, turn) for turn in (-step_deg, step_deg)]
        near += [place.moved(dx, dy) for dx, dy in ((step_mm, 0), (-step_mm, 0), (0, step_mm), (0, -step_mm))]
        fit = max([fit, *patch.weigh(near)], key=lambda one: one.score)
    return fit


def _grown(patch: Patch, fit: Fit) -> Fit:
    """Add, drop and change levels as long as that helps."""
    for _ in range(2 * HIGHEST):
        better = patch.best([_resized(fit.place, sizes) for sizes in _edits(fit.place.sizes)])
        if not better or better[0].score <= fit.score:
            break
        fit = better[0]
    return fit


def _edits(sizes: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Stacks one level away, none of whose pieces is larger than the one below it."""
    found = set()
    for at in range(len(sizes) + 1):
        for size in PYRAMID_SIZES:
            found.add((*sizes[:at], size, *sizes[at:]))
            if at < len(sizes):
                found.add((*sizes[:at], size, *sizes[at + 1 :]))
    for at in range(len(sizes)):
        found.add((*sizes[:at], *sizes[at + 1 :]))
    order = [PYRAMID_SIZES.index(s) for s in sizes]
    ranked = []
    for one in found:
        order = [PYRAMID_SIZES.index(s) for s in one]
        if one and one != sizes and len(one) <= HIGHEST and order == sorted(order):
            ranked.append(one)
    return sorted(ranked)


def _lying(patch: Patch) -> list[Fit]:
    x, y = patch.peak.x_mm, patch.peak.y_mm
    starts = [Hypothesis(x, y, heading, (size,), True) for size in PYRAMID_SIZES for heading in _HEADINGS]
    leaders: dict[tuple[str, ...], Fit] = {}
    for fit in patch.best(starts, len(starts)):
        leaders.setdefault(fit.place.sizes, fit)
    return sorted((_tuned(patch, fit) for fit in leaders.values()), key=lambda fit: -fit.score)


def level_colors(patch: Patch, place: Hypothesis) -> Floats:
    """(levels, 10) log likelihood of each color, from the cells that show that level."""
    levels = patch.levels(outlines([place], patch.pose)[0])
    out = np.zeros((len(place.sizes), len(patch.colors)))
    for level in range(len(place.sizes)):
        mask = levels == level + 1
        if mask.any():
            weight = patch.seen[mask] ** 2
            out[level] = (np.maximum(patch.colors[:, mask], -7.0) * weight).sum(axis=1)
    for level in range(1, len(out)):
        # A level of which next to nothing is seen is most often of its neighbor's color.
        for here, there in ((level, level - 1), (level - 1, level)):
            out[here, out[there].argmax()] += _LIKE_NEIGHBOR
    return out

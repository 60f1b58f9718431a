"""Outlines, rims, ridges and insides of pyramids, by a net pixel by pixel.

It looks at the picture alone: patterns of a table, its shadows and its grain have edges, too, and a gradient cannot
distinguish them from those of a piece; a net that has seen many tables can (as in Xie and Tu, Holistically-nested edge
detection, ICCV 2015, only much smaller).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_SIZES
from vision.image.edges import LOGS
from vision.image.packed_net import load_net
from vision.image.picture import Picture
from vision.readers.pyramids.hypothesis import MovableShapes, StackHypothesis, outlines, places_of
from vision.readers.pyramids.shape_lines import OUTLINE, RIDGE, RIM, SampledShapes, Sides, shape_lines, sides_of
from vision.readers.pyramids.sheet import Viewer

Floats = NDArray[Any]

FITS = "fits.npz"


class ContourWeights(NamedTuple):
    """The weight of each feature in log odds."""

    whole: Floats
    """(FEATURES,) among all guesses; unexplained lines do not count, because far more is seen through a lying piece's
    plastic than its lines show."""
    standing: Floats
    """(FEATURES,) among those that stand."""

    def odds(self, before: Floats, features: Floats, lies: NDArray[np.bool_], share: float = 1.0) -> Floats:
        """(N,) log odds of guesses from those without contours (N,), features (N, FEATURES) and whether they lie (N,).

        The first weights say how likely it is that something stands, the others what; these count a `share`, and the
        first the rest of it.
        """
        whole = before + features @ self.whole
        standing = (before + features @ (share * self.standing + (1 - share) * self.whole))[~lies]
        if len(standing):
            whole[~lies] = standing + np.logaddexp.reduce(whole[~lies]) - np.logaddexp.reduce(standing)
        return np.asarray(whole)


def load_fits(file: Path) -> ContourWeights:
    """Loads the trained weights."""
    with np.load(file) as kept:
        return ContourWeights(kept["whole"], kept["standing"])


FILE = "contours.npz"
KINDS = 4
"""Outline, rim, ridge (`shape_lines`), and inside of a piece."""
CELL_PX = 2
"""The net sees pixels in squares of this side."""
STEP_PX = 32
"""Parts of a picture are as wide and as high as a multiple of this, so that few sizes occur."""
_SURE = 6.0
"""Log odds are no farther from zero than this: no pixel decides alone."""
_SPARSE = 8


def middle_log(picture: Picture) -> Floats:
    """(3,) the logarithm of what most of a picture shows, B, G, R."""
    return np.asarray(np.median(LOGS[picture[::_SPARSE, ::_SPARSE]].reshape(-1, 3), axis=0), np.float32)


class ContourNet:
    """The trained net, run by OpenCV."""

    def __init__(self, path: Path) -> None:
        self._net = load_net(path)

    def __call__(self, part: Picture, middle: Floats) -> Floats:
        """(KINDS, H, W) log odds for a part of a picture (H, W, 3), H and W multiples of `STEP_PX`.

        Args:
            middle: `middle_log` of the whole picture.
        """
        logs = cv2.LUT(part, LOGS) - middle
        height, width = logs.shape[0] // CELL_PX, logs.shape[1] // CELL_PX
        cells = logs.reshape(height, CELL_PX, width, CELL_PX, 3).transpose(4, 1, 3, 0, 2)
        self._net.setInput(np.ascontiguousarray(cells.reshape(1, -1, height, width), np.float32))
        out = self._net.forward()[0].reshape(KINDS, CELL_PX, CELL_PX, height, width).transpose(0, 3, 1, 4, 2)
        return np.asarray(np.clip(out.reshape(KINDS, height * CELL_PX, width * CELL_PX), -_SURE, _SURE))


class Contours:
    """The contours of one picture, found part by part where they are asked for."""

    def __init__(self, picture: Picture, net: ContourNet, plain: Picture | None = None) -> None:
        """
        Args:
            plain: The same picture without the print of the table: contours are the mean of both.
        """
        self._pictures, self._net = (picture,) if plain is None else (picture, plain), net

    @cached_property
    def _middles(self) -> tuple[Floats, ...]:
        return tuple(middle_log(picture) for picture in self._pictures)

    def around(self, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """Log odds (KINDS, h, w) of a part that holds a box from `low` to `high` (2,), and its first pixel (2,)."""
        height, width = self._pictures[0].shape[:2]
        first = np.clip(np.floor(low).astype(int), 0, (width - 1, height - 1))
        end = np.clip(np.ceil(high).astype(int), first + 1, (width, height))
        size = -(-(end - first) // STEP_PX) * STEP_PX
        first = np.maximum(np.minimum(first, (width, height) - size), 0)
        told = []
        for picture, middle in zip(self._pictures, self._middles, strict=True):
            part = picture[first[1] : first[1] + size[1], first[0] : first[0] + size[0]]
            right, below = (size - part.shape[1::-1]).tolist()
            if right or below:
                part = np.asarray(cv2.copyMakeBorder(part, 0, below, 0, right, cv2.BORDER_REPLICATE), np.uint8)
            told.append(self._net(part, middle))
        return told[0] if len(told) == 1 else (told[0] + told[1]) / 2, first


# The fit of an exact shape to the contours of a picture.
#
# A shape is moved to where its outlines have most contours under them, its silhouette above all. The net's answers for
# the pixels of its lines and its inside then give the log of how much likelier the picture is with the shape than
# without; of two guesses at one place the one whose lines are there, and that has no lines where none are, is the
# likelier one. Lines inside of a guess or just beside it that are none of its own count by themselves: pixels are not
# independent, and a rim that is seen half surely all along is hardly a reason against a piece, but a good one
# against its absence.

_AROUND_PX = 16
"""So much more than what guesses cover is looked at."""
_BLUR_PX = 0.7
_UNIT_MM, _UNIT_MM2 = 10.0, 20.0
"""A line and an area are counted in these, so that all weights are of one size."""
_MOST = 5
"""Taller stacks are as likely as those of so many levels."""
_MOVES = np.array([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 2.5), (0, 0, -2.5)])
_FIRST_MM, _LAST_MM = 2.0, 0.4
_ROUNDS = 9
_NEAR_MM = ((0.0, 0.0), (10.0, 0.0), (0.0, 10.0))
"""Points of the table that give a pixel's size."""
_QUARTER = (0.0, 9.0, 18.0, 27.0, 36.0, 45.0, 54.0, 63.0, 72.0, 81.0)
"""Turns that are tried; after a quarter everything that stands looks as before."""
_TRIED = np.array([(0.0, 0.0, 0.0), (1.2, 0.0, 0.0), (-1.2, 0.0, 0.0), (0.0, 1.2, 0.0), (0.0, -1.2, 0.0)])
"""Each turn is tried at these places too: a guess that stands a little beside its piece has no turn that fits."""
_BEST_TURNS, _COARSE_ROUNDS = 2, 4
"""The numbers of turns that are moved to their contours, and of steps: enough to choose the best, not to end there."""
_PLACES = 64
"""Where many shapes are tried all over, so many places at a time: more would not stay in the processor's cache."""
_AT_ONCE = 2**14
"""So many places are looked at in one go; OpenCV takes no more than twice as many."""
_LINES = (OUTLINE, RIM, RIDGE)
_APART_PX = 1
"""A line is unexplained if it is farther from all lines of a guess."""
_BESIDE_MM = 3.0
"""So far outside of a guess other outlines are counted."""
_TOLD = KINDS + 2 * len(_LINES) + 1
UNEXPLAINED = slice(KINDS + len(_LINES), _TOLD)
"""Features that only distinguish standing guesses from each other."""
FEATURES = _TOLD + _MOST + 1
"""The net's answers for outlines, rims, ridges and inside; the length of the lines; the lines of the three kinds inside
that are none of the guess, and the outlines beside it; the number of levels, or lying."""


class ContourFit:
    """The contours of the part of a picture that shows some guesses."""

    def __init__(self, contours: Contours, places: Sequence[StackHypothesis], pose: Viewer) -> None:
        """
        Args:
            places: The guesses; they are moved by some millimeters at most.
        """
        self._pose = pose
        flat = np.concatenate([outline.reshape(-1, 2) for outline in outlines(places, pose)])
        self._odds, first = contours.around(flat.min(axis=0) - _AROUND_PX, flat.max(axis=0) + _AROUND_PX)
        self.first = first.astype(np.float32)
        """(2,) the first pixel of the part."""
        likely = 1 / (1 + np.exp(-self._odds))
        self._lines = cv2.GaussianBlur(np.maximum(likely[0], likely[1]), (0, 0), _BLUR_PX)
        # How much less likely a picture is, in logarithms, where no line should be.
        self._missed, self._outlines = -np.log1p(-likely[: len(_LINES)]), likely[0]

    def fitted(self, places: Sequence[StackHypothesis]) -> list[tuple[StackHypothesis, Floats]]:
        """Shapes where their outlines have most contours under them, near `places`, and their features (FEATURES,)."""
        best = self._moved(places, _ROUNDS)[0]
        return list(zip(best, self._features(best), strict=True))

    def turned(self, place: StackHypothesis) -> float:
        """The turn in degrees, of all that are possible, in which a standing shape has most contours under it.

        All are tried near the place; the most promising ones are moved to their contours.
        """
        turns = [place.moved(0, 0, turn) for turn in _QUARTER]
        shapes = MovableShapes(turns)
        near = places_of(turns) + _TRIED[:, None]
        likely = self._means(SampledShapes(self._sides(turns)), shapes.seen_at(near, self._pose)).max(axis=0)
        promising = [turns[k] for k in np.argsort(-likely)[:_BEST_TURNS]]
        moved, likely = self._moved([*promising, place], _COARSE_ROUNDS)
        return moved[int(np.argmax(likely))].turn_deg

    def best_turn(self, place: StackHypothesis, step_deg: float = 1.5) -> float:
        """The turn in degrees in which a shape that stands just there has most contours under it."""
        turns = [replace(place, turn_deg=float(turn)) for turn in np.arange(0.0, 90.0, step_deg)]
        seen = MovableShapes(turns).seen_at(places_of(turns)[None], self._pose)
        return turns[int(np.argmax(self._means(SampledShapes(self._sides(turns)), seen)[0]))].turn_deg

    def likely_at(self, places_mm: Floats, turns: Sequence[float]) -> Floats:
        """(sizes, N, turns) how likely contours are under the outlines of lone pieces at places (N, 2), from 0 to 1."""
        x, y = places_mm.mean(axis=0).tolist()
        shapes = [StackHypothesis(x, y, turn, (size,)) for size in PYRAMID_SIZES for turn in turns]
        movable, sampled = MovableShapes(shapes), SampledShapes(self._sides(shapes))
        near = np.repeat(places_of(shapes)[None], len(places_mm), axis=0)
        near[..., :2] = places_mm[:, None]
        parts = [near[first : first + _PLACES] for first in range(0, len(near), _PLACES)]
        likely = np.concatenate([self._means(sampled, movable.seen_at(part, self._pose)) for part in parts])
        return likely.reshape(len(places_mm), len(PYRAMID_SIZES), len(turns)).transpose(1, 0, 2)

    def moved(self, places: Sequence[StackHypothesis]) -> list[StackHypothesis]:
        """Shapes where their outlines have most contours under them, near `places`."""
        return self._moved(places, _ROUNDS)[0] if places else []

    def scales_at(self, places_mm: Floats) -> Floats:
        """(N,) pixels for a millimeter of the table around places (N, 2)."""
        ground = [(x + dx, y + dy, 0.0) for x, y in places_mm.tolist() for dx, dy in _NEAR_MM]
        near = self._pose.project(np.array(ground)).reshape(-1, len(_NEAR_MM), 2)
        return np.asarray(np.linalg.norm(near[:, 1:] - near[:, :1], axis=2).sum(axis=1) / 20)

    def worth(self, weights: Floats, px_per_mm: float) -> Floats:
        """(lines, h, w) what each pixel counts for a shape that has an outline, a rim or a ridge there, in log odds."""
        each = len(_LINES)
        told, length = weights[:each, None, None], weights[KINDS : KINDS + each, None, None]
        return np.asarray((self._odds[:each] * told + length) / (px_per_mm * _UNIT_MM))

    def _moved(self, places: Sequence[StackHypothesis], rounds: int) -> tuple[list[StackHypothesis], Floats]:
        """Shapes where their outlines have most contours under them, near `places`, and how likely these are (N,).

        All are moved at the same time, each by itself, because a few large steps of arithmetic take less time than
        many small ones.
        """
        best, steps = places_of(places), np.full(len(places), _FIRST_MM)
        shapes, sides = MovableShapes(places), self._sides(places)
        sampled = SampledShapes(sides)
        likely = self._means(sampled, shapes.seen_at(best[None], self._pose))[0]
        before = len(places)
        for _ in range(rounds):
            going = np.flatnonzero(steps >= _LAST_MM)
            if not len(going):
                break
            each = np.arange(len(going))
            if len(going) < before:
                before = len(going)
                shapes = MovableShapes([places[int(k)] for k in going])
                sampled = SampledShapes([sides[int(k)] for k in going])
            tried = best[going] + steps[going, None] * _MOVES[:, None]
            found = self._means(sampled, shapes.seen_at(tried, self._pose))
            chosen = found.argmax(axis=0)
            place, now = tried[chosen, each], found[chosen, each]
            better = now > likely[going]
            best[going[better]], likely[going[better]] = place[better], now[better]
            steps[going[~better]] /= 2
        ends = zip(places, best.tolist(), strict=True)
        return [replace(place, x_mm=x, y_mm=y, turn_deg=turn) for place, (x, y, turn) in ends], likely

    def _sides(self, places: Sequence[StackHypothesis]) -> list[Sides]:
        """Where shapes are looked at; they show the same sides wherever they are moved."""
        return sides_of(outlines(places, self._pose))

    def _means(self, sampled: SampledShapes, corners: Floats) -> Floats:
        """(N, G) how likely contours are under the outlines of G shapes with all corners (N, P, 2), from 0 to 1."""
        at = (sampled.over(corners) - self.first).astype(np.float32)
        seen = [self._line_at(at[:, first : first + _AT_ONCE]) for first in range(0, at.shape[1], _AT_ONCE)]
        return sampled.means(seen[0] if len(seen) == 1 else np.concatenate(seen, axis=1))

    def _line_at(self, at: Floats) -> Floats:
        """(N, M) how likely a contour is at places (N, M, 2) of the part."""
        seen = cv2.remap(self._lines, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen).reshape(at.shape[:2])

    def _features(self, places: Sequence[StackHypothesis]) -> list[Floats]:
        scales = self.scales_at(places_of(places)[:, :2])
        found = []
        for place, outline, scale in zip(places, outlines(places, self._pose), scales.tolist(), strict=True):
            out = np.zeros(FEATURES)
            out[:_TOLD] = self._told(outline - self.first, scale, place.lies)
            out[-1 if place.lies else _TOLD + min(len(place.sizes), _MOST) - 1] = 1
            found.append(out)
        return found

    def _told(self, outline: Floats, px_per_mm: float, lies: bool) -> Floats:
        """(_TOLD,) the net's answers for a shape's lines, its inside and its surroundings."""
        limit, beside = self._lines.shape[::-1], round(_BESIDE_MM * px_per_mm)
        low = np.clip(np.floor(outline.min(axis=(0, 1))).astype(int) - beside - 1, 0, limit)
        high = np.clip(np.ceil(outline.max(axis=(0, 1))).astype(int) + beside + 2, low, limit)
        width, height = (high - low).tolist()
        if not width * height:
            return np.zeros(_TOLD)
        lines = shape_lines(outline - low, (width, height), lies)
        part = np.s_[:, low[1] : high[1], low[0] : high[0]]
        odds, missed = self._odds[part], self._missed[part]
        covered = [lines.kinds == kind for kind in _LINES]
        unit, area = px_per_mm * _UNIT_MM, px_per_mm**2 * _UNIT_MM2
        told = [float(odds[k][where].sum()) / unit for k, where in enumerate(covered)]
        lengths = [float(np.count_nonzero(where)) / unit for where in covered]
        shape, free = lines.inside > 0, ~_wider(lines.kinds > 0, _APART_PX)
        inside = float(odds[-1][shape].sum()) / area
        unexplained = missed[:, shape & free].sum(axis=1) / area
        outside = float(self._outlines[part[1:]][_wider(shape, beside) & ~shape & free].sum()) / area
        return np.array([*told, inside, *lengths, *unexplained, outside])


def _wider(mask: NDArray[np.bool_], by_px: int) -> NDArray[np.bool_]:
    """(h, w) the same mask, wider by so many pixels on all sides."""
    side = 2 * by_px + 1
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((side, side), np.uint8)) > 0)

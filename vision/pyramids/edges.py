"""How well the outlines of an exact shape lie on edges of the picture.

An edge is a change of the light's logarithm, so that it is as strong in shade as in light. A shape is moved to where
its outlines have most edges under them (samples along a model's edges, looked at across them, as in Harris and
Stennett, RAPID, BMVC 1990). How much of its outlines then lies on weak and on strong edges tells sizes and levels
apart, also on tables and under lights that no net has seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.edges import LOGS
from vision.pyramids.hypothesis import StackHypothesis, outlines
from vision.pyramids.sheet import Viewer

Floats = NDArray[Any]

FILE = "edges.npz"
_SIGMA_PX = 0.8
_STRONG = 0.06
"""Change of the logarithm from pixel to pixel that is as good as any."""
_BINS = np.array([0.006, 0.012, 0.02, 0.035, 0.06])
_STEP_PX = 2.5
_UNIT_MM = 40.0
_MOST = 5
"""Taller stacks are as likely as those of so many levels."""
_MOVES = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 2.5), (0, 0, -2.5))
_FIRST_MM, _LAST_MM = 2.0, 0.4
_ROUNDS = 9
_NEAR_MM = ((0.0, 0.0), (10.0, 0.0), (0.0, 10.0))
"""Points of the table by which a pixel's size is told."""
_LINE_MM, _REACH_MM = 1.0, 4.0
"""An edge so near to a line of a shape is explained by it; beside it edges count up to the second distance."""
_LINE_PX = 3
"""An edge in a picture is so wide, however small the scale."""
_SQUARE_MM = 10.0
"""Side of a square that is the unit of what is left unexplained."""
_QUARTER = (0.0, 9.0, 18.0, 27.0, 36.0, 45.0, 54.0, 63.0, 72.0, 81.0)
"""Turns that are tried; after a quarter everything that stands looks as before."""
_TRIED_MM = ((0.0, 0.0), (1.2, 0.0), (-1.2, 0.0), (0.0, 1.2), (0.0, -1.2))
"""Each turn is tried at these places too: a guess that stands a little beside its piece has no turn that fits."""
_BEST_TURNS, _COARSE_ROUNDS = 2, 4
"""So many turns are moved to their edges, in so many steps: enough to tell which is best, not to end there."""
_SHIFT = 4
"""Bits of a pixel that OpenCV draws polygons to: their sides lie between pixels."""
_NEXT = [np.array([*range(1, count), 0][:count], np.intp) for count in range(6)]
"""For a polygon of so many corners, the number of the corner after each."""
_STRENGTHS = len(_BINS) + 1
FEATURES = 4 * _STRENGTHS + 1 + _MOST + 1
MEAN = 2 * _STRENGTHS
"""Number of the feature that says how strong edges are on average."""
_UNEXPLAINED = slice(MEAN + 1, MEAN + 1 + 2 * _STRENGTHS)
_LEVELS = MEAN + 2 * _STRENGTHS


class Sides(Struct, frozen=True):
    """Samples along the outlines of a shape's pieces, wherever the shape is moved by little."""

    start: NDArray[np.intp]
    """(S,) number of the corner at which a sample's side begins, of all corners of all pieces."""
    end: NDArray[np.intp]
    share: Floats
    """(S,) how far along the side."""
    length_px: Floats
    """(S,) of the side that a sample stands for."""
    inner: NDArray[np.bool_]
    """(S,) whether a lower piece is behind it."""

    def over(self, corners: Floats) -> tuple[Floats, Floats]:
        """Places (N, S, 2) and normals (N, S, 2) for corners (N, pieces * 5, 2), in pixels."""
        first, way = corners[:, self.start], corners[:, self.end] - corners[:, self.start]
        across = np.stack([way[..., 1], -way[..., 0]], axis=-1)
        return first + way * self.share[:, None], across / np.maximum(np.linalg.norm(way, axis=-1), 1e-6)[..., None]

    def mean(self, strengths: Floats) -> Floats:
        """(...) how strong edges (..., S) are over all sides, from 0 to 1."""
        whole = _STRONG * max(float(self.length_px.sum()), 1e-6)
        return np.asarray(np.minimum(strengths, _STRONG) @ self.length_px / whole)

    def moved(self, corners: int) -> Sides:
        """The same samples behind those of shapes with so many corners."""
        return Sides(self.start + corners, self.end + corners, self.share, self.length_px, self.inner)


def concatenated(sides: Sequence[Sides], corners: Sequence[int]) -> Sides:
    """Samples of several shapes, each of which has so many corners, one after the other."""
    first = np.cumsum([0, *corners[:-1]]).tolist()
    parts = [one.moved(at) for one, at in zip(sides, first, strict=True)]
    columns = ([getattr(one, name) for one in parts] for name in Sides.__struct_fields__)
    return Sides(*(np.concatenate(column) for column in columns))


def _parts(sides: Sequence[Sides]) -> list[slice]:
    """Which of all samples are those of each shape."""
    ends = list(accumulate(len(one.share) for one in sides))
    return [slice(end - len(one.share), end) for one, end in zip(sides, ends, strict=True)]


class _Samples(NamedTuple):
    """Samples of several shapes, to be looked at in one go, again and again while the shapes are moved."""

    each: Sequence[Sides]
    every: Sides
    parts: Sequence[slice]

    @staticmethod
    def of(sides: Sequence[Sides], pieces: Sequence[int]) -> _Samples:
        """Of shapes with so many pieces."""
        return _Samples(sides, concatenated(sides, [5 * count for count in pieces]), _parts(sides))


def sides_of(outline: Floats) -> Sides:
    """Of corners and tips (pieces, 5, 2), lowest first; what a higher piece stands in front of is left out."""
    order = [cv2.convexHull(np.asarray(p, np.float32), returnPoints=False).ravel() for p in outline]
    hulls = [p[k] for p, k in zip(outline, order, strict=True)]
    corner = np.concatenate([k + 5 * level for level, k in enumerate(order)])
    ahead = np.concatenate([k[_NEXT[len(k)]] + 5 * level for level, k in enumerate(order)])
    whose = np.repeat(np.arange(len(hulls)), [len(hull) for hull in hulls])
    flat = outline.reshape(-1, 2)
    way = flat[ahead] - flat[corner]
    length = np.hypot(way[:, 0], way[:, 1])
    count = np.maximum(2, (length / _STEP_PX).astype(int))
    side = np.repeat(np.arange(len(corner)), count)
    share = (np.arange(len(side)) - np.repeat(np.cumsum(count) - count, count) + 0.5) / count[side]
    shown, inner = np.ones(len(side), bool), np.zeros(len(side), bool)
    if len(hulls) > 1:
        places, level = flat[corner[side]] + way[side] * share[:, None], whose[side]
        for other, hull in enumerate(hulls):
            within = _inside(places, hull)
            shown &= ~(within & (level < other))
            inner |= within & (level > other)
    return Sides(*(one[shown] for one in (corner[side], ahead[side], share, (length / count)[side], inner)))


def _inside(places: Floats, hull: Floats) -> NDArray[np.bool_]:
    """(N,) whether places (N, 2) are within a convex polygon (M, 2)."""
    way = hull[_NEXT[len(hull)]] - hull
    # All signs of the cross products are alike.
    base = way[:, 0] * hull[:, 1] - way[:, 1] * hull[:, 0]
    turn = places @ np.stack([-way[:, 1], way[:, 0]]) - base
    return np.asarray((turn > 0).all(axis=1) | (turn < 0).all(axis=1))


class StackEdges:
    """The edges of a picture, or of a part of it."""

    def __init__(
        self,
        picture: NDArray[np.uint8],
        box: tuple[int, int, int, int] | None = None,
        bare: NDArray[np.uint8] | None = None,
    ) -> None:
        """
        :param picture: (H, W, 3) BGR.
        :param box: left, top, right, bottom in pixels of the part that is looked at; None: all of it.
        :param bare: (H, W, 3) the empty table from the same place, if it is known. What it shows itself is no edge: an
            edge of a piece is one in the picture and in its ratio to the empty table, for a stripe that is seen through
            a piece is in the former alone, and one that a piece hides in the latter.
        """
        left, top, right, bottom = box or (0, 0, picture.shape[1], picture.shape[0])
        self._at = np.array([left, top], np.float32)
        part = np.s_[top:bottom, left:right]
        logs = _smooth_logs(picture[part])
        self._changes = _changes(logs)
        self._beside = None if bare is None else _changes(logs - _smooth_logs(bare[part]))
        self._bins: NDArray[np.uint8] | None = None
        if self._beside is not None:
            strongest = np.minimum(_strongest(self._changes), _strongest(self._beside))
            self._bins = np.searchsorted(_BINS, strongest).astype(np.uint8)

    def strengths(self, places: Floats, normals: Floats) -> Floats:
        """(N, S) change across each sample, of the channel in which it is strongest."""
        at, across = (places - self._at).astype(np.float32), normals.astype(np.float32)
        seen = _across(self._changes, at, across)
        return seen if self._beside is None else np.minimum(seen, _across(self._beside, at, across))

    def fitted(self, places: Sequence[StackHypothesis], pose: Viewer) -> list[tuple[StackHypothesis, Floats]]:
        """Shapes where their outlines have most edges under them, near `places`, and their features (FEATURES,)."""
        best = self._moved(places, pose, _ROUNDS)[0]
        return list(zip(best, self._features(best, pose), strict=True))

    def _moved(
        self, places: Sequence[StackHypothesis], pose: Viewer, rounds: int
    ) -> tuple[list[StackHypothesis], list[float]]:
        """Shapes where their outlines have most edges under them, near `places`, and how strong these are.

        All are moved at the same time, each by itself, because a few large steps of arithmetic take less time than
        many small ones.
        """
        best, first = list(places), outlines(places, pose)
        sides = [sides_of(outline) for outline in first]
        means = self._mean(sides, [outline[None] for outline in first])[0].tolist()
        steps = [_FIRST_MM] * len(best)
        before: list[int] = []
        for _ in range(rounds):
            going = [k for k, step in enumerate(steps) if step >= _LAST_MM]
            if not going:
                break
            if going != before:
                before, samples = going, _Samples.of([sides[k] for k in going], [len(first[k]) for k in going])
            moves = [[best[k].moved(*(steps[k] * by for by in move)) for move in _MOVES] for k in going]
            seen = outlines([one for some in moves for one in some], pose)
            shapes = [np.stack(seen[at : at + len(_MOVES)]) for at in range(0, len(seen), len(_MOVES))]
            found = self._means(samples, shapes)
            for k, some, now in zip(going, moves, found.T, strict=True):
                chosen = int(np.argmax(now))
                if now[chosen] > means[k]:
                    best[k], means[k] = some[chosen], now[chosen]
                else:
                    steps[k] /= 2
        return best, means

    def turned(self, place: StackHypothesis, pose: Viewer) -> float:
        """The turn in degrees, of all that are possible, in which a standing shape has most edges under its outlines.

        All are tried near the place; the most promising ones are moved to their edges.
        """
        turns = [place.moved(0, 0, turn) for turn in _QUARTER]
        seen = outlines([one.moved(*by) for one in turns for by in _TRIED_MM], pose)
        shapes = [np.stack(seen[at : at + len(_TRIED_MM)]) for at in range(0, len(seen), len(_TRIED_MM))]
        means = self._mean([sides_of(shape[0]) for shape in shapes], shapes).max(axis=0)
        promising = [turns[k] for k in np.argsort(-means)[:_BEST_TURNS]]
        moved, strong = self._moved([*promising, place], pose, _COARSE_ROUNDS)
        return moved[int(np.argmax(strong))].turn_deg

    def _mean(self, sides: Sequence[Sides], shapes: Sequence[Floats]) -> Floats:
        """(N, G) how strong the edges under outlines are, from 0 to 1: for each of G shapes (N, pieces, 5, 2)."""
        return self._means(_Samples.of(sides, [shape.shape[1] for shape in shapes]), shapes)

    def _means(self, samples: _Samples, shapes: Sequence[Floats]) -> Floats:
        """The same, of shapes whose samples are known."""
        corners = np.concatenate([shape.reshape(len(shape), -1, 2) for shape in shapes], axis=1)
        strengths = self.strengths(*samples.every.over(corners))
        means = [one.mean(strengths[:, part]) for one, part in zip(samples.each, samples.parts, strict=True)]
        return np.stack(means, axis=1)

    def _features(self, places: Sequence[StackHypothesis], pose: Viewer) -> list[Floats]:
        """How long weak to strong edges are under outer and inner sides, and their mean strength; how much of weak to
        strong ones is unexplained inside and beside, if the cloth's own edges are known; how many levels, lying."""
        shapes = outlines(places, pose)
        sides = [sides_of(outline) for outline in shapes]
        counts = [5 * len(outline) for outline in shapes]
        flat = np.concatenate([outline.reshape(-1, 2) for outline in shapes])
        seen = self.strengths(*concatenated(sides, counts).over(flat[None]))[0]
        strengths = [seen[part] for part in _parts(sides)]
        ground = np.array([(one.x_mm + dx, one.y_mm + dy, 0.0) for one in places for dx, dy in _NEAR_MM])
        near = pose.project(ground).reshape(-1, 3, 2)
        scales = np.linalg.norm(near[:, 1:] - near[:, :1], axis=2).sum(axis=1) / 20
        found = []
        for place, one, strong, outline, px_per_mm in zip(places, sides, strengths, shapes, scales, strict=True):
            bins = np.searchsorted(_BINS, strong) + _STRENGTHS * one.inner
            out = np.zeros(FEATURES)
            out[:MEAN] = np.bincount(bins, one.length_px, MEAN) / (px_per_mm * _UNIT_MM)
            out[MEAN] = one.mean(strong)
            if self._bins is not None:
                out[_UNEXPLAINED] = self._unexplained(self._bins, outline, float(px_per_mm))
            out[-1 if place.lies else _LEVELS + min(len(place.sizes), _MOST)] = 1
            found.append(out)
        return found

    def _unexplained(self, bins: NDArray[np.uint8], outline: Floats, px_per_mm: float) -> Floats:
        """(2 * _STRENGTHS,) area of weak to strong edges inside of a shape (pieces, 5, 2) on no line of it, and beside.

        What is right leaves little: a piece that is not in a guess has edges, too.
        """
        corners = outline - self._at
        near = max(_LINE_PX, round(_LINE_MM * px_per_mm))
        reach = near + round((_REACH_MM - _LINE_MM) * px_per_mm)
        limit = bins.shape[::-1]
        low = np.clip(np.floor(corners.min(axis=(0, 1))).astype(int) - reach - 1, 0, limit)
        high = np.clip(np.ceil(corners.max(axis=(0, 1))).astype(int) + reach + 2, low, limit)
        part = bins[low[1] : high[1], low[0] : high[0]]
        if not part.size:
            return np.zeros(2 * _STRENGTHS)
        whole, lines = np.zeros(part.shape, np.uint8), np.zeros(part.shape, np.uint8)
        for piece in np.rint((corners - low) * 2**_SHIFT).astype(np.int32):
            hull = cv2.convexHull(piece)
            cv2.fillConvexPoly(whole, hull, 1, shift=_SHIFT)
            # What a higher piece stands in front of is no line.
            cv2.fillConvexPoly(lines, hull, 0, shift=_SHIFT)
            cv2.polylines(lines, [hull, *(piece[[k, 4]] for k in range(4))], True, 1, 2 * near + 1, shift=_SHIFT)
        wide, own = (cv2.dilate(whole, np.ones((2 * by + 1, 2 * by + 1), np.uint8)) for by in (reach, near))
        inside, beside = (part[where > 0] for where in (cv2.subtract(whole, lines), cv2.subtract(wide, own)))
        counts = [np.bincount(some, minlength=_STRENGTHS) for some in (inside, beside)]
        return np.concatenate(counts) / (px_per_mm * _SQUARE_MM) ** 2


def _smooth_logs(picture: NDArray[np.uint8]) -> Floats:
    return np.asarray(cv2.GaussianBlur(cv2.LUT(picture, LOGS), (0, 0), _SIGMA_PX))


def _changes(logs: Floats) -> Floats:
    """(H, W, 6) change of each channel to the right, then down."""
    return np.dstack([cv2.Sobel(logs, cv2.CV_32F, dx, dy, ksize=3, scale=1 / 8) for dx, dy in ((1, 0), (0, 1))])


def _strongest(changes: Floats) -> Floats:
    """(H, W) how strong the edge at each pixel is, whichever way it runs, of the channel in which it is strongest."""
    across, down = changes[..., :3], changes[..., 3:]
    return np.asarray(np.sqrt((across**2 + down**2).max(axis=2)))


def _across(changes: Floats, at: Floats, across: Floats) -> Floats:
    """(N, S) the greatest change of any channel at places (N, S, 2) across directions (N, S, 2)."""
    found = cv2.remap(changes, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    x, y = across[..., 0], across[..., 1]
    b, g, r = (np.abs(found[..., k] * x + found[..., 3 + k] * y) for k in range(3))
    return np.asarray(np.maximum(np.maximum(b, g), r))


class EdgeWeights(Struct, frozen=True):
    """How much each feature counts, in log odds, (FEATURES,) each."""

    alone: Floats
    beside: Floats
    """Where the empty table is known, and what it shows is no edge."""


def load(file: Path) -> EdgeWeights:
    """The weights as training wrote them."""
    with np.load(file) as kept:
        return EdgeWeights(np.asarray(kept["alone"], np.float64), np.asarray(kept["beside"], np.float64))

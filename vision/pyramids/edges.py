"""How well the outlines of an exact shape lie on edges of the picture.

An edge is a change of the light's logarithm, so that it is as strong in shade as in light. A shape is moved to where
its outlines have most edges under them (samples along a model's edges, looked at across them, as in Harris and
Stennett, RAPID, BMVC 1990). How much of its outlines then lies on weak and on strong edges tells sizes and levels
apart, also on tables and under lights that no net has seen.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

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
_LOOKS = 9
FEATURES = 2 * (len(_BINS) + 1) + 1 + _MOST + 1


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


def sides_of(outline: Floats) -> Sides:
    """Of corners and tips (pieces, 5, 2), lowest first; what a higher piece stands in front of is left out."""
    order = [cv2.convexHull(np.asarray(p, np.float32), returnPoints=False).ravel() for p in outline]
    hulls = [p[k] for p, k in zip(outline, order, strict=True)]
    corner = np.concatenate([k + 5 * level for level, k in enumerate(order)])
    ahead = np.concatenate([np.roll(k, -1) + 5 * level for level, k in enumerate(order)])
    whose = np.repeat(np.arange(len(hulls)), [len(hull) for hull in hulls])
    flat = outline.reshape(-1, 2)
    way = flat[ahead] - flat[corner]
    length = np.hypot(way[:, 0], way[:, 1])
    count = np.maximum(2, (length / _STEP_PX).astype(int))
    side = np.repeat(np.arange(len(corner)), count)
    share = (np.arange(len(side)) - np.repeat(np.cumsum(count) - count, count) + 0.5) / count[side]
    places, level = flat[corner][side] + way[side] * share[:, None], whose[side]
    shown, inner = np.ones(len(side), bool), np.zeros(len(side), bool)
    for other, hull in enumerate(hulls):
        within = _inside(places, hull)
        shown &= ~(within & (level < other))
        inner |= within & (level > other)
    return Sides(*(one[shown] for one in (corner[side], ahead[side], share, (length / count)[side], inner)))


def _inside(places: Floats, hull: Floats) -> NDArray[np.bool_]:
    """(N,) whether places (N, 2) are within a convex polygon (M, 2)."""
    way = np.roll(hull, -1, axis=0) - hull
    off = places[:, None] - hull
    turn = way[:, 0] * off[..., 1] - way[:, 1] * off[..., 0]
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

    def strengths(self, places: Floats, normals: Floats) -> Floats:
        """(N, S) change across each sample, of the channel in which it is strongest."""
        at, across = (places - self._at).astype(np.float32), normals.astype(np.float32)
        seen = _across(self._changes, at, across)
        return seen if self._beside is None else np.minimum(seen, _across(self._beside, at, across))

    def fitted(self, place: StackHypothesis, pose: Viewer) -> tuple[StackHypothesis, Floats]:
        """A shape where its outlines have most edges under them, near `place`, and its features (FEATURES,) there."""
        sides = sides_of(outlines([place], pose)[0])
        step, best = _FIRST_MM, self._mean(sides, [place], pose)[0]
        for _ in range(_LOOKS):
            moves = [place.moved(*(step * by for by in move)) for move in _MOVES]
            means = self._mean(sides, moves, pose)
            k = int(np.argmax(means))
            if means[k] > best:
                place, best = moves[k], means[k]
            else:
                step /= 2
                if step < _LAST_MM:
                    break
        return place, self._features(place, pose)

    def _mean(self, sides: Sides, places: list[StackHypothesis], pose: Viewer) -> Floats:
        """(N,) how strong the edges under outlines are, from 0 to 1."""
        corners = np.stack([outline.reshape(-1, 2) for outline in outlines(places, pose)])
        return sides.mean(self.strengths(*sides.over(corners)))

    def _features(self, place: StackHypothesis, pose: Viewer) -> Floats:
        """Length of weak to strong edges under outer and inner sides, their mean strength, how many levels, lying."""
        outline = outlines([place], pose)[0]
        sides = sides_of(outline)
        strong = self.strengths(*sides.over(outline.reshape(1, -1, 2)))[0]
        x, y = place.x_mm, place.y_mm
        here, right, down = pose.project(np.array([(x, y, 0), (x + 10, y, 0), (x, y + 10, 0)]))
        px_per_mm = (np.hypot(*(right - here)) + np.hypot(*(down - here))) / 20
        many = 2 * (len(_BINS) + 1)
        bins = np.searchsorted(_BINS, strong) + (len(_BINS) + 1) * sides.inner
        out = np.zeros(FEATURES)
        out[:many] = np.bincount(bins, sides.length_px, many) / (px_per_mm * _UNIT_MM)
        out[many] = sides.mean(strong)
        out[-1 if place.lies else many + min(len(place.sizes), _MOST)] = 1
        return out


def _smooth_logs(picture: NDArray[np.uint8]) -> Floats:
    return np.asarray(cv2.GaussianBlur(cv2.LUT(picture, LOGS), (0, 0), _SIGMA_PX))


def _changes(logs: Floats) -> Floats:
    """(H, W, 6) change of each channel to the right, then down."""
    return np.dstack([cv2.Sobel(logs, cv2.CV_32F, dx, dy, ksize=3, scale=1 / 8) for dx, dy in ((1, 0), (0, 1))])


def _across(changes: Floats, at: Floats, across: Floats) -> Floats:
    """(N, S) the greatest change of any channel at places (N, S, 2) across directions (N, S, 2)."""
    found = cv2.remap(changes, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(np.abs(found[..., :3] * across[..., :1] + found[..., 3:] * across[..., 1:]).max(axis=-1))


def load(file: Path) -> Floats:
    """(FEATURES,) how much each feature counts, in log odds, as training wrote it."""
    with np.load(file) as kept:
        return np.asarray(kept["weights"], np.float64)

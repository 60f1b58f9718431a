"""Samples along the outlines of a shape's pieces, at which a picture is looked at while the shape is moved.

Samples along a model's edges, as in Harris and Stennett, RAPID, BMVC 1990.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Floats = NDArray[Any]

_STEP_PX = 2.5
_CORNERS = 5
"""Of a piece, its tip counted."""
_NEXT = [np.array([*range(1, count), 0][:count], np.intp) for count in range(_CORNERS + 1)]
"""For a polygon of so many corners, the number of the corner after each."""


class Sides(Struct, frozen=True):
    """Samples along the outlines of a shape's pieces, wherever the shape is moved by little."""

    start: NDArray[np.intp]
    """(S,) number of the corner at which a sample's side begins, of all corners of all pieces."""
    end: NDArray[np.intp]
    share: Floats
    """(S,) how far along the side."""
    length_px: Floats
    """(S,) of the side that a sample stands for."""

    def over(self, corners: Floats) -> Floats:
        """Places (N, S, 2) for corners (N, pieces * 5, 2), in pixels."""
        first = corners[:, self.start]
        return np.asarray(first + (corners[:, self.end] - first) * self.share[:, None])

    def mean(self, seen: Floats) -> Floats:
        """(...) the mean over all sides of what is seen (..., S)."""
        return np.asarray(seen @ self.length_px / max(float(self.length_px.sum()), 1e-6))


class SampledShapes:
    """Samples of several shapes, to be looked at in one go, again and again while the shapes are moved."""

    def __init__(self, sides: Sequence[Sides], pieces: Sequence[int]) -> None:
        """:param pieces: how many each shape has."""
        self._each = sides
        first = [0, *accumulate(_CORNERS * count for count in pieces)]
        self._start = np.concatenate([one.start + at for one, at in zip(sides, first, strict=False)])
        self._end = np.concatenate([one.end + at for one, at in zip(sides, first, strict=False)])
        self._share = np.concatenate([one.share for one in sides])
        ends = [0, *accumulate(len(one.share) for one in sides)]
        self._parts = [slice(begin, end) for begin, end in pairwise(ends)]

    def over(self, corners: Floats) -> Floats:
        """Places (N, S, 2) of all samples for corners (N, all pieces * 5, 2), in pixels."""
        return Sides(self._start, self._end, self._share, self._share).over(corners)

    def means(self, seen: Floats) -> Floats:
        """(N, shapes) the mean over the sides of each shape of what is seen (N, S)."""
        return np.stack([one.mean(seen[:, part]) for one, part in zip(self._each, self._parts, strict=True)], axis=1)


def sides_of(outline: Floats) -> Sides:
    """Of corners and tips (pieces, 5, 2), lowest first; what a higher piece stands in front of is left out."""
    order = [cv2.convexHull(np.asarray(p, np.float32), returnPoints=False).ravel() for p in outline]
    hulls = [p[k] for p, k in zip(outline, order, strict=True)]
    corner = np.concatenate([k + _CORNERS * level for level, k in enumerate(order)])
    ahead = np.concatenate([k[_NEXT[len(k)]] + _CORNERS * level for level, k in enumerate(order)])
    whose = np.repeat(np.arange(len(hulls)), [len(hull) for hull in hulls])
    flat = outline.reshape(-1, 2)
    way = flat[ahead] - flat[corner]
    length = np.hypot(way[:, 0], way[:, 1])
    count = np.maximum(2, (length / _STEP_PX).astype(int))
    side = np.repeat(np.arange(len(corner)), count)
    share = (np.arange(len(side)) - np.repeat(np.cumsum(count) - count, count) + 0.5) / count[side]
    shown = np.ones(len(side), bool)
    if len(hulls) > 1:
        places, level = flat[corner[side]] + way[side] * share[:, None], whose[side]
        for other, hull in enumerate(hulls[1:], 1):
            shown &= ~(_inside(places, hull) & (level < other))
    return Sides(*(one[shown] for one in (corner[side], ahead[side], share, (length / count)[side])))


def _inside(places: Floats, hull: Floats) -> NDArray[np.bool_]:
    """(N,) whether places (N, 2) are within a convex polygon (M, 2)."""
    way = hull[_NEXT[len(hull)]] - hull
    # All signs of the cross products are alike.
    base = way[:, 0] * hull[:, 1] - way[:, 1] * hull[:, 0]
    turn = places @ np.stack([-way[:, 1], way[:, 0]]) - base
    return np.asarray((turn > 0).all(axis=1) | (turn < 0).all(axis=1))

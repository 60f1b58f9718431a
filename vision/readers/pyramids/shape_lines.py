"""Which pixels show an outline, a rim or a ridge of a stack or of a lying piece, by its exact shape.

What a net is taught to see (`contours`) and what a guess is held against it with (`contour_fit`) are drawn alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Floats = NDArray[Any]

# Samples along the outlines of a shape's pieces, at which a picture is looked at while the shape is moved.
#
# Samples along a model's edges, as in Harris and Stennett, RAPID, BMVC 1990.

_STEP_PX = 2.5
_RIM = 0.3
"""A rim in front of a lower piece counts so much beside a shape's silhouette."""
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
    """(S,) of the side that a sample stands for; of a rim in front of a lower piece, a part of it."""
    corners: int
    """The number of corners of the shape, tips included."""


class SampledShapes:
    """Samples of several shapes, to be looked at in one go, again and again while the shapes are moved."""

    def __init__(self, sides: Sequence[Sides]) -> None:
        first = [0, *accumulate(one.corners for one in sides)]
        self._start = np.concatenate([one.start + at for one, at in zip(sides, first, strict=False)])
        self._end = np.concatenate([one.end + at for one, at in zip(sides, first, strict=False)])
        self._share = np.concatenate([one.share for one in sides])[:, None]
        self._begins = np.array([0, *accumulate(len(one.share) for one in sides)][:-1])
        self._weight = np.concatenate([one.length_px / max(float(one.length_px.sum()), 1e-6) for one in sides])

    def over(self, corners: Floats) -> Floats:
        """Places (N, S, 2) of all samples for corners (N, all corners, 2), in pixels."""
        first = corners[:, self._start]
        return np.asarray(first + (corners[:, self._end] - first) * self._share)

    def means(self, seen: Floats) -> Floats:
        """(N, shapes) the mean over the sides of each shape of the samples (N, S)."""
        return np.asarray(np.add.reduceat(seen * self._weight, self._begins, axis=1))


class _Outlines:
    """The convex outlines of some pieces (P, 5, 2), as sides one after another."""

    def __init__(self, pieces: Floats) -> None:
        hulls = [cv2.convexHull(piece, returnPoints=False).ravel() for piece in pieces.astype(np.float32)]
        self.counts = np.array([len(hull) for hull in hulls])
        """(P,) how many sides each has."""
        self.whose = np.repeat(np.arange(len(pieces)), self.counts)
        """(H,) the piece of each side."""
        self.corner = np.concatenate(hulls)
        """(H,) number of the corner of its piece at which it begins."""
        self.ahead = np.concatenate([hull[_NEXT[len(hull)]] for hull in hulls])
        self.begin = pieces[self.whose, self.corner]
        self.way = pieces[self.whose, self.ahead] - self.begin

    def hold(self, piece: NDArray[np.intp], places: Floats) -> NDArray[np.bool_]:
        """(N,) whether places (N, 2) are inside of the outline of a piece each (N,)."""
        # A piece has five sides at most; where it has fewer, its last one counts again.
        first = np.cumsum(self.counts) - self.counts
        sides = (first[:, None] + np.minimum(np.arange(_CORNERS), self.counts[:, None] - 1))[piece]
        begin, way = self.begin[sides], self.way[sides]
        turn = way[..., 0] * (places[:, None, 1] - begin[..., 1]) - way[..., 1] * (places[:, None, 0] - begin[..., 0])
        # Within a convex outline all signs of the cross products are alike.
        return np.asarray((turn > 0).all(axis=1) | (turn < 0).all(axis=1))


def sides_of(shapes: Sequence[Floats]) -> list[Sides]:
    """The sides of shapes with corners and tips (pieces, 5, 2), lowest piece first.

    Parts behind a higher piece of the same shape are left out. Parts in front of a lower one count less:
    a rim on plastic of its own color hardly shows, and a shape that looks for one loses its place.
    """
    outlines = _Outlines(np.concatenate(shapes))
    length = np.hypot(outlines.way[:, 0], outlines.way[:, 1])
    count = np.maximum(2, (length / _STEP_PX).astype(int))
    side = np.repeat(np.arange(len(count)), count)
    share = (_numbered(count) + 0.5) / count[side]
    levels = np.array([len(shape) for shape in shapes])
    lowest = np.repeat(np.cumsum(levels) - levels, levels)
    own = outlines.whose[side]
    others = np.repeat(levels, levels)[own] - 1
    sample = np.repeat(np.arange(len(side)), others)
    piece = lowest[own[sample]] + _numbered(others)
    piece += piece >= own[sample]
    places = outlines.begin[side] + outlines.way[side] * share[:, None]
    held = outlines.hold(piece, places[sample])
    shown, counts = np.ones(len(side), bool), np.ones(len(side))
    shown[sample[held & (piece > own[sample])]] = False
    counts[sample[held & (piece < own[sample])]] = _RIM
    length_px = ((length / count)[side] * counts)[shown]
    side, share, own = side[shown], share[shown], own[shown]
    start, end = (corner[side] + _CORNERS * (own - lowest[own]) for corner in (outlines.corner, outlines.ahead))
    parts = np.searchsorted(own, np.cumsum(levels)[:-1])
    each = (np.split(one, parts) for one in (start, end, share, length_px))
    corners = (_CORNERS * levels).tolist()
    return [Sides(start, end, share, px, some) for start, end, share, px, some in zip(*each, corners, strict=True)]


def _numbered(counts: NDArray[np.intp]) -> NDArray[np.intp]:
    """(sum of counts,) 0, 1, 2 and so on for each of some counts (N,), one after another."""
    return np.asarray(np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts))


Mask = NDArray[np.uint8]

OUTLINE, RIM, RIDGE = 1, 2, 3
"""Kinds of lines: where all of a shape ends, where one piece ends before another one or a piece is open, and where two
sides of a piece meet."""
LINE_PX = 2
"""A line is so wide, however small the scale."""
_SHIFT = 4
"""Bits of a pixel that OpenCV draws to: lines lie between pixels."""
_SIDES = 4


class ShapeLines(NamedTuple):
    """A shape as lines; both (h, w)."""

    kinds: Mask
    """0 for none, else `OUTLINE`, `RIM` or `RIDGE`."""
    inside: Mask
    """1 where the shape is."""


def shape_lines(outline: Floats, size: tuple[int, int], lies: bool = False) -> ShapeLines:
    """The lines of a shape whose pieces have their corners and tips (pieces, 5, 2) at these pixels, lowest first.

    Args:
        size: Width and height of the drawing, in pixels.
        lies: True for a piece on its side.
    """
    whole = np.zeros((size[1], size[0]), np.uint8)
    kinds = whole.copy()
    pieces = np.rint(np.asarray(outline) * 2**_SHIFT).astype(np.int32)
    hulls = [cv2.convexHull(piece) for piece in pieces]
    for hull in hulls:
        cv2.fillConvexPoly(whole, hull, 1, shift=_SHIFT)
    near, at = (_rind(whole, reach) for reach in (LINE_PX, 1))
    for piece, hull in zip(pieces, hulls, strict=True):
        # What a higher piece stands in front of is not seen.
        cv2.fillConvexPoly(kinds, hull, 0, shift=_SHIFT)
        ridges, open_sides = _inner(piece, lies)
        cv2.polylines(kinds, ridges, False, RIDGE, LINE_PX, shift=_SHIFT)
        cv2.polylines(kinds, [*open_sides, hull], True, RIM, LINE_PX, shift=_SHIFT)
    kinds[(near & (kinds == RIM)) | (at & (whole == 1) & (kinds == 0))] = OUTLINE
    return ShapeLines(kinds, whole)


def _rind(whole: Mask, reach_px: int) -> NDArray[np.bool_]:
    """(h, w) the parts outside of a shape or near its border."""
    square = np.ones((2 * reach_px + 1, 2 * reach_px + 1), np.uint8)
    return np.asarray(cv2.erode(whole, square, borderType=cv2.BORDER_CONSTANT, borderValue=0) == 0)


def _inner(piece: NDArray[np.int32], lies: bool) -> tuple[list[NDArray[np.int32]], list[NDArray[np.int32]]]:
    """The ridges of one piece (5, 2) between sides that are both seen, and sides of an open base that is seen."""
    # Four corners are too few for arrays to be quicker than numbers.
    *base, (tip_x, tip_y) = piece.tolist()
    ahead = [*base[1:], base[0]]
    # `models.lying` names the corners of a base the other way round than `models.standing`.
    way = -1 if lies else 1
    seen = [
        way * ((x - tip_x) * (to_y - tip_y) - (y - tip_y) * (to_x - tip_x)) > 0
        for (x, y), (to_x, to_y) in zip(base, ahead, strict=True)
    ]
    ridges = [piece[[k, 4]] for k in range(_SIDES) if seen[k] and seen[k - 1]]
    if way * sum(x * to_y - y * to_x for (x, y), (to_x, to_y) in zip(base, ahead, strict=True)) >= 0:
        return ridges, []
    return ridges, [piece[[k, (k + 1) % _SIDES]] for k in range(_SIDES) if seen[k]]

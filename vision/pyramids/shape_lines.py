"""Which pixels show an outline, a rim or a ridge of a stack or of a lying piece, by its exact shape.

What a net is taught to see (`contours`) and what a guess is held against it with (`contour_fit`) are drawn alike.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]
Mask = NDArray[np.uint8]
Corners = NDArray[np.int32]

OUTLINE, RIM, RIDGE = 1, 2, 3
"""Kinds of lines: where all of a shape ends, where one piece ends before another one or a piece is open, and where two
sides of a piece meet."""
LINE_PX = 2
"""A line is so wide, however small the scale."""
_SHIFT = 4
"""Bits of a pixel that OpenCV draws to: lines lie between pixels."""
_SIDES = 4
_AHEAD, _BEFORE = [1, 2, 3, 0], [3, 0, 1, 2]
"""Numbers of the side after each and before each."""


class ShapeLines(NamedTuple):
    """A shape as lines; both (h, w)."""

    kinds: Mask
    """0 for none, else `OUTLINE`, `RIM` or `RIDGE`."""
    inside: Mask
    """1 where the shape is."""


def shape_lines(outline: Floats, size: tuple[int, int], lies: bool = False) -> ShapeLines:
    """The lines of a shape whose pieces have their corners and tips (pieces, 5, 2) at these pixels, lowest first.

    :param size: width and height of what is drawn, in pixels. :param lies: whether it is a piece on its side.
    """
    whole = np.zeros((size[1], size[0]), np.uint8)
    kinds = whole.copy()
    pieces = np.rint(np.asarray(outline) * 2**_SHIFT).astype(np.int32)
    hulls = [cv2.convexHull(piece) for piece in pieces]
    for hull in hulls:
        cv2.fillConvexPoly(whole, hull, 1, shift=_SHIFT)
    near, at = (_rind(whole, reach) for reach in (LINE_PX, 1))
    for hull, ridges, open_sides in zip(hulls, *_inner(pieces, lies), strict=True):
        # What a higher piece stands in front of is not seen.
        cv2.fillConvexPoly(kinds, hull, 0, shift=_SHIFT)
        cv2.polylines(kinds, ridges, False, RIDGE, LINE_PX, shift=_SHIFT)
        cv2.polylines(kinds, [*open_sides, hull], True, RIM, LINE_PX, shift=_SHIFT)
    kinds[(near & (kinds == RIM)) | (at & (whole == 1) & (kinds == 0))] = OUTLINE
    return ShapeLines(kinds, whole)


def _rind(whole: Mask, reach_px: int) -> NDArray[np.bool_]:
    """(h, w) what is outside of a shape or so near to its end."""
    square = np.ones((2 * reach_px + 1, 2 * reach_px + 1), np.uint8)
    return np.asarray(cv2.erode(whole, square, borderType=cv2.BORDER_CONSTANT, borderValue=0) == 0)


def _inner(pieces: NDArray[np.int32], lies: bool) -> tuple[list[list[Corners]], list[list[Corners]]]:
    """For each of some pieces (P, 5, 2) its ridges between sides that are both seen, and sides of an open base if that
    is seen."""
    base, tip = pieces[:, :_SIDES].astype(np.float64), pieces[:, _SIDES:].astype(np.float64)
    ahead = base[:, _AHEAD]
    # `models.lying` names the corners of a base the other way round than `models.standing`.
    way = -1 if lies else 1
    seen = way * _turn(base - tip, ahead - tip) > 0
    ridged = (seen & seen[:, _BEFORE]).tolist()
    opened = (seen & (way * _turn(base, ahead).sum(axis=1) < 0)[:, None]).tolist()
    ridges = [
        [piece[[k, _SIDES]] for k in range(_SIDES) if some[k]] for piece, some in zip(pieces, ridged, strict=True)
    ]
    sides = [
        [piece[[k, _AHEAD[k]]] for k in range(_SIDES) if some[k]] for piece, some in zip(pieces, opened, strict=True)
    ]
    return ridges, sides


def _turn(one: Floats, other: Floats) -> Floats:
    """(P, N) cross products of (P, N, 2)."""
    return np.asarray(one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0])

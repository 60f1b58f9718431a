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
    base, tip = piece[:4].astype(np.float64), piece[4].astype(np.float64)
    ahead = np.roll(base, -1, axis=0)
    # `models.lying` names the corners of a base the other way round than `models.standing`.
    way = -1 if lies else 1
    seen = way * _turn(base - tip, ahead - tip) > 0
    ridges = [piece[[k, 4]] for k in range(_SIDES) if seen[k] and seen[k - 1]]
    if way * _turn(base, ahead).sum() >= 0:
        return ridges, []
    return ridges, [piece[[k, (k + 1) % _SIDES]] for k in range(_SIDES) if seen[k]]


def _turn(one: Floats, other: Floats) -> Floats:
    """(N,) cross products of (N, 2)."""
    return np.asarray(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])

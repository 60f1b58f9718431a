"""Things that cannot both be there, because they are closer to each other than two things can be."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.core.pieces import SHAPES
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.scene import FoundPieces

APART_MM = 11.0
"""No two things stand closer than this."""
_TOUCHING = 0.75
"""Of the distance at which two pieces touch: places are a little wrong."""
_OVERLAP = 0.5
"""A lying piece that shares so much of its outline with another thing is the same thing."""


def clear_of(one: StackHypothesis, other: StackHypothesis) -> bool:
    """Returns true if two stacks can both stand there.

    Two squares that do not overlap, however they are turned, are apart by half of each side.
    """
    sides = sum(SHAPES[place.sizes[0]].base_mm for place in (one, other))
    return bool(_away_mm(one, other) > max(APART_MM, _TOUCHING * sides / 2))


def apart(one: FoundPieces, other: FoundPieces) -> bool:
    """Returns true if two things can both be there: far enough apart, and neither lies where the other is."""
    if not (one.place.lies or other.place.lies):
        return clear_of(one.place, other.place)
    if _away_mm(one.place, other.place) <= APART_MM:
        return False
    hulls = [cv2.convexHull(f.outline_px.reshape(-1, 2).astype(np.float32)) for f in (one, other)]
    smaller = min(cv2.contourArea(hull) for hull in hulls)
    shared, _ = cv2.intersectConvexConvex(np.asarray(hulls[0]), np.asarray(hulls[1]))
    return bool(shared < _OVERLAP * max(smaller, 1.0))


def apart_from_all(one: FoundPieces, others: Sequence[FoundPieces]) -> bool:
    """Returns true if a thing can be there beside all others."""
    return all(apart(one, other) for other in others)


def without_doubles(found: Sequence[FoundPieces]) -> list[FoundPieces]:
    """Of two things closer than any two pieces can stand, the surer one."""
    kept: list[FoundPieces] = []
    for one in sorted(found, key=lambda f: -f.confidence):
        if apart_from_all(one, kept):
            kept.append(one)
    return kept


def _away_mm(one: StackHypothesis, other: StackHypothesis) -> float:
    return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm))

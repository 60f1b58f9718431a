"""Classifies the visible content of a place: the table, something foreign, or a known thing in front of it.

A cloth, a sleeve or a mug is larger than the pieces under it, so the picture changes on all sides of them, and the
place looks different from the table around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from vision.image.likeness import FLOOR, SHRINK, Glance, Mask, dilated, drawn

Floats = NDArray[Any]

Shown = Literal["free", "foreign", "behind", "unclear"]
""""free": the table or farther things are visible, so no piece stood there; "foreign": neither table nor known things;
"behind": a known thing is in front of the place; "unclear": too little of the table around it is in view.
"""

GAP_PX, RING_PX = 3, 8
"""The inner and outer distance of the ring of table around a place, in pixels of a small picture."""
AROUND = 0.3
"""The changed share from which a side of a place has changed."""
ENOUGH = 0.3
"""The least visible share of a place behind other things for an answer."""
ALIKE = 0.1
"""The log ratio within which a place looks like the table around it."""
RIM = 0.15
"""If less than this share of a thing is visible, a neighbor's shadow may reach it: then the whole thing counts.
Chosen.
"""
PATTERNED = 0.08
"""A table whose logarithm of light has at least this standard deviation has a pattern or a grain."""
PLAIN = 0.15
"""A place whose variation is below this share of the pattern around it is not part of that table."""


def is_changed_around(outline_px: Floats, same: Mask) -> bool:
    """Returns true if the picture has changed around a thing on three sides at least: a cloth is larger than the pieces
    under it.

    A thing that comes or goes changes its own place, and one side more by its shadow.

    Args:
        outline_px: (levels, N, 2), pixels of the picture.
        same: (h, w) 1 where nothing has changed.
    """
    place = drawn(outline_px, same.shape)
    ring = dilated(place, GAP_PX + 2) - dilated(place, GAP_PX)
    ys, xs = np.nonzero(ring)
    middle = outline_px.reshape(-1, 2).mean(axis=0) / SHRINK
    sides = 2 * (ys > middle[1]) + (xs > middle[0])
    changed = [float(1 - same[ys[sides == k], xs[sides == k]].mean()) for k in range(4) if (sides == k).any()]
    return sum(share >= AROUND for share in changed) >= 3


def shown_at(
    outline_px: Floats,
    there: Glance,
    bare: Glance,
    nearer: Sequence[Floats],
    farther: Sequence[Floats],
    by: float = ALIKE,
) -> Shown:
    """Returns the content of a picture at the place where a thing stands in another one.

    Args:
        outline_px: (levels, N, 2) of the thing as the picture in question sees it.
        there: The picture in question; `bare`: the one in which the table around the thing is bare.
        nearer: Outlines of known things of the picture in question that stand nearer to the camera than the thing;
            `farther`: of those that stand farther away, which the thing would hide.
        by: Log ratio by which the place must differ from the table around it to look foreign.
    """
    shape = there.small.shape[:2]
    place = drawn(outline_px, shape)
    whole = int(place.sum())
    ring = dilated(place, RING_PX) - dilated(place, GAP_PX)
    front, back = (_union(outlines, shape) for outlines in (nearer, farther))
    ring[(front | back) > 0] = 0
    if not whole or int(ring.sum()) < whole // 4:
        return "unclear"
    through = int((place & back & (1 - front)).sum())
    if whole - through < ENOUGH * whole:
        return "free"
    place[(front | back) > 0] = 0
    if int(place.sum()) < ENOUGH * (whole - through):
        return "behind"
    here = np.log(there.small[place > 0].astype(np.float32) + FLOOR)
    around = np.log(bare.small[ring > 0].astype(np.float32) + FLOOR)
    low, high = np.percentile(around, 5, axis=0) - by, np.percentile(around, 95, axis=0) + by
    middle = np.median(here, axis=0)
    if (middle < low).any() or (middle > high).any():
        return "foreign"
    pattern = float(around.std(axis=0).mean())
    smooth = by == ALIKE and pattern > PATTERNED and float(here.std(axis=0).mean()) < PLAIN * pattern
    return "foreign" if smooth else "free"


def in_view(outline_px: Floats, nearer: Sequence[Floats], shape: tuple[int, ...]) -> Mask:
    """Returns (h, w) with 1 at the part of a thing (levels, N, 2) that nearer things leave visible; all of it if that
    is a rim.

    Args:
        outline_px: Pixels of the picture, as are those of `nearer`.
        shape: That of the small picture.
    """
    place = drawn(outline_px, shape)
    seen = np.asarray(place & (1 - _in_front(outline_px, nearer, shape)), np.uint8)
    return place if int(seen.sum()) < RIM * int(place.sum()) else seen


def is_behind(outline_px: Floats, before: Sequence[Floats], nearer: Sequence[Floats], shape: tuple[int, ...]) -> bool:
    """Returns true if nearer things hide the visible part of a thing (levels, N, 2) in an earlier picture.

    Args:
        before: Outlines of nearer things in that picture, as this one sees it; `nearer`: of nearer things now.
    """
    seen = in_view(outline_px, before, shape)
    left = seen & (1 - _in_front(outline_px, nearer, shape))
    return int(left.sum()) < ENOUGH * int(seen.sum())


def _in_front(outline_px: Floats, nearer: Sequence[Floats], shape: tuple[int, ...]) -> Mask:
    """Returns (h, w) with 1 at the nearer things that overlap an outline."""
    low, high = _box(outline_px)
    return _union([one for one in nearer if (_box(one)[0] <= high).all() and (_box(one)[1] >= low).all()], shape)


def _box(outline_px: Floats) -> tuple[Floats, Floats]:
    """Returns the upper left and the lower right corner of an outline, with a margin of one pixel of a small
    picture.
    """
    flat = outline_px.reshape(-1, 2)
    return flat.min(axis=0) - SHRINK, flat.max(axis=0) + SHRINK


def _union(outlines_px: Sequence[Floats], shape: tuple[int, ...]) -> Mask:
    """Returns (h, w) with 1 at any of several things, with a margin of one pixel."""
    mask = np.zeros(shape[:2], np.uint8)
    for outline in outlines_px:
        mask |= dilated(drawn(outline, shape), 1)
    return mask

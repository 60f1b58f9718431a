"""Lone pieces that were missed or misplaced, found again by unexplained plastic beside the empty table.

Cells that know no cloth like this one may point beside their piece: then the close look is taken in the wrong place,
and it says "lying" for a standing piece, or nothing. Beside the empty table the silhouette is known, so plastic that no
outline covers asks for another look, where the exact shape of a lone piece holds most of it; and so does a piece that
does not surely lie, if a standing one would hold nearly as much.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_SIZES
from vision.image.pose import Pose
from vision.readers.pyramids.answers import Answers
from vision.readers.pyramids.hypothesis import StackHypothesis, outlines
from vision.readers.pyramids.painting import painted_levels
from vision.readers.pyramids.scene import FoundPieces
from vision.readers.pyramids.sheet import PX_PER_MM, STRIDE, Sheet

Floats = NDArray[Any]

_MOST = 5.0
"""Log odds of plastic that one pixel may claim."""
LEFT_MM2 = 40.0
"""So much plastic that no outline covers, in one patch, is looked at again: a fifth of the smallest base."""
_MOST_PATCHES = 6
"""So many patches, the largest ones, are looked at."""
_REACH_MM = 45.0
"""A lone piece around a patch is within this distance."""
_BESIDE_PX = 3
"""The possible error of an outline; the rest of a patch beside it is none."""
_LONE = 2
"""Taller stacks are not taken for lone pieces."""
_LEAST, _MORE = 200.0, 1.03
"""A silhouette is worth a close look that holds so much plastic, in cells' log odds, and so many times more than each
thing that it may replace."""
_NEARLY = 0.9
"""The same for a silhouette that stands where something lies."""
_SURE = 0.99
"""A surer lying piece is not tried standing."""
_TURNS = (0.0, 22.5, 45.0, 67.5)
_HEADINGS = tuple(float(heading) for heading in range(0, 360, 20))


class Patch(Struct, frozen=True):
    """Plastic that the outlines of all that was found leave over, and where lone pieces may stand or lie instead.

    Or a piece that lies, and where it may stand.
    """

    suspects: tuple[int, ...]
    """Numbers of lone things that were found beside it: they may be the same piece, misplaced."""
    places_mm: tuple[tuple[float, float], ...]
    """Where the best standing shape is, and the best lying one, if something may lie there."""
    answers: Answers
    """The answers of cells; those of all other found things are ignored, and the others may belong to any place."""


def patches(
    found: Sequence[FoundPieces], kept: Sequence[FoundPieces], answers: Answers, sheet: Sheet, pose: Pose
) -> Iterator[Patch]:
    """Yields patches of unexplained plastic, the largest ones first; none without the empty table.

    Args:
        kept: Known things from an earlier picture.
    """
    fine = answers.fine
    if fine is None:
        return
    drawn = [_drawn(one, sheet, fine.shape) for one in (*found, *kept)]
    for n, one in enumerate(found):
        if one.place.lies and one.confidence < _SURE:
            free, others = _without(fine, drawn, [n])
            odds = np.clip(free, -_MOST, _MOST)
            middle = sheet.to_sheet(one.outline_px.reshape(-1, 2)).mean(axis=0)
            standing = _best(odds, middle, False, sheet, pose)
            if standing.held > _NEARLY * _held(odds, drawn[n]):
                yield Patch((n,), (standing.place_mm,), _free(answers, free, others))

    covered = np.any(drawn, axis=0) if drawn else np.zeros(fine.shape, np.bool_)
    side = 2 * _BESIDE_PX + 1
    near = cv2.dilate(covered.astype(np.uint8), np.ones((side, side), np.uint8))
    left = ((fine > 0) & (near == 0)).astype(np.uint8)
    # The stripe of a cloth parts what belongs to one piece.
    joined = cv2.morphologyEx(left, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    _, labels, stats, middles = cv2.connectedComponentsWithStats(joined)
    areas = stats[1:, cv2.CC_STAT_AREA]
    for k in (np.argsort(-areas, kind="stable")[:_MOST_PATCHES] + 1).tolist():
        if areas[k - 1] < LEFT_MM2 * PX_PER_MM**2:
            break
        patch = cv2.dilate((labels == k).astype(np.uint8), np.ones((2 * side + 1, 2 * side + 1), np.uint8)) > 0
        suspects = [n for n, one in enumerate(found) if len(one.place.sizes) <= _LONE and drawn[n][patch].any()]
        free, others = _without(fine, drawn, suspects)
        odds = np.clip(free, -_MOST, _MOST)
        standing, lying = (_best(odds, middles[k], lies, sheet, pose) for lies in (False, True))
        own = [_held(odds, drawn[n]) for n in suspects]
        if max(standing.held, lying.held) > max([_LEAST, *(_MORE * held for held in own)]):
            places = (standing.place_mm, lying.place_mm)
            yield Patch(tuple(suspects), places, _free(answers, free, others))


def _without(
    fine: Floats, drawn: Sequence[NDArray[np.bool_]], suspects: Sequence[int]
) -> tuple[Floats, NDArray[np.bool_]]:
    """(H, W) log odds of plastic that belongs to none but the suspects, and (H, W) where the others are."""
    others = np.zeros(fine.shape, np.bool_)
    for n, one in enumerate(drawn):
        if n not in suspects:
            others |= one
    return np.where(others, 0.0, fine), others


def _held(odds: Floats, shape: NDArray[np.bool_]) -> float:
    """Log odds of plastic inside of a shape (H, W), in cells."""
    return float(odds[shape].sum()) / STRIDE**2


def _drawn(found: FoundPieces, sheet: Sheet, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """(H, W) whether a pixel is inside of the outline of a thing, in the sheet."""
    return painted_levels(sheet.to_sheet(found.outline_px), shape) > 0


def _free(answers: Answers, fine: Floats, others: NDArray[np.bool_]) -> Answers:
    """The same answers, in which no cell is bound to its place, and those of `others` (H, W) are ignored."""
    rows, columns = answers.plastic.shape
    taken = others.reshape(rows, STRIDE, columns, STRIDE).mean(axis=(1, 3)) > 0.5
    return answers.without(taken, fine)


class _Silhouette(NamedTuple):
    """A shape that holds most plastic."""

    held: float
    """Log odds of plastic inside of it, in cells."""
    place_mm: tuple[float, float]


def _best(odds: Floats, middle_px: Floats, lies: bool, sheet: Sheet, pose: Pose) -> _Silhouette:
    """The lone shape, standing or lying, that holds most plastic around a pixel of the sheet.

    Args:
        odds: (H, W) log odds of plastic.
    """
    reach = _REACH_MM * PX_PER_MM
    limit = np.array(odds.shape[::-1])
    low = np.clip(np.floor(middle_px - reach).astype(int), 0, limit - 2) // STRIDE * STRIDE
    high = np.clip(np.ceil(middle_px + reach).astype(int), low + 2, limit) // STRIDE * STRIDE
    part = odds[low[1] : high[1], low[0] : high[0]].astype(np.float32)
    values = cv2.resize(part, None, fx=1 / STRIDE, fy=1 / STRIDE, interpolation=cv2.INTER_AREA)
    x, y = (float(v) for v in pose.unproject(sheet.to_picture(middle_px[None]))[0, :2])
    turns = _HEADINGS if lies else _TURNS
    guesses = [StackHypothesis(x, y, turn, (size,), lies) for size in PYRAMID_SIZES for turn in turns]
    best, at = -np.inf, np.zeros(2)
    for outline in outlines(guesses, pose):
        kernel, anchor = _kernel((sheet.to_sheet(outline[0]) - middle_px) / STRIDE)
        held = cv2.filter2D(values, cv2.CV_32F, kernel, anchor=anchor, borderType=cv2.BORDER_CONSTANT)
        _, most, _, where = cv2.minMaxLoc(held)
        if most > best:
            best, at = most, np.array(where, np.float64)
    place = pose.unproject(sheet.to_picture((at * STRIDE + (STRIDE - 1) / 2 + low)[None]))[0]
    return _Silhouette(float(best), (float(place[0]), float(place[1])))


def _kernel(corners: Floats) -> tuple[NDArray[np.float32], tuple[int, int]]:
    """A shape (5, 2) around its place as a mask, and where in the mask the place is."""
    low = np.minimum(np.floor(corners.min(axis=0)).astype(int), 0) - 1
    high = np.maximum(np.ceil(corners.max(axis=0)).astype(int), 0) + 2
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.float32)
    cv2.fillConvexPoly(mask, cv2.convexHull(np.rint((corners - low) * 16).astype(np.int32)), 1.0, shift=4)
    return mask, (int(-low[0]), int(-low[1]))

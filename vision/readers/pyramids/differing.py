"""Answers of a sheet beside its empty table: the net only looks where something differs.

The difference is mostly a small part of the table, so a picture is read in a fraction of the time for all of it, and
the rest is empty. A part brighter than the empty table is plastic, whatever the net says: on a cloth that it does not
know, it takes a white piece for bare cloth.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from vision.calibration.difference import TableDifference
from vision.readers.pyramids.answers import COLORS, Answers
from vision.readers.pyramids.sheet import KNOWN, LIGHT, PX_PER_MM, RATIO, STRIDE

Floats = NDArray[Any]
Net = Callable[[Floats], Answers]
Part = tuple[slice, slice]

_BARE = -6.0
"""Log odds of plastic where the empty table is seen."""
_PLASTIC = 4.0
"""At least the same where more light comes from than from the empty table."""
_LARGEST_MM2 = 4000.0
"""The tallest tower is seen with half of that; some things may touch each other."""
_CONTEXT = 32
"""Sheet pixels around what differs that the net sees too."""
_ROUND = 16
"""Sides of what the net sees are multiples of so many sheet pixels."""
_JOINED, _MOST_PARTS = (9, 17, 33, 65), 60
"""Differences within so many sheet pixels of each other are one part; the distance grows if there are too many parts.
"""
_ONE_LOOK = 4000
"""The cost of another look beside its area, in sheet pixels."""
_MOST = 0.75
"""If parts are so much of a sheet, all of it is looked at in one go."""


def answers_of(net: Net, seen: Floats) -> Answers:
    """A net's answers for a sheet's inputs (CHANNELS, H, W); beside an empty table without plastic where none is
    possible.
    """
    if not seen[KNOWN].any():
        return net(seen)
    changed = TableDifference(seen[RATIO], seen[KNOWN][0], seen[LIGHT] - seen[RATIO]).changed()
    parts = list(_parts(changed.around))
    area = sum(_area(wide) for wide, _ in parts)
    answers = net(seen) if area > _MOST * changed.around.size else _looked_at(net, seen, parts)
    rows, columns = answers.plastic.shape
    there = changed.around.reshape(rows, STRIDE, columns, STRIDE).any(axis=(1, 3))
    plastic = np.where(there, answers.plastic, np.minimum(answers.plastic, _BARE))
    fine = cv2.resize(plastic.astype(np.float32), changed.plain.shape[::-1], interpolation=cv2.INTER_LINEAR)
    fine = np.where(changed.plain, fine, np.minimum(fine, _BARE))
    lit = _lit_plastic(changed.brighter)
    bright = lit.reshape(rows, STRIDE, columns, STRIDE).mean(axis=(1, 3)) > 0.5
    return structs.replace(
        answers,
        plastic=np.where(bright, np.maximum(plastic, _PLASTIC), plastic),
        fine=np.where(lit, np.maximum(fine, _PLASTIC), fine),
    )


def _lit_plastic(brighter: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(H, W) the parts brighter than the empty table and no larger than things are: a lamp's own patch is larger."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(brighter.astype(np.uint8))
    return np.asarray(brighter & (stats[:, cv2.CC_STAT_AREA] <= _LARGEST_MM2 * PX_PER_MM**2)[labels])


def _looked_at(net: Net, seen: Floats, parts: list[tuple[Part, Part]]) -> Answers:
    """Answers for a whole sheet, of which only parts are looked at."""
    rows, columns = (side // STRIDE for side in seen.shape[1:])
    plastic = np.full((rows, columns), _BARE, np.float32)
    colors = np.full((COLORS, rows, columns), -np.log(COLORS), np.float32)
    place = np.zeros((2, rows, columns), np.float32)
    for wide, own in parts:
        answers = net(seen[:, *wide])
        to = tuple(slice(one.start // STRIDE, one.stop // STRIDE) for one in own)
        of = tuple(
            slice((b.start - a.start) // STRIDE, (b.stop - a.start) // STRIDE) for a, b in zip(wide, own, strict=True)
        )
        plastic[to] = answers.plastic[of]
        colors[:, *to] = answers.colors[:, *of]
        offset = np.array([wide[1].start, wide[0].start], np.float32)
        place[:, *to] = answers.place_px[:, *of] + offset[:, None, None]
    return Answers(plastic, colors, place)


def _parts(around: NDArray[np.bool_]) -> list[tuple[Part, Part]]:
    """Rows and columns that the net sees, and those among them that are asked for, for all that differs (H, W).

    Neighbors are looked at together where that is less than to look at each with its surroundings.
    """
    own = _boxes(around)
    while len(own) > 1:
        low, high = np.minimum(own[:, None, :2], own[None, :, :2]), np.maximum(own[:, None, 2:], own[None, :, 2:])
        apart = _areas(_wide(own, around.shape))
        both = _areas(_wide(np.concatenate([low, high], axis=2), around.shape))
        saved = apart[:, None] + apart[None] + _ONE_LOOK - both
        np.fill_diagonal(saved, 0)
        one, other = np.unravel_index(int(saved.argmax()), saved.shape)
        if saved[one, other] <= 0:
            break
        own[one] = [*low[one, other], *high[one, other]]
        own = np.delete(own, other, axis=0)
    return [(_slices(wide), _slices(box)) for wide, box in zip(_wide(own, around.shape), own, strict=True)]


def _boxes(around: NDArray[np.bool_]) -> NDArray[np.intp]:
    """(N, 4) left, top, right, bottom of what differs, in whole cells; what lies closest is in one box."""
    found = np.zeros((0, 4), np.intp)
    for reach in _JOINED:
        joined = cv2.dilate(around.astype(np.uint8), np.ones((reach, reach), np.uint8))
        _, _, stats, _ = cv2.connectedComponentsWithStats(joined)
        left, top, width, height = stats.reshape(-1, 5)[1:, :4].T
        limit = [*around.shape[::-1]] * 2
        ends = (side + STRIDE - 1 for side in (left + width, top + height))
        found = np.minimum(np.stack([left, top, *ends], axis=1) // STRIDE * STRIDE, limit)
        if len(found) <= _MOST_PARTS:
            break
    return found.astype(np.intp)


def _wide(boxes: NDArray[np.intp], shape: tuple[int, ...]) -> NDArray[np.intp]:
    """(..., 4) boxes with their surroundings, as large as the net can be shown."""
    low = np.maximum(boxes[..., :2] - _CONTEXT, 0) // _ROUND * _ROUND
    high = np.minimum(-(-(boxes[..., 2:] + _CONTEXT) // _ROUND) * _ROUND, shape[::-1])
    return np.concatenate([low, high], axis=-1)


def _areas(boxes: NDArray[np.intp]) -> NDArray[np.intp]:
    """(...,) of boxes (..., 4)."""
    return np.asarray((boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1]))


def _slices(box: NDArray[np.intp]) -> Part:
    left, top, right, bottom = box.tolist()
    return slice(top, bottom), slice(left, right)


def _area(part: Part) -> int:
    rows, columns = part
    return int((rows.stop - rows.start) * (columns.stop - columns.start))

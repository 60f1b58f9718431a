"""Answers of a sheet beside its empty table: the net only looks where something differs.

What differs is mostly a small part of the table, so a picture is read in a fraction of the time that all of it takes;
and nothing is anywhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import cv2
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from vision.calibration.difference import TableDifference
from vision.pyramids.answers import COLORS, Answers
from vision.pyramids.sheet import KNOWN, LIGHT, RATIO, STRIDE

Floats = NDArray[Any]
Net = Callable[[Floats], Answers]
Part = tuple[slice, slice]

_BARE = -6.0
"""Log odds of plastic where the empty table is seen."""
_CONTEXT = 48
"""Sheet pixels around what differs that the net sees too."""
_ROUND = 32
"""Sides of what the net sees are multiples of so many sheet pixels."""
_JOINED = 33
"""What differs nearer than so many sheet pixels from each other is looked at together."""
_MOST = 0.75
"""If parts are so much of a sheet, all of it is looked at in one go."""


def answers_of(net: Net, seen: Floats) -> Answers:
    """What a net says of a sheet's inputs (CHANNELS, H, W); beside an empty table without plastic where none can be."""
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
    return structs.replace(answers, plastic=plastic, fine=np.where(changed.plain, fine, np.minimum(fine, _BARE)))


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


def _parts(around: NDArray[np.bool_]) -> Iterator[tuple[Part, Part]]:
    """Rows and columns that the net sees, and those among them that are asked for, for all that differs (H, W)."""
    joined = cv2.dilate(around.astype(np.uint8), np.ones((_JOINED, _JOINED), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    for x, y, width, height, _ in stats.reshape(-1, 5)[1:].tolist():
        own = (_even(y, y + height, around.shape[0]), _even(x, x + width, around.shape[1]))
        yield (_wide(own[0], around.shape[0]), _wide(own[1], around.shape[1])), own


def _even(first: int, end: int, side: int) -> slice:
    return slice(first // STRIDE * STRIDE, min(-(-end // STRIDE) * STRIDE, side))


def _wide(own: slice, side: int) -> slice:
    first = max(own.start - _CONTEXT, 0) // _ROUND * _ROUND
    return slice(first, min(-(-(own.stop + _CONTEXT) // _ROUND) * _ROUND, side))


def _area(part: Part) -> int:
    rows, columns = part
    return int((rows.stop - rows.start) * (columns.stop - columns.start))

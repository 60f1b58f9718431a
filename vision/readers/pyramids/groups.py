"""Groups of plastic that may be misread, because things in them hide each other or lend each other their plastic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readers.pyramids.looking import LONE, Looking
from vision.readers.pyramids.painting import covered
from vision.readers.pyramids.scene import FoundPieces
from vision.readers.pyramids.sheet import PX_PER_MM, STRIDE
from vision.readers.pyramids.silhouettes import LEFT_MM2

Floats = NDArray[Any]
Mask = NDArray[np.bool_]

_PIECE = -1.0
"""Plastic that is left over is a piece if contours show the inside of one there with so much on average, in log odds,
else a shadow or a pattern: where groups were read for it in vain it had less than -2, where a piece was found 0.7 and
more."""
_AROUND_PX = 16
"""So much around it is looked at."""
_SEEN = -1.0
"""Log odds of plastic from which a cell belongs to a group."""
_BESIDE = 5
"""Cells so near to an outline are covered by it: half of that on each side."""
_LIES, _STANDS = 0.97, 0.9
"""A surer lying or standing thing is not in doubt."""
_FEWEST, _MOST = 40, 12000
"""Cells of a group that is read again as a whole: a larger one is a table's pattern."""
_MOST_GROUPS = 6
_WITHIN = 0.3
"""A thing of which so much is in a group belongs to it."""


class Group(NamedTuple):
    """Plastic that is seen in one piece."""

    cells: Mask
    """(h, w)."""
    own: list[FoundPieces]
    """The things found in it."""
    beside: list[FoundPieces]
    """The other things there with known places."""


def doubtful_groups(found: Sequence[FoundPieces], kept: Sequence[FoundPieces], looking: Looking) -> Iterator[Group]:
    """Groups in which contours show a piece in plastic that is left over, or something is not sure."""
    plastic = looking.answers.plastic
    shapes = [covered(one.outline_px, looking.sheet, plastic.shape) for one in (*found, *kept)]
    around = np.ones((_BESIDE, _BESIDE), np.uint8)
    taken = cv2.dilate(np.any([np.zeros(plastic.shape, np.bool_), *shapes], axis=0).astype(np.uint8), around)
    left = cv2.morphologyEx(((plastic > 0) & (taken == 0)).astype(np.uint8), cv2.MORPH_CLOSE, around)
    _, patch, stats, _ = cv2.connectedComponentsWithStats(left)
    large = stats[:, cv2.CC_STAT_AREA] * STRIDE**2 >= LEFT_MM2 * PX_PER_MM**2
    large[0] = False
    if not large.any() and not any(_doubtful(one, True) for one in found):
        return
    left_over = large[patch]
    _, labels, stats, _ = cv2.connectedComponentsWithStats((plastic > _SEEN).astype(np.uint8))
    areas = stats[:, cv2.CC_STAT_AREA]
    by_label = [np.bincount(labels[shape], minlength=len(areas)) for shape in shapes]
    left_in = np.bincount(labels[left_over], minlength=len(areas)) > 0
    given = 0
    for label in (np.argsort(-areas[1:], kind="stable") + 1).tolist():
        if not _FEWEST <= areas[label] <= _MOST:
            continue
        own, beside = [], []
        for n, (one, cells) in enumerate(zip((*found, *kept), by_label, strict=True)):
            if n < len(found) and cells[label] > _WITHIN * cells.sum():
                own.append(one)
            elif cells[label]:
                beside.append(one)
        if not (own or beside):  # where nothing at all was found the table looks like plastic
            continue
        inside = labels == label
        doubt = any(_doubtful(one, len(own) > 1) for one in own)
        if not doubt and left_in[label]:
            doubt = any(_shows_piece(patch == k, looking) for k in np.unique(patch[inside & left_over]))
        if not doubt:
            continue
        yield Group(inside, own, beside)
        given += 1
        if given == _MOST_GROUPS:
            return


def _shows_piece(patch: Mask, looking: Looking) -> bool:
    """Returns true if contours show the inside of a piece in a patch (h, w) of cells."""
    rows, columns = np.nonzero(patch)
    cells = np.column_stack([columns, rows]) * STRIDE + (STRIDE - 1) / 2
    pixels = np.rint(looking.sheet.to_picture(cells)).astype(int)
    low, high = pixels.min(axis=0) - _AROUND_PX, pixels.max(axis=0) + _AROUND_PX
    odds, first = looking.weigher.contours.around(low, high)
    x, y = np.clip(pixels - first, 0, (odds.shape[2] - 1, odds.shape[1] - 1)).T
    return bool(odds[-1][y, x].mean() > _PIECE)


def _doubtful(found: FoundPieces, crowded: bool) -> bool:
    """Returns true if a thing may be misread because of its surroundings; then it is a lone piece."""
    if found.place.lies:
        return found.confidence < _LIES
    return crowded and len(found.place.sizes) <= LONE and found.confidence < _STANDS

"""The net's answers for each cell of a sheet, and the net itself.

An answer has the presence of plastic, its color, and the way to the place where its piece stands or lies. The net is
one term among others: exact shapes are fitted to its answers afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from msgspec import Struct, structs
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.plan import Mat
from vision.calibration.difference import TableDifference
from vision.image.packed_net import load_net
from vision.readers.pyramids.sheet import GEOMETRY, KNOWN, LIGHT, PX_PER_MM, RATIO, STRIDE, Sheet

Floats = NDArray[Any]

WEIGHTS = Path(__file__).parent / "weights"
FILE = "cells.npz"
COLORS = 10
OUTPUTS = 1 + COLORS + 3 + 1 + 2 + 1 + 1
"""Table, colors, sizes, lying, the way (2), base's height, edge; what reading does not use taught the net to see."""
CELL_CHANNELS = 2 * 3 * STRIDE * STRIDE + 3 + 1
OFFSET_PX = 16.0
"""Unit of the way to a base's middle, in sheet pixels."""
LIFT_MM = 20.0
"""Unit of a base's height."""


class Answers(Struct, frozen=True):
    """Maps over cells (h, w); a cell is `STRIDE` sheet pixels wide."""

    plastic: Floats
    """(h, w) log odds that a piece is seen."""
    colors: Floats
    """(10, h, w) log probability of each color, given that one is seen."""
    place_px: Floats
    """(2, h, w) where the place of the table is seen above which that piece stands or lies, in sheet pixels."""
    fine: Floats | None = None
    """(H, W) log odds at each pixel of the sheet, sharper than cells are; only beside an empty table."""
    bound: bool = True
    """True if a cell belongs only to the place at which it points; else it may belong to any."""

    def without(self, others: NDArray[np.bool_], fine: Floats | None) -> Answers:
        """The same answers, in which cells of `others` (h, w) are ignored, and the rest may belong to any place.

        Args:
            fine: (H, W) the same of `fine`.
        """
        return replace(self, plastic=np.where(others, 0.0, self.plastic), fine=fine, bound=False)


def packed(inputs: Floats) -> Floats:
    """(1, CELL_CHANNELS, h, w) of a sheet's `inputs` (CHANNELS, H, W): light and ratio in all detail, the rest once."""
    channels = len(inputs[LIGHT]) * STRIDE**2
    coarse = inputs[:, ::STRIDE, ::STRIDE]
    out = np.empty((1, CELL_CHANNELS, *coarse.shape[1:]), np.float32)
    light, geometry, ratio, known = np.split(out[0], np.cumsum([channels, len(inputs[GEOMETRY]), channels]))
    _all_pixels(inputs[LIGHT], light)
    geometry[:], known[:] = coarse[GEOMETRY], coarse[KNOWN]
    if known.any():
        _all_pixels(inputs[RATIO], ratio)
    else:
        ratio[:] = 0
    return out


def _all_pixels(values: Floats, out: Floats) -> None:
    """Put all pixels (3, H, W) of each cell into `out` (12, h, w)."""
    for y in range(STRIDE):
        for x in range(STRIDE):
            out[y * STRIDE + x :: STRIDE**2] = values[:, y::STRIDE, x::STRIDE]


def unpacked(out: Floats) -> Answers:
    """Answers from the net's own outputs (OUTPUTS, h, w); what else it says only taught it to see shapes."""
    table, colors = out[0], out[1 : 1 + COLORS]
    top = colors.max(axis=0)
    piece = np.log(np.exp(colors - top).sum(axis=0)) + top
    ys, xs = np.mgrid[0 : out.shape[1], 0 : out.shape[2]].astype(np.float32) * STRIDE + (STRIDE - 1) / 2
    return Answers(piece - table, colors - piece, np.stack([xs, ys]) + out[1 + COLORS + 4 : 1 + COLORS + 6] * OFFSET_PX)


class PyramidNet:
    """The trained net, run by OpenCV."""

    def __init__(self, path: Path = WEIGHTS / FILE) -> None:
        self._net = load_net(path)

    def __call__(self, inputs: Floats) -> Answers:
        """Answers for a sheet's inputs (CHANNELS, H, W)."""
        self._net.setInput(packed(inputs))
        return unpacked(self._net.forward()[0])


# Where things stand or lie: each cell of plastic points at a place of the table, and things are where many agree.
#
# All levels of a stack point at the same place, below the lowest; so a stack is one peak.

Ints = NDArray[np.intp]

SEEN = -1.5
"""Log odds of plastic from which a cell has a vote."""
_BIN_MM = 2.0
_BLUR_MM = 2.6
_APART_MM = 7.0
"""No two things stand closer than this."""
_REACH_MM = 8.0
"""Votes so near to a peak are for it."""
_LEAST, _LEAST_BESIDE = 5.0, 12.0
"""Votes, in cells, that make a peak, without and beside the empty table; a close look follows. Beside it, a thing with
fewer is hidden by others almost whole: see `presence`."""
_LEAST_DENSE = 0.1
_MARGIN_MM = 10.0


class Unprojector(Protocol):
    """A pose that works both ways."""

    def unproject(self, pixels: Floats, z_mm: float = 0.0) -> Floats: ...


class Votes(Struct, frozen=True):
    """Cells that may show plastic."""

    weight: Floats
    """(N,) probability of plastic."""
    place_mm: Floats
    """(N, 2) the place of the table that each points at."""


class Peak(Struct, frozen=True):
    """A place that many cells point at."""

    x_mm: float
    y_mm: float
    mass: float


def votes_of(answers: Answers, sheet: Sheet, pose: Unprojector) -> Votes:
    """Votes of all cells that may show plastic."""
    rows, columns = np.nonzero(answers.plastic > SEEN)
    weight = 1 / (1 + np.exp(-answers.plastic[rows, columns]))
    if not len(rows):
        return Votes(weight, np.zeros((0, 2)))
    pixels = sheet.to_picture(answers.place_px[:, rows, columns].T.astype(np.float64))
    return Votes(weight, np.asarray(pose.unproject(pixels))[:, :2])


def peaks(votes: Votes, mat: Mat, beside: bool = False) -> list[Peak]:
    """Places where many votes meet, strongest first.

    Args:
        beside: True if the empty table is known.
    """
    places, weight, least = votes.place_mm, votes.weight, _LEAST_BESIDE if beside else _LEAST
    wide, tall = (int((v + 2 * _MARGIN_MM) / _BIN_MM) + 1 for v in (mat.width_mm, mat.height_mm))
    at = np.floor((places + _MARGIN_MM) / _BIN_MM).astype(int)
    inside = (at >= 0).all(axis=1) & (at[:, 0] < wide) & (at[:, 1] < tall)
    columns, rows = at[inside].T
    grid = np.bincount(rows * wide + columns, weight[inside], tall * wide).reshape(tall, wide).astype(np.float32)
    smooth = cv2.GaussianBlur(grid, (0, 0), _BLUR_MM / _BIN_MM)
    around = int(_APART_MM / _BIN_MM) * 2 + 1
    top = (smooth == cv2.dilate(smooth, np.ones((around, around), np.uint8))) & (smooth > _LEAST_DENSE)
    found = []
    order = np.argsort(places[:, 0])  # so that few have to be measured for each peak
    places, weight = places[order], weight[order]
    for y, x in zip(*np.nonzero(top), strict=True):
        middle = (np.array([x, y]) + 0.5) * _BIN_MM - _MARGIN_MM
        for _ in range(3):
            first, end = np.searchsorted(places[:, 0], (middle[0] - _REACH_MM, middle[0] + _REACH_MM))
            near = first + np.flatnonzero(np.hypot(*(places[first:end] - middle).T) < _REACH_MM)
            mass = float(weight[near].sum())
            if mass < least:
                break
            middle = np.average(places[near], axis=0, weights=weight[near])
        if mass >= least:
            found.append(Peak(float(middle[0]), float(middle[1]), mass))
    kept: list[Peak] = []
    for peak in sorted(found, key=lambda p: -p.mass):
        if all(np.hypot(peak.x_mm - k.x_mm, peak.y_mm - k.y_mm) > _APART_MM for k in kept):
            kept.append(peak)
    return kept


# Answers of a sheet beside its empty table: the net only looks where something differs.
#
# The difference is mostly a small part of the table, so a picture is read in a fraction of the time for all of it, and
# the rest is empty. A part brighter than the empty table is plastic, whatever the net says: on a cloth that it does not
# know, it takes a white piece for bare cloth.

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

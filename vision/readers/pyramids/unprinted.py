"""A picture of a printed table as if the table had no print.

Plastic lets a share of the light from the table through and adds light of its own: seen = share * table + own. Picture
and empty table are known, so the share is the slope of a regression of one on the other in a small window (He, Sun and
Tang, Guided image filtering, ECCV 2010), on a piece over pixels of the piece alone. What the print adds is that share
of its difference from an even cloth, and is taken away. What is left shows the piece as it would look on a cloth that
every net knows. It is no better than the original where a window holds several levels of a stack, so the reader looks
at both.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.calibration.calibration import EmptyTable
from vision.calibration.difference import TableDifference
from vision.image.light import LINEAR, Light
from vision.image.picture import Picture
from vision.image.pose import Pose
from vision.readers.pyramids.sheet import FLOOR, KNOWN, LIGHT, MIDDLE, PX_PER_MM, RATIO, Sheet, bare_light, white_on

Floats = NDArray[Any]

_PRINTED = 0.15
"""A table whose logarithms of light differ by less from the even cloth, in the mean, is read as it is."""
_EVEN_PX = round(25 * PX_PER_MM)
"""The even cloth is the mean of squares of this side: pieces are as large."""
_NEAR_PX, _WIDE_PX = 1.6 * PX_PER_MM, 6.5 * PX_PER_MM
"""Windows in which a share is measured, and from which it is taken where the print is even within the first."""
_AROUND_PX, _LEAST_AREA = 9, 130
"""Things so near to each other are measured together; anything smaller with its surroundings is noise."""
_LEAST_SPREAD = 3e-5
"""Variance of the share of white below which a window says nothing."""
_DOUBT = 0.5
"""The weight of the wide window's share, in parts of the variance that it does not explain."""
_MOST_SHARE = 1.3
_DIFFERS = 0.15
"""A pixel beside a piece differs from the table by less, in logarithms."""
_SPARSE = 8
_GRAY = np.searchsorted((LINEAR[1:] + LINEAR[:-1]) / 2, np.arange(2**16) / (2**16 - 1)).astype(np.uint8)
"""(65536,) the level of a share of full light, in 16 bits."""


class Unprinted(Struct, frozen=True):
    """A picture without the print of its table."""

    inputs: list[Floats]
    """(CHANNELS, h, w) of each part of the sheet; see `sheet.inputs`."""
    picture: Picture
    """(H, W, 3) BGR; only the parts have lost their print."""


def without_print(
    picture: Picture, seen: Floats, sheet: Sheet, parts: Sequence[Sheet], pose: Pose, light: Light, empty: EmptyTable
) -> Unprinted | None:
    """Parts of a picture without its table's print; None if the table has too little of it.

    Args:
        seen: (CHANNELS, H, W) the inputs of the picture's sheet beside the empty table.
        parts: The parts that are looked at; see `Sheet.around`.
    """
    cloth = _same_cloth(sheet, empty) if empty.same_view(pose) else _cloth(sheet, pose, empty)
    if cloth.printed < _PRINTED:
        return None
    before, shown, inputs = empty.picture_from(pose), picture.copy(), []
    for part in parts:
        at = np.s_[:, *sheet.part(part)]
        own, share, gain, plain = _evened(seen[at], cloth.bare[at], cloth.even[at])
        now, then = (white_on(part, pose, lamp).transpose(2, 0, 1) for lamp in (light, empty.light))
        _repaint(shown, picture, before, part, share * gain * now / then, share * plain * now)
        inputs.append(own)
    return Unprinted(inputs, shown)


class _Cloth(NamedTuple):
    """An empty table on a sheet."""

    bare: Floats
    """(3, H, W) its log light."""
    even: Floats
    """(3, H, W) the share of white of the same cloth without its print."""
    printed: float
    """See `print_of`."""


def _cloth(sheet: Sheet, pose: Pose, empty: EmptyTable) -> _Cloth:
    bare, known = bare_light(sheet, pose, empty)
    even = _even(bare)
    return _Cloth(bare, even, _print_beside(bare, even, known))


@lru_cache(maxsize=1)
def _same_cloth(sheet: Sheet, empty: EmptyTable) -> _Cloth:
    """The same for the camera that saw the table empty."""
    return _cloth(sheet, empty.pose, empty)


def _evened(seen: Floats, bare: Floats, even: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Inputs (CHANNELS, h, w) without print; the share of the table that shows, today's gain and even cloth (3, h, w).

    Args:
        seen: (CHANNELS, h, w) the inputs.
        bare: (3, h, w) log light of the empty table.
        even: (3, h, w) its share of white without print.
    """
    difference = TableDifference(seen[RATIO], seen[KNOWN][0], seen[LIGHT] - seen[RATIO])
    gain = np.exp(difference.empty - bare)
    plain = even * gain
    now, table = (np.exp(logs - MIDDLE) - FLOOR for logs in (seen[LIGHT], difference.empty))
    known = seen[KNOWN] > 0
    share = np.where(known, _shares(now, table, _on_pieces(difference)), 0)
    unprinted = np.log(np.maximum(now - share * (table - plain), 0) + FLOOR) + MIDDLE
    out = seen.copy()
    out[LIGHT] = np.where(known, unprinted, seen[LIGHT])
    out[RATIO] = np.where(known, unprinted - np.log(plain + FLOOR) - MIDDLE, 0)
    return out, share, gain, plain


def _even(bare: Floats) -> Floats:
    """(3, H, W) share of white of a cloth without the print of an empty table, of whose log light (3, H, W)."""
    return np.stack([cv2.blur(cv2.blur(np.exp(one - MIDDLE) - FLOOR, (_EVEN_PX, _EVEN_PX)), (9, 9)) for one in bare])


def print_of(bare: Floats, known: Floats) -> float:
    """How much an empty table differs from an even cloth, in logarithms of light, in the mean.

    Args:
        bare: (3, H, W) its log light.
        known: (H, W) 1 where that is known.
    """
    return _print_beside(bare, _even(bare), known)


def _print_beside(bare: Floats, even: Floats, known: Floats) -> float:
    some = np.s_[::_SPARSE, ::_SPARSE]
    where = known[some] > 0
    if not where.any():
        return 0.0
    apart = [np.abs(one[some] - np.log(other[some] + FLOOR) - MIDDLE) for one, other in zip(bare, even, strict=True)]
    return max(float(one[where].mean()) for one in apart)


def _on_pieces(difference: TableDifference) -> NDArray[np.bool_]:
    """(H, W) where something differs from the table, without the pixels just beside it."""
    changed = difference.changed().plain
    deep = cv2.erode(changed.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    return np.asarray(deep | (changed & (np.abs(difference.ratio).max(axis=0) > _DIFFERS)))


def _shares(seen: Floats, table: Floats, on_pieces: NDArray[np.bool_]) -> Floats:
    """(3, H, W) of the table's light that comes through; 1 on free table."""
    inside = on_pieces.astype(np.float32)
    shares = np.ones(seen.shape, np.float32)
    around = cv2.dilate(on_pieces.astype(np.uint8), np.ones((_AROUND_PX, _AROUND_PX), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(around)
    for left, top, width, height, area in stats[1:].tolist():
        if area < _LEAST_AREA:
            continue
        part = np.s_[top : top + height, left : left + width]
        own = inside[part]
        weights = [np.maximum(cv2.GaussianBlur(own, (0, 0), reach), 1e-3) for reach in (_NEAR_PX, _WIDE_PX)]
        for one, other, out in zip(seen, table, shares, strict=True):
            near, wide = (
                _regression(one[part], other[part], own, weight, reach)
                for weight, reach in zip(weights, (_NEAR_PX, _WIDE_PX), strict=True)
            )
            rest = _DOUBT * np.maximum(wide[2] - wide[0] ** 2 / (wide[1] + _LEAST_SPREAD), 0)
            whole = np.clip(wide[0] / (wide[1] + rest + _LEAST_SPREAD), 0, 1)
            share = np.clip((near[0] + rest * whole) / (near[1] + rest + _LEAST_SPREAD), 0, _MOST_SHARE)
            out[part] = np.where(own > 0, share, out[part])
    return shares


def _regression(
    seen: Floats, table: Floats, inside: Floats, weight: Floats, reach_px: float
) -> tuple[Floats, Floats, Floats]:
    """(H, W) covariance of picture and table, and variances of the table and of the picture, over pixels inside."""

    def mean(values: Floats) -> Floats:
        return np.asarray(cv2.GaussianBlur(values * inside, (0, 0), reach_px) / weight)

    one, other = mean(seen), mean(table)
    of_table, of_seen = mean(table * table) - other * other, mean(seen * seen) - one * one
    return mean(seen * table) - one * other, np.maximum(of_table, 0), np.maximum(of_seen, 0)


def _repaint(out: Picture, picture: Picture, before: Picture, part: Sheet, taken: Floats, given: Floats) -> None:
    """Takes a share of the light of the empty table out of a picture, and puts another light there.

    Args:
        out: (H, W, 3) filled in where the part of the sheet shows it.
        before: (H, W, 3) the empty table.
        taken: (3, h, w) of the part: the share.
        given: (3, h, w) of the part: the light.
    """
    limit = np.array(picture.shape[1::-1])
    corners = part.to_picture(np.array([(-0.5, -0.5), np.array(part.size) - 0.5]))
    left, top = np.clip(np.floor(corners[0]).astype(int), 0, limit - 1).tolist()
    right, bottom = np.clip(np.ceil(corners[1]).astype(int) + 1, (left + 1, top + 1), limit).tolist()
    box, matrix = np.s_[top:bottom, left:right], part.matrix()
    matrix[:, 2] += matrix[:, :2] @ (left, top)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for k, (less, more) in enumerate(zip(taken, given, strict=True)):
        wide = [
            cv2.warpAffine(one.astype(np.float32), matrix, (right - left, bottom - top), flags=flags)
            for one in (less, more)
        ]
        light = cv2.LUT(picture[box][..., k], LINEAR) - wide[0] * cv2.LUT(before[box][..., k], LINEAR) + wide[1]
        out[box][..., k] = _GRAY[(np.clip(light, 0, 1) * (2**16 - 1)).astype(np.uint16)]

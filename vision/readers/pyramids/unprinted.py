"""A picture of a printed table as if the table had no print.

Plastic lets a share of the light from the table through and adds light of its own: seen = share * table + own. Picture
and empty table are known, so the share is the slope of a regression of one on the other in a small window (He, Sun and
Tang, Guided image filtering, ECCV 2010), on a piece over pixels of the piece alone. What the print adds is that share
of its difference from an even cloth, and is taken away. What is left shows the piece as it would look on a cloth that
every net knows. It is no better than the original where a window holds several levels of a stack, so the reader looks
at both.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.calibration.difference import TableDifference
from vision.calibration.empty import EmptyTable
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
_AROUND_PX = 9
"""Things that are so near to each other are measured together."""
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

    inputs: Floats
    """(CHANNELS, H, W) of the sheet; see `sheet.inputs`."""
    picture: Picture
    """(H, W, 3) BGR."""


def without_print(
    picture: Picture, seen: Floats, sheet: Sheet, pose: Pose, light: Light, empty: EmptyTable
) -> Unprinted | None:
    """A picture without its table's print; None if the table has too little of it.

    Args:
        seen: (CHANNELS, H, W) the inputs of the picture's sheet beside the empty table.
    """
    bare, _ = bare_light(sheet, pose, empty)
    even = _even(bare)
    if _print_beside(bare, even, seen[KNOWN][0]) < _PRINTED:
        return None
    difference = TableDifference(seen[RATIO], seen[KNOWN][0], seen[LIGHT] - seen[RATIO])
    gain = np.exp(difference.empty - bare)
    plain = even * gain
    now, table = (np.exp(logs - MIDDLE) - FLOOR for logs in (seen[LIGHT], difference.empty))
    known = seen[KNOWN] > 0
    share = np.where(known, _shares(now, table, _on_pieces(difference)), 0)
    out = seen.copy()
    bare_now = np.log(plain + FLOOR) + MIDDLE
    unprinted = np.log(np.maximum(now - share * (table - plain), 0) + FLOOR) + MIDDLE
    out[LIGHT] = np.where(known, unprinted, seen[LIGHT])
    out[RATIO] = np.where(known, unprinted - bare_now, 0)
    white = white_on(sheet, pose, light).transpose(2, 0, 1)
    before = white_on(sheet, pose, empty.light).transpose(2, 0, 1)
    shown = _repainted(picture, empty.picture_from(pose), sheet, share * gain * white / before, share * plain * white)
    return Unprinted(out, shown)


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
    for left, top, width, height, _ in stats[1:].tolist():
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


def _repainted(picture: Picture, before: Picture, sheet: Sheet, taken: Floats, given: Floats) -> Picture:
    """(H, W, 3) a picture less a share of the light of the empty table, and with that of the even cloth instead.

    Args:
        taken: (3, H, W) of the sheet: the share.
        given: (3, H, W) of the sheet: the light.
    """
    size, matrix = picture.shape[1::-1], sheet.matrix()
    out = np.empty_like(picture)
    for k, (less, more) in enumerate(zip(taken, given, strict=True)):
        wide = [
            cv2.warpAffine(one.astype(np.float32), matrix, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
            for one in (less, more)
        ]
        light = cv2.LUT(picture[..., k], LINEAR) - wide[0] * cv2.LUT(before[..., k], LINEAR) + wide[1]
        out[..., k] = _GRAY[(np.clip(light, 0, 1) * (2**16 - 1)).astype(np.uint16)]
    return out

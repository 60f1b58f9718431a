"""Reads printed numbers: digits 1 to 6 on tiles, and bonus factors on the board, in several rotations.

The digits are drawn here from strokes, blurred and compared by normalized correlation, so no font and no training is
needed. They are a second opinion: colors identify a tile, and its digit only agrees or disagrees.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.pose import Floats
from vision.readers.tiles.inks import root
from vision.readers.tiles.patches import PX_PER_MM, SIDE_PX, Patches

Field = NDArray[np.float32]

_STROKES: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "1": (((0.08, 0.80), (0.32, 1.0), (0.32, 0.0)),),
    "i": (((0.10, 0.84), (0.34, 1.0), (0.34, 0.0)), ((0.06, 0.0), (0.60, 0.0))),
    "2": (
        ((0.03, 0.76), (0.09, 0.92), (0.28, 1.0), (0.49, 0.93), (0.56, 0.75), (0.47, 0.53), (0.03, 0.0), (0.6, 0.0)),
    ),
    "3": (
        ((0.03, 0.90), (0.26, 1.0), (0.48, 0.93), (0.55, 0.76), (0.46, 0.58), (0.22, 0.53)),
        ((0.22, 0.53), (0.48, 0.47), (0.59, 0.27), (0.49, 0.07), (0.26, 0.0), (0.02, 0.10)),
    ),
    "4": (((0.44, 0.0), (0.44, 1.0), (0.0, 0.28), (0.62, 0.28)),),
    "5": (
        ((0.53, 1.0), (0.11, 1.0), (0.08, 0.55), (0.29, 0.63), (0.51, 0.54), (0.59, 0.32)),
        ((0.59, 0.32), (0.50, 0.08), (0.26, 0.0), (0.02, 0.09)),
    ),
    "6": (
        ((0.53, 0.94), (0.36, 1.0), (0.15, 0.88), (0.05, 0.60), (0.04, 0.32), (0.13, 0.07), (0.31, 0.0)),
        ((0.31, 0.0), (0.50, 0.07), (0.58, 0.30), (0.50, 0.53), (0.31, 0.60), (0.12, 0.51), (0.04, 0.32)),
    ),
    "x": (((0.02, 0.56), (0.48, 0.0)), ((0.02, 0.0), (0.48, 0.56))),
}
"""Sign to its strokes in units of a digit's height, y up, origin at the lower left; "i" is a 1 with a foot."""
_FORMS = {"1": ("1", "i")}
"""Signs that fonts draw in more than one form, with these forms."""
_ADVANCE = {"x": 0.62}
_WIDTH = 0.62
_BOLD = 0.17
"""The width of the strokes, in heights."""
DIGITS = ("1", "2", "3", "4", "5", "6")
_DIGIT_PATCH_MM = 16.0
_DIGIT_HEIGHTS_MM = (7.0, 8.5, 10.0)
_DIGIT_RADIUS_MM = 6.0
_SHARP = 25.0
"""The decrease of a digit's log likelihood with the distance of its correlation from the best."""
_SLIP = 0.08
"""The share of digits that are misread even if they look clear."""


@lru_cache(maxsize=64)
def _sign(text: str, height_mm: float, turn_deg: float, side_px: int) -> Field:
    """Returns (side, side): the sign in the middle of a patch, 0 to 1, turned counter-clockwise."""
    zoom = 4
    image = np.zeros((side_px * zoom, side_px * zoom), np.uint8)
    width = sum(_ADVANCE.get(sign, _WIDTH) for sign in text)
    angle = np.radians(turn_deg)
    cos, sin = np.cos(angle), np.sin(angle)
    unit = height_mm * PX_PER_MM * zoom
    middle = (side_px * zoom - 1) / 2
    start = -width / 2
    for sign in text:
        for stroke in _STROKES[sign]:
            points = np.array(stroke) + np.array([start, -0.5])
            x = points[:, 0] * cos - points[:, 1] * sin
            y = points[:, 0] * sin + points[:, 1] * cos
            pixels = np.column_stack([middle + x * unit, middle - y * unit])
            cv2.polylines(
                image, [np.round(pixels * 16).astype(np.int32).reshape(-1, 1, 2)], False, 255,
                max(round(_BOLD * unit), 1), cv2.LINE_AA, 4,
            )  # fmt: skip
        start += _ADVANCE.get(sign, _WIDTH)
    soft = cv2.GaussianBlur(image.astype(np.float32) / 255, (0, 0), 0.45 * PX_PER_MM * zoom)
    return np.asarray(cv2.resize(soft, (side_px, side_px), interpolation=cv2.INTER_AREA), dtype=np.float32)


@lru_cache(maxsize=16)
def _templates(
    texts: tuple[str, ...], heights_mm: tuple[float, ...], turns_deg: tuple[float, ...], side_px: int, radius_mm: float
) -> tuple[Field, NDArray[np.bool_]]:
    """Returns (forms, turns, heights, pixels) of zero mean and unit length inside a disc, and the disc (side, side)."""
    axis = (np.arange(side_px) - (side_px - 1) / 2) / PX_PER_MM
    disc = np.hypot(*np.meshgrid(axis, axis)) <= radius_mm
    out = []
    for text in texts:
        for turn in turns_deg:
            for height in heights_mm:
                inner = _sign(text, height, turn, side_px)[disc]
                inner = inner - inner.mean()
                out.append(inner / max(float(np.sqrt((inner**2).sum())), 1e-6))
    stacked = np.array(out, dtype=np.float32).reshape(len(texts), len(turns_deg), len(heights_mm), -1)
    return stacked, disc


def whiteness(patches: Patches, half_px: int) -> Field:
    """Returns (N, 2 * half, 2 * half): the darkest channel of the patches' middles in root space.

    White digits and white discs stand out from every ink there.
    """
    low, high = SIDE_PX // 2 - half_px, SIDE_PX // 2 + half_px
    middle = patches.reflectance(patches.levels[:, low:high, low:high])
    return np.asarray(root(middle.min(3)), dtype=np.float32)


class Digits(NamedTuple):
    """The evidence of N middles about a digit."""

    values: Floats
    """(N, 6): the log likelihood of each digit 1 to 6, relative to no information."""
    match: Floats
    """(N,): the correlation of the best digit; bare surfaces reach about 0.5."""


def read_digits(patches: Patches) -> Digits:
    """Compares the middles of patches with every digit in six rotations."""
    field = whiteness(patches, round(_DIGIT_PATCH_MM / 2 * PX_PER_MM))
    turns = tuple(range(0, 360, 60))
    found = match_signs(field, DIGITS, _DIGIT_HEIGHTS_MM, turns, _DIGIT_RADIUS_MM, 2, 2).max(2)
    match = found.max(1)
    raised = np.exp(_SHARP * (found - match[:, None]))
    share = raised / raised.sum(1, keepdims=True)
    return Digits(np.asarray(np.log(len(DIGITS) * ((1 - _SLIP) * share + _SLIP / len(DIGITS)))), match)


def match_signs(
    patches: Field,
    texts: Sequence[str],
    heights_mm: Sequence[float],
    turns_deg: Sequence[float],
    radius_mm: float,
    slack_px: int,
    stride_px: int,
) -> Floats:
    """Returns (N, texts, turns): the best correlation, over sizes and both polarities, of each sign with each patch.

    Args:
        patches: (N, S, S) whiteness around the expected places of the signs, `PX_PER_MM`, v up.
        slack_px: The largest offset of a sign from the middle; every `stride_px` is tried.
    """
    count, size, _ = patches.shape
    side = size - 2 * slack_px
    forms = [(row, form) for row, text in enumerate(texts) for form in _FORMS.get(text, (text,))]
    templates, disc = _templates(tuple(form for _, form in forms), tuple(heights_mm), tuple(turns_deg), side, radius_mm)
    best = np.zeros((count, *templates.shape[:2]))
    flat = templates.reshape(-1, templates.shape[-1])
    for dy in range(0, 2 * slack_px + 1, stride_px):
        for dx in range(0, 2 * slack_px + 1, stride_px):
            window = patches[:, dy : dy + side, dx : dx + side][:, disc]
            window = window - window.mean(1, keepdims=True)
            norm = np.sqrt((window**2).sum(1, keepdims=True))
            window = window / np.maximum(norm, 0.02 * np.sqrt(window.shape[1]))
            found = np.abs(_products(window, flat)).reshape(count, *templates.shape[:3]).max(3)
            best = np.maximum(best, found)
    out = np.zeros((count, len(texts), len(turns_deg)))
    for k, (row, _) in enumerate(forms):
        out[:, row] = np.maximum(out[:, row], best[:, k])
    return out


def _products(windows: Field, templates: Field) -> Field:
    """Returns (N, T): scalar products, computed a few rows at a time.

    Small matrix products stay in this thread; large ones wake another, which costs more than it saves when other work
    runs at the same time.
    """
    rows = max(200_000 // max(templates.size, 1), 1)
    parts = [windows[k : k + rows] @ templates.T for k in range(0, len(windows), rows)]
    return np.concatenate(parts) if parts else np.zeros((0, len(templates)), np.float32)

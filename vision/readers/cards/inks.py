"""Measures the one or two inks of a print: a secondary color is one mixed ink in some decks, and its two primaries side
by side in others.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]

PLAIN = 17.0
"""A print with a lower chroma in CIELAB is paper or dark ink instead of a color of the wheel."""
_TWO = 22.0
"""Inks farther apart than this in CIELAB's plane of colors are two."""
_FEW = 30
"""The least number of pixels that count as evidence for a color."""

_DARKEST = 0.13
"""The sRGB level of a full ink in its darkest channel, as a share of that of paper."""


def undiluted(levels: Floats) -> Floats:
    """Returns inks (N, 3), as sRGB levels on white paper, without the white in them: blur mixes narrow print with the
    paper beside it, and glare lies over it.
    """
    taken = 1 - np.clip(levels, 0, 1)
    return np.asarray(1 - (1 - _DARKEST) * taken / np.maximum(taken.max(axis=1, keepdims=True), 0.05))


def measured_inks(pixels: Floats) -> list[Floats]:
    """Returns the one or two inks (3,) of colored pixels (N, 3), both in CIELAB."""
    if len(pixels) < _FEW:
        return []
    chroma = np.hypot(pixels[:, 1], pixels[:, 2])
    strong = pixels[chroma > 0.6 * np.percentile(chroma, 90)]
    if len(strong) < 10:
        return []
    turns = np.arctan2(strong[:, 2], strong[:, 1])
    main = np.angle(np.exp(1j * turns).mean())
    away = np.angle(np.exp(1j * (turns - main)))
    halfway = (np.percentile(away, 5) + np.percentile(away, 95)) / 2
    one, other = strong[away < halfway], strong[away >= halfway]
    for _ in range(4):
        if not len(one) or not len(other):
            break
        a, b = np.median(one, axis=0), np.median(other, axis=0)
        nearer = np.linalg.norm(strong[:, 1:] - a[1:], axis=1) < np.linalg.norm(strong[:, 1:] - b[1:], axis=1)
        one, other = strong[nearer], strong[~nearer]
    if min(len(one), len(other)) > 0.2 * len(strong):
        a, b = np.median(one, axis=0), np.median(other, axis=0)
        if np.linalg.norm(a[1:] - b[1:]) > _TWO:
            return [a, b]
    return [np.median(strong, axis=0)]

"""The color of a print on the wheel, under any lamp and in any printing.

A secondary color is one mixed ink in some decks and its two primaries side by side in others; a deck is of one kind, so
all cards in view decide it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.readers.cards.deck import COLORS
from vision.readers.cards.weights import INKS

Floats = NDArray[Any]

PLAIN = 17.0
"""A print with a lower chroma in CIELAB is paper or dark ink instead of a color of the wheel."""
_TWO = 22.0
"""Inks farther apart than this in CIELAB's plane of colors are two."""
_FEW = 30
"""The least number of pixels that count as evidence for a color."""
_STRAY = 9.0
"""The largest evidence in nats of one measurement against a color, because glare and blur mix inks."""


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


def color_odds(inks: Sequence[Floats], *, halves: bool) -> Floats:
    """Returns (12,): log likelihoods of the colors of one card, from the inks (3,) measured on it.

    Args:
        halves: True if a secondary color is printed as its two primaries.
    """
    if not inks:
        return np.zeros(COLORS)
    each = np.stack([_likelihoods(ink) for ink in inks])
    if not halves:
        return np.asarray(each.sum(axis=0))
    odds = each.sum(axis=0)
    for color in range(1, COLORS, 2):
        pair = each[:, [color - 1, (color + 1) % COLORS]]
        odds[color] = pair.max(axis=1).sum() + (0.0 if len(set(pair.argmax(axis=1))) == 2 else -0.7 * len(inks))
    return np.asarray(odds)


@cache
def _known() -> tuple[Floats, Floats, Floats]:
    """Returns means (12, 3), inverse spreads (12, 3, 3) and the logarithms of their determinants (12,)."""
    with np.load(INKS) as file:
        means, spreads = file["means"].astype(np.float64), file["spreads"].astype(np.float64)
    spreads = spreads + np.diag([40.0, 9.0, 9.0])
    return means, np.linalg.inv(spreads), np.linalg.slogdet(spreads)[1]


def _likelihoods(ink: Floats) -> Floats:
    means, inverse, sizes = _known()
    away = ink - means
    odds = -0.5 * (np.einsum("ci,cij,cj->c", away, inverse, away) + sizes)
    return np.asarray(np.maximum(odds - odds.max(), -_STRAY))

"""Measures the one or two inks of a print: a secondary color is one mixed ink in some decks, and its two primaries side
by side in others. Of the wheel on a dark card only the segment of its own color is lit.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readers.cards.crops import cut_card
from vision.readers.cards.deck import CARD_MM
from vision.readers.cards.finder import PlacedCard
from vision.readers.cards.sheet import PX_PER_MM, CardSheet

Floats = NDArray[Any]

PLAIN = 17.0
"""A print with a lower chroma in CIELAB is paper or dark ink instead of a color of the wheel."""
_TWO = 22.0
"""Inks farther apart than this in CIELAB's plane of colors are two."""
_FEW = 30
"""The least number of pixels that count as evidence for a color."""

_DARKEST = 0.13
"""The sRGB level of a full ink in its darkest channel, as a share of that of paper."""
DARK = 38.0
"""The largest lightness in CIELAB of a dark ground."""
_EDGE_MM = 5.0
"""The width of the rim of a card that is left out, because what lies beside it is colored, too."""
_SEEN = 0.5
_LEAST_CHROMA, _STRONG = 22.0, 0.7
"""The least chroma of a lit segment, and the least chroma of its pixels as a share of that of the strongest ones."""
_STRONGEST = 40
"""The number of pixels by which the strongest ones are known."""
_LEAST_LIT = 24
"""The least number of lit pixels."""


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


def lit_inks(sheet: CardSheet, card: PlacedCard) -> tuple[Floats, ...]:
    """Returns the one or two inks (3,) in CIELAB of the lit print on a dark card; none if nothing is lit."""
    wide, high = CARD_MM[0] - 2 * _EDGE_MM, CARD_MM[1] - 2 * _EDGE_MM
    size = round(wide * PX_PER_MM), round(high * PX_PER_MM)
    picture, seen = cut_card(sheet, card, card.heading_deg, size, PX_PER_MM, (wide / 2, high / 2))
    pixels = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)[seen > _SEEN]
    if len(pixels) < _STRONGEST:
        return ()
    light = pixels[:, 0] + np.hypot(pixels[:, 1], pixels[:, 2])
    chroma = np.where(pixels[:, 0] > np.median(pixels[:, 0]), np.hypot(pixels[:, 1], pixels[:, 2]), 0.0)
    strength = np.where(chroma > _LEAST_CHROMA, light, 0.0)
    most = float(np.partition(strength, -_STRONGEST)[-_STRONGEST])
    lit = pixels[strength > _STRONG * most] if most > 0 else pixels[:0]
    return tuple(measured_inks(lit)) if len(lit) >= _LEAST_LIT else ()

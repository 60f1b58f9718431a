"""Measures the ink of a dark card: of its wheel only the segment of its own color is lit."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readers.cards.crops import cut_card
from vision.readers.cards.deck import CARD_MM
from vision.readers.cards.finder import PlacedCard
from vision.readers.cards.inks import measured_inks
from vision.readers.cards.sheet import PX_PER_MM, CardSheet

Floats = NDArray[Any]

DARK = 38.0
"""The largest lightness in CIELAB of a dark ground."""
_EDGE_MM = 5.0
"""The width of the rim of a card that is left out, because what lies beside it is colored, too."""
_SEEN = 0.5
_LEAST_CHROMA, _STRONG = 22.0, 0.7
"""The least chroma of a lit segment, and the least chroma of its pixels as a share of that of the strongest ones."""
_STRONGEST = 40
"""The number of pixels by which the strongest ones are known."""
_FEWEST = 24
"""The least number of lit pixels."""


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
    return tuple(measured_inks(lit)) if len(lit) >= _FEWEST else ()

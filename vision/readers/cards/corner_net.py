"""Reads an index corner as a whole: a small net names the number and the letters of the color, wherever they lie.

It needs no borders between ink and ground, so it reads faint and narrow print that cutting rows of ink loses.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.packed_net import load_net
from vision.readers.cards.crops import cut_card, widened
from vision.readers.cards.deck import CARD_MM, COLORS, RANKS
from vision.readers.cards.finder import PlacedCard
from vision.readers.cards.sheet import CardSheet
from vision.readers.cards.weights import CORNERS

Floats = NDArray[Any]

VIEW_PX = (64, 80)
"""The width and height of the net's view of a corner."""
_PX_PER_MM = 2.4
_OUT_MM = 3.5
"""The distance in millimeters by which the view begins outside of the card's corner."""
ANSWERS = RANKS + 1 + COLORS + 1
"""The net's scores: the numbers and "no number", then the colors' letters and "no letters"."""


def corner_view(picture: NDArray[np.uint8], seen: Floats) -> Floats:
    """Returns (4, H, W) float32: a corner as the net sees it, and the mask of the visible part.

    Args:
        picture: (H, W, 3) BGR, upright, `VIEW_PX`.
        seen: (H, W) 0 to 1.
    """
    levels = picture.astype(np.float32).transpose(2, 0, 1)
    mean = levels.reshape(3, -1).mean(axis=1)[:, None, None]
    spread = max(float(levels.std()), 8.0)
    return np.concatenate([(levels - mean) / spread, seen[None].astype(np.float32) - 0.5])


def cut_view(sheet: CardSheet, card: PlacedCard, turn_deg: float) -> tuple[NDArray[np.uint8], Floats]:
    """Returns (H, W, 3) BGR and (H, W): the view of an index corner, and a mask of its visible part.

    Args:
        turn_deg: 0 or 180, which selects one of the two corners.
    """
    middle = CARD_MM[0] / 2 + _OUT_MM, CARD_MM[1] / 2 + _OUT_MM
    return cut_card(sheet, widened(card), card.heading_deg + turn_deg, VIEW_PX, _PX_PER_MM, middle)


def read_corners(sheet: CardSheet, cards: Sequence[PlacedCard]) -> list[tuple[Floats, Floats]]:
    """Returns for each card (2, 13): log probabilities of the numbers and of none in its two index corners, and
    (2, 13): those of the letters and of none.
    """
    if not cards:
        return []
    views = []
    for card in cards:
        views += [corner_view(*cut_view(sheet, card, turn_deg)) for turn_deg in (0.0, 180.0)]
    net = _net()
    net.setInput(np.ascontiguousarray(np.stack(views)))
    scores = net.forward().reshape(len(cards), 2, ANSWERS).astype(np.float64)
    parts = scores[..., : RANKS + 1], scores[..., RANKS + 1 :]
    numbers, letters = (part - np.logaddexp.reduce(part, axis=2, keepdims=True) for part in parts)
    return list(zip(numbers, letters, strict=True))


@cache
def _net() -> cv2.dnn.Net:
    return load_net(CORNERS)

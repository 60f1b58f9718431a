"""Tells cards of a standard pack from those of the deck, by the look of the whole card."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.packed_net import load_net
from vision.readers.cards.crops import cut_whole
from vision.readers.cards.finder import PlacedCard
from vision.readers.cards.sheet import CardSheet
from vision.readers.cards.weights import FOREIGN

Floats = NDArray[Any]

LEAST_SHOWN = 0.55
"""The least visible share of a card that is judged."""


def foreign_odds(sheet: CardSheet, cards: Sequence[PlacedCard]) -> Floats:
    """Returns (N,): log odds of each card being one of a standard pack; minus infinity if too little of it is seen."""
    odds = np.full(len(cards), -np.inf)
    shown = [k for k, card in enumerate(cards) if card.shown > LEAST_SHOWN]
    if shown:
        net = _net()
        net.setInput(np.stack([whole_card(*cut_whole(sheet, cards[k])) for k in shown]))
        scores = net.forward().reshape(len(shown), 2).astype(np.float64)
        odds[shown] = scores[:, 1] - scores[:, 0]
    return odds


def whole_card(picture: NDArray[np.uint8], seen: Floats) -> Floats:
    """Returns (4, H, W) float32: a card as the net sees it, without what covers it, and the mask of what is seen."""
    there = (seen > 0.5).astype(np.float32)
    return np.concatenate([(picture.astype(np.float32) / 255 - 0.5).transpose(2, 0, 1) * there, there[None]])


@cache
def _net() -> cv2.dnn.Net:
    return load_net(FOREIGN)

"""Draws decks on tables: a sampler of 24 cards in rows, and scattered cards, under the same lamp and camera."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from simulation.printed.laid import LaidPart
from simulation.printed.paper import PX_PER_MM
from simulation.printed.readings import CARD_MAT, printed
from simulation.printed.tables import Sight
from vision.image.picture import Picture
from vision.readers.cards.deck import CARD_MM, CODES, LETTERS, NUMBER_CARDS, RANKS
from vision.readers.cards.training.designs import Design

Deck = Callable[[str], Picture]
"""Returns the printed face of a card by its code."""
_ACROSS = 8


def sampler_codes(rng: Random) -> list[str]:
    """Returns the codes of one card of each color in the order of the wheel, then of one of each number, all different."""
    chosen: list[str] = []
    for color in LETTERS:
        chosen.append(f"{color}{rng.randint(1, RANKS)}")
    for rank in range(1, RANKS + 1):
        chosen.append(rng.choice([code for color in LETTERS if (code := f"{color}{rank}") not in chosen]))
    return chosen


def sampler_picture(seed: int, deck: Deck) -> tuple[Picture, list[str]]:
    """Returns a picture of three rows of eight cards, and their codes."""
    sight, rng = Sight(seed, CARD_MAT, loose_markers=True), Random(seed)
    codes = sampler_codes(rng)
    for k, code in enumerate(codes):
        x, y = 50 + 500 / (_ACROSS - 1) * (k % _ACROSS), 80 + 120 * (k // _ACROSS)
        sight.lay(LaidPart(deck(code), x + rng.uniform(-2, 2), y + rng.uniform(-3, 3), 90 + rng.uniform(-4, 4)))
    return sight.picture(), codes


def scattered_picture(seed: int, deck: Deck, number: int) -> tuple[Picture, list[tuple[str, float, float]]]:
    """Returns a picture of eight lone cards and a fan of five, with the code of each and its place in millimeters."""
    sight, rng = Sight(seed, CARD_MAT, loose_markers=True), Random(1000 * seed + number)
    laid = []
    codes = rng.sample(CODES[:NUMBER_CARDS], 13)
    for k, code in enumerate(codes[:8]):
        x, y = 75 + 150 * (k % 4) + rng.uniform(-10, 10), 75 + 145 * (k // 4) + rng.uniform(-8, 8)
        heading = 90 + rng.uniform(-40, 40) + 180 * rng.randrange(2)
        sight.lay(LaidPart(deck(code), x, y, heading))
        laid.append((code, x, y))
    for k, code in enumerate(codes[8:]):
        x, y = 180 + 20 * k, 350 + rng.uniform(-1, 1)
        sight.lay(LaidPart(deck(code), x, y, 90 + rng.uniform(-2, 2)))
        laid.append((code, x, y))
    return sight.picture(), laid


def printed_deck(code: str) -> Picture:
    """Returns the face of a card in the deck of `companion print deck`."""
    return printed("deck").ink(code)[1]


def printed_back() -> Picture:
    """Returns the back of every card in the deck of `companion print deck`."""
    return printed("deck").ink("R1", back=True)[1]


def drawn_deck(design: Design) -> Deck:
    """Returns the deck of a drawn design."""

    def face(code: str) -> NDArray[np.uint8]:
        drawn = design.face(CODES.index(code))
        scale = PX_PER_MM * CARD_MM[0] / drawn.shape[1]
        return np.asarray(cv2.resize(drawn, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)

    return face

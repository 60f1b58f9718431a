"""Draws decks on tables: a sampler of 24 cards in rows, and scattered cards, under the same lamp and camera."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games import PLANS
from simulation.printed.laid import LaidPart
from simulation.printed.paper import PX_PER_MM
from simulation.printed.tables import Sight, printed
from vision.image.picture import Picture
from vision.readers.cards.deck import CARD_MM, CODES, LETTERS, NUMBER_CARDS, RANKS
from vision.readers.cards.training.designs import Design

Deck = Callable[[str], Picture]
"""Returns the printed face of a card by its code."""
CARD_MAT = PLANS["spectrumo"](2).mat
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


def crowded_picture(seed: int, deck: Deck) -> tuple[Picture, list[tuple[str, float, float]]]:
    """Returns a picture of two columns as of Solitaire, a fan, a pile and four lone cards, two of them special, with the
    code and the place in millimeters of each card of which the number is visible.
    """
    sight, rng = Sight(seed, CARD_MAT, loose_markers=True), Random(seed)
    codes = iter(rng.sample(CODES[:NUMBER_CARDS], 20))
    laid: list[tuple[str, float, float]] = []

    def put(code: str, x: float, y: float, heading_deg: float = 90.0, askew_deg: float = 2.0) -> None:
        sight.lay(LaidPart(deck(code), x, y, heading_deg + rng.uniform(-askew_deg, askew_deg)))
        laid.append((code, x, y))

    top = 70 + rng.uniform(-5, 5)
    for left, count, down_mm in ((70, 5, 28), (150, 4, 18 + 10 * rng.randrange(2))):
        x = left + rng.uniform(-5, 5)
        for k in range(count):
            put(next(codes), x, top + down_mm * k)
    x, y = 260 + rng.uniform(-10, 10), 90 + rng.uniform(-10, 10)
    for k in range(5):
        put(next(codes), x + 20 * k, y + rng.uniform(-1, 1), 90, 3)
    x, y = 520 + rng.uniform(-10, 10), 90 + rng.uniform(-10, 10)
    for _ in range(4):
        put(next(codes), x + rng.uniform(-2, 2), y + rng.uniform(-2, 2), 90, 5)
    del laid[-4:-1]
    for k, code in enumerate((next(codes), next(codes), *rng.sample(CODES[NUMBER_CARDS:], 2))):
        put(code, 260 + 90 * k + rng.uniform(-8, 8), 260 + rng.uniform(-30, 30), 90 + 180 * rng.randrange(2), 40)
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

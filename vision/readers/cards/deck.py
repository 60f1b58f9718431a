"""The deck for a reader: the possible cards, in the order of the nets' answers, with their codes in notation."""

from __future__ import annotations

from companion.core.pieces import PRIMARIES, WHEEL, Card, Special

CARD_MM = (63.0, 88.0)
"""The width and height of a card in millimeters."""
RANKS = 12
LETTERS = tuple("".join(part[0].upper() for part in color.split("-")) for color in WHEEL)
"""The letters of each color in notation: R RO O OY Y YG G GB B BP P PR."""
SWAPS = tuple((color, color + 6) for color in (0, 2, 4, 1, 3, 5))
"""The two wheel indices that each color swap names."""
SPECIALS = (
    *(f"swap {WHEEL[one]}/{WHEEL[other]}" for one, other in SWAPS),
    "swap cards",
    "draw",
    "reverse draw",
    "deck swap",
    "pass hand right",
    "pass hand left",
)
"""The kinds of special cards; the deck has two of each."""
COLORS = len(WHEEL)
NUMBER_CARDS = COLORS * RANKS
KINDS = NUMBER_CARDS + len(SPECIALS)
"""The number of different cards; number cards come first, by color and then by rank."""

PIECES: tuple[Card | Special, ...] = (
    *(Card(color, rank) for color in WHEEL for rank in range(1, RANKS + 1)),
    *(Special(kind) for kind in SPECIALS),
)
COPIES = (1,) * NUMBER_CARDS + (2,) * len(SPECIALS)
"""The number of copies of each card in the deck."""
CODES = (
    *(f"{LETTERS[color]}{rank}" for color in range(COLORS) for rank in range(1, RANKS + 1)),
    *(f"swap {LETTERS[one]}/{LETTERS[other]}" for one, other in SWAPS),
    *SPECIALS[len(SWAPS) :],
)
"""The code of each card in notation: "R7", "swap R/G", "pass hand left"."""

assert len(PRIMARIES) * 2 == COLORS

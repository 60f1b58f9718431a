"""Tables of the cards that fit on each card (UMO-2, UMO-3, UMO-7, UMO-8)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.shared.cards.deck import COLOR, COLORS, KINDS, NUMBER_CARDS, RANK, RANKS, SHADES_MASK, SWAPS
from companion.games.spectrumo.moves import SWAP_CARDS

ANYTHING = -1
"""Stands for the table card's color if it is a special that any number card fits (UMO-8)."""

Fits = bytes
"""One byte for each card: 1 if it fits on the table card."""


def _fits(color: int, rank: int, same: bool) -> Fits:
    """Returns the cards that fit on a number card: shades, equal ranks in other colors, the swaps of its color, the six
    other specials.
    """
    numbers = [
        bool(SHADES_MASK[color] >> COLOR[card] & 1 or (RANK[card] == rank and COLOR[card] != color))
        or (same and COLOR[card] == color)
        for card in range(NUMBER_CARDS)
    ]
    return bytes((*numbers, *(color in pair for pair in SWAPS), *(True,) * (KINDS - SWAP_CARDS)))


FITS: dict[bool, tuple[tuple[Fits, ...], ...]] = {
    same: tuple(tuple(_fits(color, rank, same) for rank in range(1, RANKS + 1)) for color in range(COLORS))
    for same in (False, True)
}
"""The fitting cards by whether the same color may be played, color of the table card, and its rank minus 1."""
ON_ANYTHING: Fits = bytes(card < NUMBER_CARDS or card >= SWAP_CARDS for card in range(KINDS))
"""The cards that go on one of the six specials: all but color swaps (UMO-8)."""

SWAPPED: tuple[dict[int, int], ...] = tuple({one: other, other: one} for one, other in SWAPS)
"""For each color swap, each of its two colors to the color that it becomes (UMO-7)."""


def fits_on(color: int, rank: int, same: bool) -> Fits:
    """Returns the cards that go on the table card; `same` as the option says, or because a last card is played
    (UMO-3).
    """
    return ON_ANYTHING if color == ANYTHING else FITS[same][color][rank - 1]


def is_swap(card: int) -> bool:
    """True if a card is one of the six color swaps."""
    return NUMBER_CARDS <= card < SWAP_CARDS


def can_follow_swap(swap: int, color: int, rank: int, rest: Sequence[int], hidden: int, same: bool) -> bool:
    """True if, after a color swap on this color, another card can be played on the virtual card (UMO-7).

    That card cannot be the last one (UMO-13), so at least two must be left. An unseen card may be playable. A second
    swap of the same kind counts only if a card can follow it in turn.

    Args:
        rest: The known cards without the swap; `hidden` are as many others.
    """
    if len(rest) + hidden < 2:
        return False
    if hidden:
        return True
    virtual = SWAPPED[swap - NUMBER_CARDS][color]
    fits = fits_on(virtual, rank, same)
    for place, card in enumerate(rest):
        if not fits[card]:
            continue
        if not is_swap(card):
            return True
        if can_follow_swap(card, virtual, rank, (*rest[:place], *rest[place + 1 :]), 0, same):
            return True
    return False

"""Which card goes on which, as tables (UMO-2, UMO-3, UMO-7, UMO-8)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.shared.cards.deck import COLOR, COLORS, KINDS, NUMBER_CARDS, RANK, RANKS, SHADES_MASK, SWAPS
from companion.games.spectrumo.moves import SWAP_CARDS

ANYTHING = -1
"""In the place of the table card's color: a special lies there on which any number card goes (UMO-8)."""

Fits = bytes
"""By number of the card: 1 if it goes on the table card."""


def _fits(color: int, rank: int, same: bool) -> Fits:
    """Returns the cards that go on a number card: a shade, the same rank in another color, the swaps of its color, the
    six others.
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
"""By whether the very same color may be played, color and rank minus 1 of the table card."""
ON_ANYTHING: Fits = bytes(card < NUMBER_CARDS or card >= SWAP_CARDS for card in range(KINDS))
"""The cards that go on one of the six specials: all but color swaps (UMO-8)."""

SWAPPED: tuple[dict[int, int], ...] = tuple({one: other, other: one} for one, other in SWAPS)
"""By color swap: what it makes of each of its two colors (UMO-7)."""


def fits_on(color: int, rank: int, same: bool) -> Fits:
    """Returns the cards that go on the table card; `same` as the option says, or because a last card is played
    (UMO-3).
    """
    return ON_ANYTHING if color == ANYTHING else FITS[same][color][rank - 1]


def is_swap(card: int) -> bool:
    """True if a card is one of the six color swaps."""
    return NUMBER_CARDS <= card < SWAP_CARDS


def can_follow_swap(swap: int, color: int, rank: int, rest: Sequence[int], hidden: int, same: bool) -> bool:
    """True if, after a color swap on this color, one of the other cards can be played on the virtual card (UMO-7).

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

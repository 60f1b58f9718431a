"""Which card may go on which, as tables (SOL-3, SOL-5, SOL-6)."""

from __future__ import annotations

from functools import lru_cache

from companion.games.bit_sets import mask_of
from companion.games.deck import COLOR, NUMBER_CARDS, RANK, RANKS, SHADES
from companion.games.deck import card as card_of
from companion.games.hands import BIT, WHOLE_DECK


def _on(below: int, strict: bool) -> int:
    """The cards that may lie on `below`: one rank lower, of its color or a shade of it."""
    if RANK[below] == 1:
        return 0
    color = COLOR[below]
    colors = SHADES[color] if strict else (*SHADES[color], color)
    return mask_of(card_of(one, RANK[below] - 1) for one in colors)


FITS: dict[bool, tuple[int, ...]] = {
    strict: tuple(_on(below, strict) for below in range(NUMBER_CARDS)) for strict in (False, True)
}
"""By `strict_shades` and number of a pile's top card: the cards that may go on it (SOL-3)."""

ON_EMPTY: dict[str, int] = {
    "twelve": mask_of(number for number in range(NUMBER_CARDS) if RANK[number] == RANKS),
    "any": WHOLE_DECK,
}
"""By `empty_pile`: the cards that may go on an empty pile (SOL-6)."""


@lru_cache(maxsize=1 << 16)
def movable(cards: tuple[int, ...], strict: bool) -> int:
    """The cards of a pile that may move, each with what lies on it: the run at its top (SOL-5).

    A pile that was built by the rules is one run; others stand by agreement.
    """
    if not cards:
        return 0
    place = len(cards) - 1
    found = BIT[cards[place]]
    while place and FITS[strict][cards[place - 1]] >> cards[place] & 1:
        place -= 1
        found |= BIT[cards[place]]
    return found

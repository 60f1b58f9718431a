"""Which cards are melds in 500, and which can be melded at once, straight from 500-2 to 500-4, by trying everything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from companion.core.pieces import PRIMARIES, WHEEL, Card


def contains(color: str, primary: str) -> bool:
    """Whether a primary is the color itself or one of the two that a secondary lies between."""
    at = WHEEL.index(color)
    return primary in {WHEEL[at]} | ({WHEEL[at - 1], WHEEL[(at + 1) % 12]} if at % 2 else set())


def is_meld(cards: Sequence[Card], least: int) -> bool:
    """Whether cards are a group or a sequence."""
    ranks = sorted(card.rank for card in cards)
    if len(cards) < least:
        return False
    if len(set(ranks)) == 1:
        return True
    follow = all(later == earlier + 1 for earlier, later in pairwise(ranks))
    return follow and any(all(contains(card.color, primary) for card in cards) for primary in PRIMARIES)


def melds(cards: Sequence[Card], least: int) -> Iterator[frozenset[Card]]:
    """Every meld that some cards hold."""
    for size in range(least, len(cards) + 1):
        for some in combinations(cards, size):
            if is_meld(some, least):
                yield frozenset(some)


def can_be_melded(wanted: Card, cards: Sequence[Card], table: Sequence[Sequence[Card]], least: int) -> bool:
    """Whether a card can be melded with others, or laid off after others."""
    others = [card for card in cards if card != wanted]
    for size in range(least - 1, least):
        if any(is_meld((wanted, *some), least) for some in combinations(others, size)):
            return True
    return any(can_be_laid_off(wanted, others, one, least) for one in table)


def can_be_laid_off(wanted: Card, others: Sequence[Card], meld: Sequence[Card], least: int) -> bool:
    """Whether a card fits on a meld, now or after some of the others have been laid off on it, one by one."""
    if is_meld((*meld, wanted), least):
        return True
    for card in others:
        if is_meld((*meld, card), least) and min(one.rank for one in meld) != max(one.rank for one in meld):
            rest = [one for one in others if one != card]
            if can_be_laid_off(wanted, rest, (*meld, card), least):
                return True
    return False

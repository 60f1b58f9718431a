"""What cards count and peg in Cribbage, straight from CRB-5 and CRB-7 to CRB-9, by looking at every set of cards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

from companion.core.pieces import PRIMARIES, WHEEL, Card


def contains(color: str, primary: str) -> bool:
    """Whether a primary is the color itself or one of the two that a secondary lies between."""
    at = WHEEL.index(color)
    return primary in {WHEEL[at]} | ({WHEEL[at - 1], WHEEL[(at + 1) % 12]} if at % 2 else set())


def share(cards: Sequence[Card]) -> bool:
    """Whether all cards have a common shade."""
    return any(all(contains(card.color, primary) for card in cards) for primary in PRIMARIES)


def follow(ranks: Sequence[int]) -> bool:
    """Whether ranks, in rising order, follow each other."""
    return all(later == earlier + 1 for earlier, later in pairwise(ranks))


def counts(hand: Sequence[Card], starter: Card, crib: bool) -> int:
    """Points of a hand or crib with its starter."""
    cards = [*hand, starter]
    points = 0
    for size in range(2, len(cards) + 1):
        for some in combinations(cards, size):
            ranks = sorted(card.rank for card in some)
            if sum(ranks) == 18:
                points += 2
            if size == 2 and ranks[0] == ranks[1]:
                points += 2
            if size >= 3 and follow(ranks):
                longer = {ranks[0] - 1, ranks[-1] + 1} & {card.rank for card in cards}
                points += 0 if longer else size
    if share(cards):
        points += len(cards)
    elif share(hand) and not crib:
        points += len(hand)
    return points + sum(card.rank == 10 and share([card, starter]) for card in hand)


def pegs(ranks: Sequence[int]) -> int:
    """Points of the last card of a count, Go and 37 left out."""
    points = 2 if sum(ranks) == 18 else 0
    for length in range(len(ranks), 1, -1):
        if len(set(ranks[-length:])) == 1:
            points += length * (length - 1)
            break
    for length in range(len(ranks), 2, -1):
        if follow(sorted(ranks[-length:])):
            points += length
            break
    return points

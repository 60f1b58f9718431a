"""What Casino's cards can take and what they are worth, straight from CAS-3 to CAS-8, by trying everything.

Sets of cards are tried one after the other, and groups by every way to split them up; nothing is shared with the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from companion.core.pieces import WHEEL, Card


def splits(cards: Sequence[Card], value: int) -> bool:
    """Whether cards can be split into groups that are each worth a value."""
    if not cards:
        return True
    first, rest = cards[0], cards[1:]
    for size in range(len(rest) + 1):
        for others in combinations(rest, size):
            if first.rank + sum(card.rank for card in others) == value:
                left = [card for card in rest if card not in others]
                if splits(left, value):
                    return True
    return False


def may_take(card: Card, taken: Sequence[Card], high_builds: bool) -> bool:
    """Whether a card may take exactly these cards."""
    if not taken:
        return False
    if splits(taken, card.rank):
        return True
    for size in range(1, len(taken)):
        for base in combinations(taken, size):
            value = card.rank + sum(one.rank for one in base)
            rest = [one for one in taken if one not in base]
            if (high_builds or value <= 12) and splits(rest, value):
                return True
    return False


def takes(card: Card, board: Sequence[Card], high_builds: bool = False) -> Iterator[frozenset[Card]]:
    """Every set of board cards that a card may take."""
    for size in range(1, len(board) + 1):
        for taken in combinations(board, size):
            if may_take(card, taken, high_builds):
                yield frozenset(taken)


def points(won: Sequence[frozenset[Card]], chosen: str) -> list[float]:
    """Points of a round by player."""
    at = WHEEL.index(chosen)
    shades = {WHEEL[at - 1], WHEEL[(at + 1) % 12]}
    found = [sum(2.0 if card.color == chosen else card.color in shades for card in cards) for cards in won]
    for counts in ([sum(card.rank == 12 for card in cards) for cards in won], [len(cards) for cards in won]):
        best = [player for player, count in enumerate(counts) if count == max(counts)]
        for player in best:
            found[player] += 6 / len(best)
    return found

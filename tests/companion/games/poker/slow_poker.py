"""What a poker hand counts as, straight from the sentences of POK-1 to POK-3, with `Card`s and no tables.

It knows nothing of the project's card numbers, masks and lookups, so that the fast scorer can be held against it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, pairwise

from companion.core.pieces import PRIMARIES, WHEEL, Card

BOOK = (
    "five of a kind",
    "straight flush",
    "spectrum straight",
    "shaded straight",
    "flush",
    "four of a kind",
    "full house",
    "spectrum",
    "shade",
    "straight",
    "three of a kind",
    "two pair",
    "pair",
    "high card",
)
STATISTICAL = (
    "straight flush",
    "spectrum straight",
    "flush",
    "five of a kind",
    "shaded straight",
    "spectrum",
    "four of a kind",
    "straight",
    "full house",
    "shade",
    "three of a kind",
    "two pair",
    "pair",
    "high card",
)


def contains(color: str, primary: str) -> bool:
    """Whether a primary is the color itself or one of the two that a secondary lies between."""
    at = WHEEL.index(color)
    return primary in {WHEEL[at]} | ({WHEEL[at - 1], WHEEL[(at + 1) % 12]} if at % 2 else set())


@lru_cache(maxsize=4096)
def meets(cards: tuple[Card, ...]) -> frozenset[str]:
    """Every category that five cards meet."""
    ranks = sorted(card.rank for card in cards)
    groups = sorted(Counter(ranks).values(), reverse=True)
    one_color = len({card.color for card in cards}) == 1
    run = all(later == earlier + 1 for earlier, later in pairwise(ranks))
    shade = any(all(contains(card.color, primary) for card in cards) for primary in PRIMARIES)
    by_rank = [WHEEL.index(card.color) for card in sorted(cards, key=lambda card: card.rank)]
    turns = {(later - earlier) % 12 for earlier, later in pairwise(by_rank)}
    asked = {
        "five of a kind": groups == [5],
        "straight flush": run and one_color,
        "spectrum straight": run and turns in ({1}, {11}),
        "shaded straight": run and shade,
        "flush": one_color,
        "four of a kind": groups == [4, 1],
        "full house": groups == [3, 2],
        "spectrum": run and len({card.color for card in cards}) == 5,
        "shade": shade,
        "straight": run,
        "three of a kind": groups[0] >= 3,
        "two pair": len(groups) >= 2 and groups[1] >= 2,
        "pair": groups[0] >= 2,
        "high card": True,
    }
    return frozenset(category for category, holds in asked.items() if holds)


def counts_as(cards: Sequence[Card], order: Sequence[str]) -> str:
    """The first category of an order that five cards meet."""
    met = meets(tuple(cards))
    return next(category for category in order if category in met)


def beats(cards: Sequence[Card], others: Sequence[Card], order: Sequence[str]) -> int:
    """1, 0 or -1: whether five cards are better than, as good as, or worse than five others."""
    here, there = order.index(counts_as(cards, order)), order.index(counts_as(others, order))
    if here != there:
        return 1 if here < there else -1
    mine, theirs = by_groups(cards), by_groups(others)
    return (mine > theirs) - (mine < theirs)


def by_groups(cards: Sequence[Card]) -> list[int]:
    """Ranks with the largest group first and higher ranks first among equal groups."""
    count = Counter(card.rank for card in cards)
    return [
        rank for rank in sorted(count, key=lambda rank: (count[rank], rank), reverse=True) for _ in range(count[rank])
    ]


def best(cards: Sequence[Card], order: Sequence[str]) -> Sequence[Card]:
    """The best five of many."""
    top: Sequence[Card] = ()
    for five in combinations(cards, 5):
        if not top or beats(five, top, order) > 0:
            top = five
    return top

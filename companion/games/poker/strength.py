"""Determines the category of a hand, and compares hands (POK-1 to POK-3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from companion.core.pieces import PRIMARIES, WHEEL
from companion.games.poker.categories import BEST, MEANINGS, PLACE, Category, RankingName
from companion.games.poker.odds import HAND, SHAPES
from companion.games.shared.cards.deck import ALL_PRIMARIES, CARD_PRIMARIES, COLORS, RANKS

_BY_GROUPS = {sum(size << 3 * place for place, size in enumerate(shape)): met for shape, met in SHAPES.items()}
"""Sizes of the groups of equal rank, packed with three bits each and largest first, to the categories of the ranks."""
_UP = {tuple((start + step) % COLORS for step in range(HAND)) for start in range(COLORS)}
_STEPS = frozenset(_UP | {colors[::-1] for colors in _UP})
"""The colors, by rising rank, of every spectrum straight."""


class Strength(NamedTuple):
    """The strength of a hand. Of two hands the one with the greater `key` wins; equal keys split."""

    category: Category
    ranks: tuple[int, ...]
    """The ranks of the largest group first, then of the next group, then the single cards from high to low (POK-3)."""
    cards: tuple[int, ...]
    """The five cards, in the order of `ranks`."""
    key: tuple[int, ...]


def met(cards: Sequence[int]) -> int:
    """Returns the mask of all categories that five cards meet (POK-1).

    Args:
        cards: Five different numbers of number cards.
    """
    ranks = sorted([card % RANKS for card in cards])
    common = ALL_PRIMARIES
    for card in cards:
        common &= CARD_PRIMARIES[card]
    shade = Category.SHADE.bit if common else 0
    groups = [ranks.count(rank) for rank in set(ranks)]
    if len(groups) < HAND:
        groups.sort(reverse=True)
        return _BY_GROUPS[sum([size << 3 * place for place, size in enumerate(groups)])] | shade
    found = Category.HIGH_CARD.bit | shade
    colors = [card // RANKS for card in cards]
    different = len(set(colors))
    if different == 1:
        found |= Category.FLUSH.bit
    if ranks[-1] - ranks[0] != HAND - 1:
        return found
    found |= Category.STRAIGHT.bit
    if shade:
        found |= Category.SHADED_STRAIGHT.bit
        if different == 1:
            found |= Category.STRAIGHT_FLUSH.bit
    elif different == HAND:
        found |= Category.SPECTRUM.bit
        if tuple([card // RANKS for card in sorted(cards, key=_rank)]) in _STEPS:
            found |= Category.SPECTRUM_STRAIGHT.bit
    return found


def _rank(card: int) -> int:
    return card % RANKS


def strength(cards: Sequence[int], ranking: RankingName = "book") -> Strength:
    """Returns the category of five cards under a ranking (POK-2, POK-3)."""
    category = BEST[ranking][met(cards)]
    ranks = [card % RANKS + 1 for card in cards]
    ordered = sorted(cards, key=lambda card: (-ranks.count(card % RANKS + 1), -(card % RANKS), card))
    rising = tuple([card % RANKS + 1 for card in ordered])
    return Strength(category, rising, tuple(ordered), (-PLACE[ranking][category], *rising))


def best_five(cards: Iterable[int], ranking: RankingName = "book") -> Strength:
    """Returns the strongest five of five or more cards (POK-1)."""
    return max((strength(five, ranking) for five in combinations(sorted(cards), HAND)), key=lambda found: found.key)


def reasons(cards: Sequence[int]) -> tuple[tuple[Category, str], ...]:
    """Returns every category that five cards meet, in the book's order, with what it asks for; shades name their
    primary.
    """
    mask = met(cards)
    common = ALL_PRIMARIES
    for card in cards:
        common &= CARD_PRIMARIES[card]
    named = " and ".join(primary for bit, primary in enumerate(PRIMARIES) if common >> bit & 1)
    found = []
    for category in Category:
        if mask & category.bit:
            text = MEANINGS[category]
            if category in (Category.SHADE, Category.SHADED_STRAIGHT):
                text = f"{text}, which is {named}"
            elif category in (Category.FLUSH, Category.STRAIGHT_FLUSH):
                text = f"{text}, {WHEEL[cards[0] // RANKS]}"
            found.append((category, text))
    return tuple(found)

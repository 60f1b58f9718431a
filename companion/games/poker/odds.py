"""Computes exact odds of five-card hands by combinatorics over color and rank patterns, without sampling or tables.

A hand's ranks are one of 4,368 multisets. For each, the ways to choose colors are products of binomials, and "all cards
lie in one shade" is a union of six sets of three colors, counted by inclusion and exclusion. The result is the number
of hands for each set of categories, from which the counts of any ranking follow. Cards that are known to be in the
hand, or to be elsewhere, only change the numbers of cards left by rank and color.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb

from msgspec import Struct

from companion.core.foundation.errors import WrongUsage
from companion.games.poker.categories import Category, best

HAND = 5
"""The number of cards in a hand."""

Cell = tuple[int, int]
"""A card as color and rank, both counted from 0."""


class Deck(Struct, frozen=True):
    """A deck with one card for each color and rank; the real one is 12 by 12, smaller ones are for checks."""

    colors: int = 12
    """The number of colors on the wheel, even ones primaries; with fewer than six, five neighbors would overlap."""
    ranks: int = 12

    def cells(self) -> tuple[Cell, ...]:
        """Returns every card."""
        return tuple((color, rank) for color in range(self.colors) for rank in range(self.ranks))


REAL = Deck()


class CategoryCount(Struct, frozen=True):
    """The number of hands of a category."""

    category: Category
    hands: int


class Odds(Struct, frozen=True):
    """Counts by category, best first, and of how many hands."""

    chances: tuple[CategoryCount, ...]
    of: int


def odds(signatures: Counter[int], ranking: Sequence[Category]) -> Odds:
    """Returns the counts under a ranking: each hand counts as the highest category that it meets (POK-2)."""
    found: Counter[Category] = Counter()
    for met, hands in signatures.items():
        found[best(met, ranking)] += hands
    return Odds(tuple(CategoryCount(category, found[category]) for category in ranking), signatures.total())


def by_rarity(signatures: Counter[int], ranking: Sequence[Category]) -> tuple[Category, ...]:
    """Returns the categories, rarest first and high card last by custom, by their counts under `ranking` (POK-2)."""
    counts = {chance.category: chance.hands for chance in odds(signatures, ranking).chances}
    return tuple(sorted(counts, key=lambda category: (category is Category.HIGH_CARD, counts[category])))


def signatures(deck: Deck = REAL, known: Collection[Cell] = (), seen: Collection[Cell] = ()) -> Counter[int]:
    """Returns the number of five-card hands for each mask of categories that a hand meets.

    Args:
        known: Cards that are in the hand, at most five.
        seen: Cards that lie elsewhere and cannot come.

    Raises:
        WrongUsage: A card is named twice or is not in the deck, or more than five are known.
    """
    _check(deck, known, seen)
    gone = {*known, *seen}
    left = [[color for color in range(deck.colors) if (color, rank) not in gone] for rank in range(deck.ranks)]
    counter = _Counting(deck, tuple(map(tuple, left)), tuple(known))
    found: Counter[int] = Counter()
    for ranks in combinations_with_replacement(range(deck.ranks), HAND):
        counter.add(Counter(ranks), found)
    return +found


def _check(deck: Deck, known: Collection[Cell], seen: Collection[Cell]) -> None:
    named = [*known, *seen]
    if len(known) > HAND:
        raise WrongUsage(f"{len(known)} cards are known, but a hand has {HAND} (POK-1). Name at most {HAND}.")
    if len(set(named)) != len(named):
        raise WrongUsage("A card is named twice, and the deck has each once (DEK-1). Name every card once.")
    if not set(named) <= set(deck.cells()):
        raise WrongUsage("A card is named that the deck does not have (DEK-1). Check color and rank.")
    if deck.colors < HAND + 1 or deck.colors % 2:
        raise WrongUsage(
            f"A wheel of {deck.colors} colors has no steps that differ from each other. Use 6, 8, 10 or 12."
        )
    if len(set(deck.cells()) - set(seen)) < HAND:
        raise WrongUsage("Fewer than five cards are left, so no hand can be made. Name fewer seen cards.")


class _Counting:
    """Counts the ways to choose the colors of hands with given ranks."""

    def __init__(self, deck: Deck, left: tuple[tuple[int, ...], ...], known: tuple[Cell, ...]) -> None:
        self._deck = deck
        self._left = left
        self._known = known
        self._held = Counter(rank for _, rank in known)
        self._known_colors = frozenset(color for color, _ in known)
        self._shades = _inclusion_exclusion(deck.colors)
        self._free: dict[frozenset[int], tuple[int, ...]] = {}

    def add(self, ranks: Counter[int], found: Counter[int]) -> None:
        """Counts every hand of these ranks into `found`, by the mask of its categories."""
        if any(ranks[rank] < held for rank, held in self._held.items()):
            return
        every = self.ways(ranks, frozenset(range(self._deck.colors)))
        if not every:
            return
        shape = SHAPES[tuple(sorted(ranks.values(), reverse=True))]
        shade = sum(sign * self.ways(ranks, colors) for colors, sign in self._shades.items())
        if len(ranks) < HAND:
            found[shape] += every - shade
            found[shape | Category.SHADE.bit] += shade
            return
        flush = sum(self.ways(ranks, frozenset((color,))) for color in range(self._deck.colors))
        flat = shape | Category.SHADE.bit
        if max(ranks) - min(ranks) >= HAND:
            found[shape] += every - shade
            found[flat] += shade - flush
            found[flat | Category.FLUSH.bit] += flush
            return
        row = shape | Category.STRAIGHT.bit
        steps, different = self._steps(min(ranks)), self._different(min(ranks))
        flat |= row | Category.SHADED_STRAIGHT.bit
        found[row] += every - shade - different
        found[row | Category.SPECTRUM.bit] += different - steps
        found[row | Category.SPECTRUM.bit | Category.SPECTRUM_STRAIGHT.bit] += steps
        found[flat] += shade - flush
        found[flat | Category.FLUSH.bit | Category.STRAIGHT_FLUSH.bit] += flush

    def ways(self, ranks: Counter[int], colors: frozenset[int]) -> int:
        """Returns the number of hands of these ranks with all cards in these colors."""
        if not self._known_colors <= colors:
            return 0
        free = self._free.get(colors)
        if free is None:
            free = self._free[colors] = tuple(len(colors.intersection(left)) for left in self._left)
        product = 1
        for rank, count in ranks.items():
            product *= comb(free[rank], count - self._held[rank])
        return product

    def _choices(self, rank: int) -> tuple[int, ...]:
        """Returns colors that the one card of a rank may have."""
        for color, held in self._known:
            if held == rank:
                return (color,)
        return self._left[rank]

    def _different(self, lowest: int) -> int:
        """Returns the number of hands of five consecutive ranks with five different colors."""
        used: Counter[int] = Counter({0: 1})
        for rank in range(lowest, lowest + HAND):
            after: Counter[int] = Counter()
            for mask, hands in used.items():
                for color in self._choices(rank):
                    if not mask >> color & 1:
                        after[mask | 1 << color] += hands
            used = after
        return used.total()

    def _steps(self, lowest: int) -> int:
        """Returns the number of hands of five consecutive ranks that go round the wheel step by step, one way or the
        other.
        """
        colors = range(self._deck.colors)
        return sum(
            all((start + way * step) % self._deck.colors in self._choices(lowest + step) for step in range(HAND))
            for start in colors
            for way in (1, -1)
        )


SHAPES: dict[tuple[int, ...], int] = {
    (5,): Category.FIVE_OF_A_KIND.bit,
    (4, 1): Category.FOUR_OF_A_KIND.bit,
    (3, 2): Category.FULL_HOUSE.bit,
    (3, 1, 1): Category.THREE_OF_A_KIND.bit,
    (2, 2, 1): Category.TWO_PAIR.bit,
    (2, 1, 1, 1): Category.PAIR.bit,
    (1, 1, 1, 1, 1): Category.HIGH_CARD.bit,
}
"""Number of cards of each rank, most first, to the categories that the ranks alone meet."""


@lru_cache(maxsize=8)
def _inclusion_exclusion(colors: int) -> dict[frozenset[int], int]:
    """Returns sets of colors with signs; the signed sum of the ways to stay inside them counts each hand of one shade
    once.

    A shade is a primary and its two neighbors (DEK-3). Two neighboring shades share a secondary, so a hand of that one
    color would be counted twice.
    """
    shades = [frozenset(((color - 1) % colors, color, (color + 1) % colors)) for color in range(0, colors, 2)]
    signs: Counter[frozenset[int]] = Counter()
    for size in range(1, len(shades) + 1):
        for some in combinations(shades, size):
            common = frozenset.intersection(*some)
            if common:
                signs[common] += (-1) ** (size + 1)
    return {common: sign for common, sign in signs.items() if sign}


def completions(deck: Deck, known: Collection[Cell], seen: Iterable[Cell]) -> int:
    """Returns the number of hands with the known cards and without the seen ones, by one binomial; a check on
    `signatures`.
    """
    return comb(deck.colors * deck.ranks - len(known) - len(set(seen)), HAND - len(known))

"""The fourteen categories of a five-card hand, and the two orders in which they may rank (POK-1, POK-2).

A hand may meet several categories at once; which one it counts as depends on the order in use. So what a hand meets is
a mask with a bit for each category, and a ranking is a list of categories, best first.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Literal

RankingName = Literal["book", "statistical"]


class Category(IntEnum):
    """Categories in the rule book's order, best first (POK-1)."""

    FIVE_OF_A_KIND = 0
    STRAIGHT_FLUSH = 1
    SPECTRUM_STRAIGHT = 2
    SHADED_STRAIGHT = 3
    FLUSH = 4
    FOUR_OF_A_KIND = 5
    FULL_HOUSE = 6
    SPECTRUM = 7
    SHADE = 8
    STRAIGHT = 9
    THREE_OF_A_KIND = 10
    TWO_PAIR = 11
    PAIR = 12
    HIGH_CARD = 13

    @property
    def title(self) -> str:
        """As people write it: "five of a kind"."""
        return self.name.replace("_", " ").lower()

    @property
    def bit(self) -> int:
        """Its bit in a mask of what a hand meets."""
        return 1 << self


BY_TITLE = {category.title: category for category in Category}
"""Title to category."""

MEANINGS: dict[Category, str] = {
    Category.FIVE_OF_A_KIND: "five cards of one rank",
    Category.STRAIGHT_FLUSH: "five consecutive ranks of one color",
    Category.SPECTRUM_STRAIGHT: "five consecutive ranks whose colors are neighbors on the wheel, step by step one way",
    Category.SHADED_STRAIGHT: "five consecutive ranks with a common shade",
    Category.FLUSH: "five cards of one color",
    Category.FOUR_OF_A_KIND: "four cards of one rank",
    Category.FULL_HOUSE: "three cards of one rank and two of another",
    Category.SPECTRUM: "five consecutive ranks in five different colors",
    Category.SHADE: "five cards with a common shade",
    Category.STRAIGHT: "five consecutive ranks",
    Category.THREE_OF_A_KIND: "three cards of one rank",
    Category.TWO_PAIR: "two cards of one rank and two of another",
    Category.PAIR: "two cards of one rank",
    Category.HIGH_CARD: "none of the other categories",
}
"""The definition of each category."""

CONTAINED: dict[Category, tuple[Category, ...]] = {
    Category.FIVE_OF_A_KIND: (Category.FOUR_OF_A_KIND, Category.THREE_OF_A_KIND, Category.PAIR),
    Category.FOUR_OF_A_KIND: (Category.THREE_OF_A_KIND, Category.PAIR),
    Category.FULL_HOUSE: (Category.THREE_OF_A_KIND, Category.TWO_PAIR, Category.PAIR),
    Category.THREE_OF_A_KIND: (Category.PAIR,),
    Category.TWO_PAIR: (Category.PAIR,),
}
"""Groups of equal rank that contain smaller ones: two pair contains a pair, though the hand counts as more."""

BOOK: tuple[Category, ...] = tuple(Category)
"""The rule book's order, best first."""

STATISTICAL: tuple[Category, ...] = (
    Category.STRAIGHT_FLUSH,
    Category.SPECTRUM_STRAIGHT,
    Category.FLUSH,
    Category.FIVE_OF_A_KIND,
    Category.SHADED_STRAIGHT,
    Category.SPECTRUM,
    Category.FOUR_OF_A_KIND,
    Category.STRAIGHT,
    Category.FULL_HOUSE,
    Category.SHADE,
    Category.THREE_OF_A_KIND,
    Category.TWO_PAIR,
    Category.PAIR,
    Category.HIGH_CARD,
)
"""By how rare each is, the rarest first; high card stays lowest by custom. `by_rarity` proves it from the counts."""

RANKINGS: dict[RankingName, tuple[Category, ...]] = {"book": BOOK, "statistical": STATISTICAL}
"""Name of the option to order, best first."""


def best(met: int, ranking: Sequence[Category]) -> Category:
    """Returns the highest category among those that a hand meets; a hand always meets at least one."""
    return next(category for category in ranking if met & category.bit)


BEST: dict[RankingName, tuple[Category, ...]] = {
    name: tuple(best(met or Category.HIGH_CARD.bit, ranking) for met in range(1 << len(Category)))
    for name, ranking in RANKINGS.items()
}
"""By ranking and mask: the category that a hand counts as."""

PLACE: dict[RankingName, tuple[int, ...]] = {
    name: tuple(ranking.index(category) for category in Category) for name, ranking in RANKINGS.items()
}
"""By ranking and category: its place, 0 the best."""

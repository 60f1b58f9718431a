"""The fourteen categories of a five-card hand, and the two orders in which they may rank (POK-1, POK-2).

A hand may meet several categories; the order in use decides which one counts. So the categories of a hand are a mask
with one bit each, and a ranking is a list of categories, best first.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Literal

RankingName = Literal["book", "statistical"]


class Category(IntEnum):
    """The categories in the rule book's order, best first (POK-1)."""

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
        """The name in words: "five of a kind"."""
        return self.name.replace("_", " ").lower()

    @property
    def bit(self) -> int:
        """The bit of the category in a mask."""
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
"""Category to the smaller groups of equal rank that it contains: two pair contains a pair."""

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
"""The categories by rarity, the rarest first; high card stays lowest by custom. `by_rarity` derives it from the
counts.
"""

RANKINGS: dict[RankingName, tuple[Category, ...]] = {"book": BOOK, "statistical": STATISTICAL}
"""Name of the option to the ranking, best category first."""


def best(met: int, ranking: Sequence[Category]) -> Category:
    """Returns the highest category among those that a hand meets; a hand always meets at least one."""
    return next(category for category in ranking if met & category.bit)


BEST: dict[RankingName, tuple[Category, ...]] = {
    name: tuple(best(met or Category.HIGH_CARD.bit, ranking) for met in range(1 << len(Category)))
    for name, ranking in RANKINGS.items()
}
"""Ranking to a table: for each mask of categories, the category that counts."""

PLACE: dict[RankingName, tuple[int, ...]] = {
    name: tuple(ranking.index(category) for category in Category) for name, ranking in RANKINGS.items()
}
"""Ranking to the place of each category, 0 for the best."""

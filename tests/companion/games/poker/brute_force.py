"""Every hand of a small deck, looked at one by one: the check on the combinatorics of `odds`.

It shares no step with them: hands are listed, and each is asked what POK-1 asks of its categories. Decks of a few dozen
cards take less than a second; the real deck has 481 million hands and would take minutes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from companion.games.poker.categories import Category
from companion.games.poker.odds import HAND, Deck

_SHAPE_BY_PAIRS = {
    10: Category.FIVE_OF_A_KIND,
    6: Category.FOUR_OF_A_KIND,
    4: Category.FULL_HOUSE,
    3: Category.THREE_OF_A_KIND,
    2: Category.TWO_PAIR,
    1: Category.PAIR,
    0: Category.HIGH_CARD,
}
"""The category by the number of pairs of equal rank among a hand's ten pairs of cards."""
_SHAPES = np.zeros(11, np.int16)
_SHAPES[list(_SHAPE_BY_PAIRS)] = [category.bit for category in _SHAPE_BY_PAIRS.values()]

Columns = list[NDArray[np.uint8]]
"""The first, second, ... card of many hands, or their colors or ranks."""


def signatures(deck: Deck) -> Counter[int]:
    """By mask of the categories that a hand meets: how many hands of a small deck there are."""
    counts = np.zeros(1 << len(Category), np.int64)
    for cards in _hands(deck.colors * deck.ranks):
        colors, ranks = [card // deck.ranks for card in cards], [card % deck.ranks for card in cards]
        counts += np.bincount(_met(colors, ranks, deck.colors), minlength=len(counts))
    return Counter({met: int(count) for met, count in enumerate(counts) if count})


def _hands(cards: int) -> Iterator[Columns]:
    """All hands, a chunk for each lowest card; the cards of a hand rise."""
    rest = combinations(range(cards), HAND - 1)
    fours = np.fromiter(chain.from_iterable(rest), np.uint8).reshape(-1, HAND - 1)
    for lowest in range(cards - HAND + 1):
        above = fours[np.searchsorted(fours[:, 0], lowest, "right") :]
        yield [np.full(len(above), lowest, np.uint8), *np.ascontiguousarray(above.T)]


def _met(colors: Columns, ranks: Columns, wheel: int) -> NDArray[np.int16]:
    """By hand: the mask of categories that it meets (POK-1). Colors rise, since the cards do."""
    pairs = np.zeros(len(ranks[0]), np.uint8)
    for one, other in combinations(ranks, 2):
        pairs += one == other
    span = np.maximum.reduce(ranks) - np.minimum.reduce(ranks)
    straight = (pairs == 0) & (span == HAND - 1)
    flush = (pairs == 0) & (colors[0] == colors[-1])
    shade = np.bitwise_and.reduce([_shades(wheel)[color] for color in colors]) > 0
    different = np.logical_and.reduce([one != other for one, other in pairwise(colors)])
    steps = np.zeros(len(straight), np.bool_)
    rows = np.flatnonzero(straight & different)
    steps[rows] = _stepwise(np.stack([one[rows] for one in colors]), np.stack([one[rows] for one in ranks]), wheel)
    met = _SHAPES[pairs]
    for holds, category in (
        (straight, Category.STRAIGHT),
        (flush, Category.FLUSH),
        (shade, Category.SHADE),
        (straight & flush, Category.STRAIGHT_FLUSH),
        (straight & shade, Category.SHADED_STRAIGHT),
        (straight & different, Category.SPECTRUM),
        (straight & steps, Category.SPECTRUM_STRAIGHT),
    ):
        met |= holds * np.int16(category.bit)
    return met


def _shades(wheel: int) -> NDArray[np.uint8]:
    """By color: a bit for each primary that is the color itself or a neighbor on the wheel (DEK-3)."""
    bits = np.zeros(wheel, np.uint8)
    for primary in range(0, wheel, 2):
        bits[[primary - 1, primary, primary + 1]] |= 1 << primary // 2
    return bits


def _stepwise(colors: NDArray[np.uint8], ranks: NDArray[np.uint8], wheel: int) -> NDArray[np.bool_]:
    """True if colors in the order of ranks go round the wheel one step at a time, all one way; `(5, N)` each."""
    rising = np.take_along_axis(colors, np.argsort(ranks, axis=0), 0).astype(np.int16)
    turns = np.diff(rising, axis=0) % wheel
    return np.asarray((turns == 1).all(axis=0) | (turns == wheel - 1).all(axis=0))

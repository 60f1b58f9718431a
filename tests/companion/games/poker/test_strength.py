"""The fast scorer of poker hands agrees with the slow one that follows the rules word by word."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.poker.categories import RANKINGS, Category, RankingName
from companion.games.poker.strength import best_five, met, reasons, strength
from companion.games.shared.cards.deck import NUMBER_CARDS, PIECES, card, numbers_of
from tests.companion.games.poker import slow_poker

ORDERS = {"book": slow_poker.BOOK, "statistical": slow_poker.STATISTICAL}


def hand(text: str) -> list[int]:
    return [number for number in numbers_of(text) if number is not None]


def random_hand(rng: Random) -> list[int]:
    """Five cards, most of them drawn so that rare categories are common: runs, few colors, few ranks."""
    kind = rng.randrange(8)
    start, turn, low = rng.randrange(12), rng.choice((-1, 0, 1)), rng.randrange(1, 9)
    near = [(start + step) % 12 for step in (-1, 0, 1)]
    if kind == 0:
        return rng.sample(range(NUMBER_CARDS), 5)
    if kind == 1:
        return [card((start + turn * step) % 12, low + step) for step in range(5)]
    if kind == 2:
        return [card(rng.choice(near), low + step) for step in range(5)]
    if kind == 3:
        return [card(rng.randrange(12), low + step) for step in range(5)]
    if kind == 4:
        return [card(color, low) for color in rng.sample(range(12), 5)]
    if kind == 5:
        return [card(start, rank) for rank in rng.sample(range(1, 13), 5)]
    ranks = rng.sample(range(1, 13), 2 if kind == 7 else 4)
    few = [card(color, rank) for color in (near if kind == 6 else range(12)) for rank in ranks]
    return rng.sample(few, 5)


def agree(rng: Random, hands: int) -> set[Category]:
    found: set[Category] = set()
    before = random_hand(rng)
    for _ in range(hands):
        numbers = random_hand(rng)
        cards = [PIECES[number] for number in numbers]
        mask = met(numbers)
        for name in RANKINGS:
            mine = strength(numbers, name)
            assert mine.category.title == slow_poker.counts_as(cards, ORDERS[name]), numbers
            assert mask & mine.category.bit
            other = strength(before, name)
            against = [PIECES[number] for number in before]
            assert (mine.key > other.key) - (mine.key < other.key) == slow_poker.beats(cards, against, ORDERS[name])
            found.add(mine.category)
        before = numbers
    return found


def test_fast_and_slow_scorer_agree() -> None:
    assert agree(Random(1), 1_000) == set(Category)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_fast_and_slow_scorer_agree_on_a_hundred_thousand_hands() -> None:
    assert agree(Random(2), 100_000) == set(Category)


def test_the_best_five_of_many() -> None:
    rng = Random(3)
    for _ in range(12):
        numbers = rng.sample(range(NUMBER_CARDS), 7)
        for name in RANKINGS:
            slow = slow_poker.best([PIECES[number] for number in numbers], ORDERS[name])
            assert (
                slow_poker.beats([PIECES[number] for number in best_five(numbers, name).cards], slow, ORDERS[name]) == 0
            )


def test_reasons_name_every_category_and_the_shade() -> None:
    found = dict(reasons(hand("R2 R3 RO4 RO5 PR6")))
    assert list(found) == [Category.SHADED_STRAIGHT, Category.SHADE, Category.STRAIGHT, Category.HIGH_CARD]
    assert found[Category.SHADE] == "five cards with a common shade, which is red"
    assert "orange and red" not in found[Category.SHADE]
    both = dict(reasons(hand("RO2 RO4 RO6 RO8 RO12")))
    assert both[Category.SHADE].endswith("red and orange")
    assert both[Category.FLUSH].endswith("red-orange")


@pytest.mark.parametrize("name", RANKINGS)
def test_the_five_cards_are_in_the_order_in_which_they_are_compared(name: RankingName) -> None:
    found = strength(hand("G7 P7 RO4 OY4 R12"), name)
    assert found.ranks == (7, 7, 4, 4, 12)
    assert set(found.cards) == set(hand("G7 P7 RO4 OY4 R12"))

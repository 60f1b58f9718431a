"""Counts of hands: against brute force on small decks and on all completions of known cards, and the whole table."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb
from random import Random

import pytest

from companion.core.foundation.errors import WrongUsage
from companion.games.poker.categories import BOOK, RANKINGS, STATISTICAL, Category
from companion.games.poker.odds import REAL, Cell, Deck, by_rarity, completions, odds, signatures
from companion.games.poker.strength import met
from companion.games.shared.cards.deck import NUMBER_CARDS, RANKS, card
from tests.companion.games.poker.brute_force import signatures as brute_force

WHOLE = signatures()


@pytest.mark.parametrize(
    "deck",
    [Deck(6, 5), Deck(6, 6), Deck(8, 5), Deck(8, 7), Deck(10, 4)],
    ids=lambda deck: f"{deck.colors}x{deck.ranks}",
)
def test_small_decks_hand_by_hand(deck: Deck) -> None:
    assert signatures(deck) == brute_force(deck)
    assert signatures(deck).total() == comb(deck.colors * deck.ranks, 5)


def test_pok_02_both_orders_have_the_same_counts_and_one_of_them_is_by_rarity() -> None:
    tables = {name: odds(WHOLE, ranking) for name, ranking in RANKINGS.items()}
    assert set(tables["book"].chances) == set(tables["statistical"].chances)
    assert tables["book"].of == 481_008_528 == sum(chance.hands for chance in tables["book"].chances)
    assert by_rarity(WHOLE, BOOK) == STATISTICAL == by_rarity(WHOLE, STATISTICAL)
    rarer = [chance.hands for chance in tables["statistical"].chances]
    assert rarer[:-1] == sorted(rarer[:-1])
    assert rarer[-1] < rarer[-2]
    five = next(chance for chance in tables["book"].chances if chance.category is Category.FIVE_OF_A_KIND)
    assert five.hands == 12 * comb(12, 5)


def cells(numbers: tuple[int, ...]) -> tuple[Cell, ...]:
    return tuple(divmod(number, RANKS) for number in numbers)


@pytest.mark.parametrize("seed", range(4))
def test_known_and_seen_cards_hand_by_hand(seed: int) -> None:
    """Every completion of three or four known cards, counted with the scorer of the game."""
    rng = Random(seed)
    low = rng.randrange(1, 9)
    near = [card((seed + step) % 12, low + step) for step in range(5)]
    known = tuple(rng.sample(near, 3 + seed % 2))
    seen = tuple(rng.sample([number for number in range(NUMBER_CARDS) if number not in known], 40))
    rest = [number for number in range(NUMBER_CARDS) if number not in {*known, *seen}]
    slow = Counter(met((*known, *more)) for more in combinations(rest, 5 - len(known)))
    assert signatures(REAL, cells(known), cells(seen)) == slow
    assert slow.total() == completions(REAL, cells(known), cells(seen))


def test_every_hand_is_found_from_each_of_its_cards() -> None:
    """The counts over all first cards are five times those of the deck."""
    deck = Deck(8, 6)
    found: Counter[int] = Counter()
    for cell in deck.cells():
        found += signatures(deck, [cell])
    assert found == Counter({mask: 5 * hands for mask, hands in signatures(deck).items()})


@pytest.mark.parametrize(
    ("known", "seen", "sentence"),
    [
        ([(0, 0)] * 2, [], "named twice"),
        ([(0, 0)], [(0, 0)], "named twice"),
        ([(0, rank) for rank in range(6)], [], "a hand has 5"),
        ([(12, 0)], [], "does not have"),
        ([], [cell for cell in REAL.cells() if cell[0] or cell[1] > 3], "Fewer than five"),
    ],
)
def test_what_cannot_be_counted_is_refused(known: list[Cell], seen: list[Cell], sentence: str) -> None:
    with pytest.raises(WrongUsage, match=sentence):
        signatures(REAL, known, seen)


def test_a_wheel_needs_five_different_neighbors() -> None:
    with pytest.raises(WrongUsage, match="steps"):
        signatures(Deck(4, 12))

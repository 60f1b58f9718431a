"""Names for all cards of a table at once: each number card is in the deck once."""

from __future__ import annotations

import numpy as np

from vision.readers.cards.deck import CODES, KINDS
from vision.readers.cards.finder import PlacedCard
from vision.readers.cards.naming import CardLooks, name_jointly
from vision.readers.cards.reader import name_cards


def odds(**cards: float) -> np.ndarray:
    """(KINDS,) logarithms of the probabilities that are given by code."""
    found = np.full(KINDS, 1e-6)
    for code, probability in cards.items():
        found[CODES.index(code)] = probability
    return np.asarray(np.log(found / found.sum()))


def placed(x_mm: float) -> PlacedCard:
    return PlacedCard(x_mm, 100.0, 90.0, 1.0, np.zeros((4, 4), np.float32))


def named(*looks: CardLooks) -> list[str]:
    return [card.code for card in name_cards(tuple(placed(80.0 * k) for k in range(len(looks))), looks)]


def test_the_surer_one_of_two_equal_cards_keeps_its_name() -> None:
    names = name_jointly(np.stack([odds(R7=0.9, R1=0.1), odds(R7=0.6, R9=0.4)]))
    assert [CODES[name] for name in names] == ["R7", "R9"]


def test_two_cards_that_are_surely_equal_both_keep_the_name_and_are_doubted() -> None:
    looks = CardLooks("number", odds(R7=0.999))
    both = name_cards((placed(0.0), placed(80.0)), (looks, looks))
    assert [card.code for card in both] == ["R7", "R7"]
    assert all(card.doubled for card in both)


def test_a_special_may_be_there_twice() -> None:
    swap = CODES.index("swap R/G")
    looks = CardLooks("special", np.log(np.where(np.arange(KINDS) == swap, 0.99, 1e-5)))
    assert [card.doubled for card in name_cards((placed(0.0), placed(80.0)), (looks, looks))] == [False, False]


def test_backs_and_cards_of_another_deck_have_no_name() -> None:
    assert named(
        CardLooks("back", odds(R7=1.0)), CardLooks("foreign", odds(R7=1.0)), CardLooks("number", odds(B2=1.0))
    ) == ["??", "??", "B2"]

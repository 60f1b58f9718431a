"""A card that others cover is still the card that was seen whole; a card that comes to lie in its place is a new one."""

from __future__ import annotations

import numpy as np

from tests.vision.readers.cards.test_card_naming import odds
from vision.readers.cards.deck import CODES
from vision.readers.cards.earlier_cards import EarlierCards
from vision.readers.cards.finder import PlacedCard
from vision.readers.cards.naming import CardLooks


def placed(shown: float, x_mm: float = 80.0) -> tuple[PlacedCard, ...]:
    return (PlacedCard(x_mm, 100.0, 90.0, shown, np.zeros((4, 4), np.float32)),)


def looks(**cards: float) -> tuple[CardLooks, ...]:
    return (CardLooks("number", odds(**cards)),)


def best(found: tuple[CardLooks, ...]) -> str:
    return CODES[int(found[0].cards.argmax())]


def test_a_covered_card_keeps_the_name_that_it_had_when_it_was_seen_whole() -> None:
    earlier = EarlierCards()
    earlier.folded(placed(1.0), looks(P1=0.95, P3=0.01))
    for _ in range(3):
        assert best(earlier.folded(placed(0.6, 81.5), looks(P3=0.6, P1=0.1))) == "P1"


def test_a_card_that_is_seen_as_well_as_the_one_before_may_be_another() -> None:
    earlier = EarlierCards()
    earlier.folded(placed(1.0), looks(P1=0.95, P3=0.01))
    assert best(earlier.folded(placed(1.0), looks(P3=0.6, P1=0.1))) == "P3"
    assert best(earlier.folded(placed(0.5), looks(P1=0.5, P3=0.1))) == "P3"


def test_a_sure_reading_of_another_card_outweighs_the_earlier_one() -> None:
    earlier = EarlierCards()
    earlier.folded(placed(1.0), looks(P1=0.9999))
    for _ in range(2):
        found = earlier.folded(placed(0.6), looks(R7=0.98))
        assert best(found) == "R7" and np.exp(found[0].cards.max()) > 0.95


def test_a_card_elsewhere_is_another_one() -> None:
    earlier = EarlierCards()
    earlier.folded(placed(1.0), looks(P1=0.95, P3=0.01))
    assert best(earlier.folded(placed(0.6, 95.0), looks(P3=0.6, P1=0.1))) == "P3"


def test_a_card_that_was_hidden_for_long_is_forgotten() -> None:
    earlier = EarlierCards()
    earlier.folded(placed(1.0), looks(P1=0.95, P3=0.01))
    for _ in range(3):
        earlier.folded((), ())
    assert best(earlier.folded(placed(0.6), looks(P3=0.6, P1=0.1))) == "P3"

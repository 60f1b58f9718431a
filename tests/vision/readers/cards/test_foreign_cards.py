"""Cards of a standard pack are not of this deck, and are not guessed."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.readers.cards.tables import FRAMES, PILE, ROWS, table_of
from vision.readers.cards.finder import find_cards
from vision.readers.cards.naming import LEAST_SHOWN, foreign_odds
from vision.readers.cards.reader import read_card_table, read_cards
from vision.readers.cards.sheet import table_sheet

STANDARD = "standard-pack"
"""An ace, a seven, an eight, a jack, a queen and a joker; and two cards of the deck at the lower right."""


def test_cards_of_a_standard_pack_are_not_of_this_deck() -> None:
    cards = read_cards(table_of(STANDARD))
    ours = [card for card in cards if card.place.x_mm > 300 and card.place.y_mm > 200]
    assert {card.code for card in ours} == {"R7", "PR10"}
    others = [card for card in cards if card not in ours]
    assert len(others) == 6
    assert all(card.face == "foreign" and card.card is None for card in others)


def test_they_are_told_but_not_listed() -> None:
    reading = read_card_table(table_of(STANDARD))
    assert {card["card"] for card in reading.truth()["cards"]} == {"R7", "PR10"}
    assert any("not of this deck" in remark for remark in reading.remarks())


@pytest.mark.parametrize("name", [ROWS, FRAMES, PILE])
def test_no_card_of_the_deck_is_taken_for_one_of_a_standard_pack(name: str) -> None:
    sheet = table_sheet(table_of(name))
    assert (foreign_odds(sheet, find_cards(sheet)) < 0).all()


def test_a_card_of_which_little_is_seen_is_not_judged() -> None:
    sheet = table_sheet(table_of(FRAMES))
    cards = find_cards(sheet)
    odds = foreign_odds(sheet, cards)
    assert ((odds == -np.inf) == np.array([card.shown <= LEAST_SHOWN for card in cards])).all()
    assert foreign_odds(sheet, ()).shape == (0,)

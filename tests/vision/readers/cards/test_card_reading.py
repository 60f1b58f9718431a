"""Photographs of cards: where each lies, what it is, and that a doubtful reading says so."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.vision.readers.cards.tables import FRAMES, ON_ROWS, PILE, ROWS, table_of
from vision.domains import domain_reader
from vision.readers.cards.finder import find_cards
from vision.readers.cards.reader import read_cards
from vision.readers.cards.sheet import table_sheet


@pytest.mark.parametrize(("name", "count"), [(ROWS, 7), (FRAMES, 14), (PILE, 2)])
def test_every_card_is_found_once_and_nothing_else_is(name: str, count: int) -> None:
    assert len(find_cards(table_sheet(table_of(name)))) == count


def test_cards_lie_where_they_are_found() -> None:
    found = find_cards(table_sheet(table_of(ROWS)))
    for at in ON_ROWS.values():
        card = min(found, key=lambda one: math.dist((one.x_mm, one.y_mm), at))
        assert math.dist((card.x_mm, card.y_mm), at) < 5
        assert abs(card.heading_deg - 90) < 6
        assert card.shown > 0.85


def test_cards_in_plain_view_are_named() -> None:
    read = read_cards(table_of(ROWS))
    assert len({card.code for card in read} & set(ON_ROWS)) >= 5
    assert all(card.code in ON_ROWS for card in read if card.confidence > 0.95)


def test_probabilities_fall_and_add_up_to_one_at_most() -> None:
    for card in read_cards(table_of(FRAMES)):
        chances = [probability for _, probability in card.candidates]
        assert card.face == "up"
        assert 0 < sum(chances) <= 1 + 1e-6
        assert chances[1:] == sorted(chances[1:], reverse=True)


def test_a_stock_lies_face_down_beside_the_table_card() -> None:
    stock, discard = sorted(read_cards(table_of(PILE)), key=lambda card: card.place.x_mm)
    assert (stock.face, discard.face, discard.code) == ("down", "up", "Y12")


def test_the_answer_has_the_words_of_the_labeled_pictures() -> None:
    reading = domain_reader("cards")(table_of(PILE))
    told = reading.truth()["cards"]
    assert {card["card"] for card in told} == {"??", "Y12"}
    assert all({"x", "y", "heading", "face", "confidence"} <= card.keys() for card in told)
    assert {mark.label for mark in reading.marks()} == {"", "Y12"}


def test_an_empty_picture_shows_no_cards() -> None:
    table = table_of(ROWS)
    bare = type(table)(np.full_like(table.picture, 90), table.factor, table.mat, table.pose, table.light, table.markers)
    assert read_cards(bare) == ()

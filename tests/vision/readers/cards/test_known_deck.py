"""The deck of `companion print deck` is known without being taught, and cards of other decks are never taken for it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from simulation.printed.card_decks import CARD_MAT, Deck, crowded_picture, drawn_deck, printed_deck
from simulation.printed.known_prints import known_deck
from tests.vision.readers.cards.tables import FRAMES, PILE, ROWS, table_of
from vision.readers.cards.finder import find_cards
from vision.readers.cards.known_deck import KnownSigns, placed_by_print
from vision.readers.cards.reader import read_cards
from vision.readers.cards.sheet import table_sheet
from vision.readers.cards.training.designs import draw_design
from vision.readers.cards.training.fonts import FOLDERS, find_fonts
from vision.readers.cards.weights import PRINTED_DECK
from vision.registration.registered_image import RegisteredImage, find_table


def signs_of(table: RegisteredImage) -> tuple[KnownSigns | None, ...]:
    sheet = table_sheet(table)
    return placed_by_print(sheet, find_cards(sheet))[1]


def test_the_bundled_looks_are_those_that_are_printed() -> None:
    with np.load(PRINTED_DECK) as kept:
        looks = known_deck()
        assert set(kept.files) == set(looks)
        for name, drawn in looks.items():
            assert np.abs(kept[name].astype(float) - drawn).mean() < 0.02 * max(float(drawn.max()), 1.0), name


@pytest.mark.parametrize("seed", [7200, 7201])
def test_printed_cards_are_read_at_their_places_in_columns_fans_and_piles(seed: int) -> None:
    picture, laid = crowded_picture(seed, printed_deck)
    read = read_cards(find_table(picture, CARD_MAT))
    assert len(read) == len(laid)
    for code, x, y in laid:
        near = [card.code for card in read if math.hypot(card.place.x_mm - x, card.place.y_mm - y) < 5]
        assert near == [code]


@pytest.mark.parametrize("name", [ROWS, FRAMES, PILE])
def test_cards_of_another_deck_are_not_taken_for_it(name: str) -> None:
    assert not any(signs_of(table_of(name)))


def test_cards_of_drawn_decks_are_not_taken_for_it() -> None:
    random, fonts = np.random.default_rng(5), find_fonts(FOLDERS)
    decks: list[Deck] = []
    while len(decks) < 4:
        design = draw_design(random, fonts)
        if design.border_mm != 3.0:  # A printed deck has this border.
            decks.append(drawn_deck(design))
    for number, deck in enumerate(decks):
        picture, _ = crowded_picture(7300 + number, deck)
        assert not any(signs_of(find_table(picture, CARD_MAT)))


@pytest.mark.parametrize("seed", [7200, 7201])
def test_strips_with_one_index_are_read_surely(seed: int) -> None:
    picture, laid = crowded_picture(seed, printed_deck)
    codes = {code for code, _, _ in laid}
    strips = [card for card in read_cards(find_table(picture, CARD_MAT)) if card.place.shown < 0.5]
    assert len(strips) > 8
    assert all(card.code in codes and card.confidence > 0.75 for card in strips)

"""The index corners of cards are read as a whole: numbers, letters, and that a corner has none."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.readers.cards.tables import FRAMES, ON_ROWS, PILE, ROWS, table_of
from vision.readers.cards.corner_net import VIEW_PX, corner_view, read_corners
from vision.readers.cards.deck import COLORS, LETTERS, RANKS
from vision.readers.cards.finder import find_cards
from vision.readers.cards.sheet import table_sheet


def test_numbers_and_letters_of_cards_in_plain_view_are_read_at_both_ends() -> None:
    sheet = table_sheet(table_of(ROWS))
    cards = find_cards(sheet)
    read = read_corners(sheet, cards)
    right = 0
    for code, at in ON_ROWS.items():
        apart = [np.hypot(card.x_mm - at[0], card.y_mm - at[1]) for card in cards]
        numbers, letters = read[int(np.argmin(apart))]
        rank, color = int(code.lstrip("BGOPRY")) - 1, LETTERS.index(code.rstrip("0123456789"))
        right += sum(int(one.argmax()) == rank for one in numbers) + sum(int(one.argmax()) == color for one in letters)
    assert right >= 0.8 * 4 * len(ON_ROWS)


def test_cards_without_letters_have_none() -> None:
    sheet = table_sheet(table_of(FRAMES))
    letters = np.array([letters.argmax(axis=1) for _, letters in read_corners(sheet, find_cards(sheet))])
    assert (letters == COLORS).mean() > 0.95


def test_a_card_that_lies_face_down_has_no_number() -> None:
    sheet = table_sheet(table_of(PILE))
    stock = min(find_cards(sheet), key=lambda card: card.x_mm)
    ((numbers, _),) = read_corners(sheet, [stock])
    assert (np.exp(numbers[:, RANKS]) > 0.9).all()


def test_each_reading_is_a_probability() -> None:
    sheet = table_sheet(table_of(PILE))
    for numbers, letters in read_corners(sheet, find_cards(sheet)):
        assert numbers.shape == (2, RANKS + 1) and letters.shape == (2, COLORS + 1)
        assert np.allclose([np.exp(numbers).sum(axis=1), np.exp(letters).sum(axis=1)], 1.0)


@pytest.mark.parametrize("light", [0.4, 1.6])
def test_a_view_is_the_same_in_any_light(light: float) -> None:
    rng = np.random.default_rng(3)
    picture = rng.uniform(20, 150, (*VIEW_PX[::-1], 3))
    seen = np.ones(VIEW_PX[::-1], np.float32)
    one, other = (corner_view(np.round(some).astype(np.uint8), seen) for some in (picture, light * picture))
    assert np.abs(one - other).max() < 0.05

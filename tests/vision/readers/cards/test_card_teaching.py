"""A deck is taught by one card of each color and one of each number; what cannot teach it is refused in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from msgspec import structs

from companion.core.foundation.errors import SeeError, WrongUsage
from simulation.printed.card_decks import CARD_MAT, printed_deck, sampler_picture, scattered_picture
from simulation.printed.laid import LaidPart
from simulation.printed.paper import PX_PER_MM
from simulation.printed.tables import Sight
from vision.calibration.calibration import Calibration, EmptyTable, load_calibration
from vision.calibration.taught import TaughtDeck
from vision.readers.cards.deck import CODES, LETTERS
from vision.readers.cards.reader import read_cards
from vision.readers.cards.taught_looks import taught_looks
from vision.readers.cards.teaching import USUAL_ROWS, check_sampler, stated_card, taught_by_pictures
from vision.registration.registered_image import RegisteredImage, find_table

SEED = 900
"""A table on which all 24 cards are found."""


@cache
def sampler() -> tuple[RegisteredImage, tuple[str, ...]]:
    """A picture of a sampler, and its cards."""
    picture, codes = sampler_picture(SEED, printed_deck)
    return find_table(picture, CARD_MAT), tuple(codes)


@cache
def deck() -> TaughtDeck:
    """The printed deck, taught."""
    table, _ = sampler()
    return taught_by_pictures(TaughtDeck(), [table], USUAL_ROWS)[0]


def test_a_sampler_teaches_both_corners_of_24_cards_by_color_or_by_number() -> None:
    corners = deck().corners
    assert len(corners) == 48
    assert [one.color for one in corners[:24:2]] == list(range(12))
    assert [one.rank for one in corners[24::2]] == list(range(1, 13))
    assert all(one.rank is None for one in corners[:24]) and all(one.color is None for one in corners[24:])


def test_a_taught_deck_knows_the_inks_of_its_colors_and_half_of_a_deck_none() -> None:
    assert all(taught_looks(deck()).inks)
    assert all(taught_looks(TaughtDeck(deck().corners[:24])).inks)
    assert not any(taught_looks(TaughtDeck(deck().corners[24:])).inks)


def table_with(codes: Sequence[str], number: int) -> RegisteredImage:
    """The printed deck's cards in one row."""
    sight, rng = Sight(SEED, CARD_MAT, loose_markers=True), Random(number)
    for k, code in enumerate(codes):
        sight.lay(LaidPart(printed_deck(code), 70 + 90 * k, 200 + rng.uniform(-12, 12), 90 + rng.uniform(-12, 12)))
    return find_table(sight.picture(), CARD_MAT)


def test_special_cards_that_were_shown_once_are_read() -> None:
    codes = ("deck swap", "draw", "pass hand left", "pass hand right", "reverse draw", "swap cards")
    special, _ = taught_by_pictures(TaughtDeck(), [table_with(codes, 1)], [codes])
    plain = table_with(codes[::-1], 2)
    table, _ = sampler()
    empty = EmptyTable(table.picture, table.pose, table.light, CARD_MAT, 0.0)
    known = structs.replace(plain, calibration=Calibration("cards", empty, deck=special))
    read = sorted(read_cards(known), key=lambda card: card.place.x_mm)
    assert [card.code for card in read] == list(codes[::-1])


def test_a_special_card_that_was_never_shown_may_be_any_of_them_and_is_no_number_card() -> None:
    face = np.full((round(88 * PX_PER_MM), round(63 * PX_PER_MM), 3), 250, np.uint8)
    middle = face.shape[1] // 2, face.shape[0] // 2
    for k in range(12):
        turn = 30 * k, 30 * k + 26
        cv2.ellipse(face, middle, (90, 90), 0, *turn, (40 + 15 * k, 220 - 15 * k, (80 * k) % 250), 40)
    sight = Sight(SEED, CARD_MAT, loose_markers=True)
    for x in (150, 300, 450):
        sight.lay(LaidPart(face, x, 200, 90 + x / 20))
    read = read_cards(find_table(sight.picture(), CARD_MAT))
    assert len(read) == 3
    for card in read:
        assert card.face == "up" and card.confidence < 0.5
        assert all(not CODES[number][-1].isdigit() for number, _ in card.candidates[:6])


def test_a_taught_table_is_read_no_worse() -> None:
    table, _ = sampler()
    picture, laid = scattered_picture(SEED, printed_deck, 0)
    plain = find_table(picture, CARD_MAT)
    empty = EmptyTable(table.picture, table.pose, table.light, CARD_MAT, 0.0)
    known = structs.replace(plain, calibration=Calibration("cards", empty, deck=deck()))
    codes = {code for code, _, _ in laid}
    untaught, taught = (len(codes & {card.code for card in read_cards(one)}) for one in (plain, known))
    assert taught >= max(untaught, len(codes) - 2)


def test_newer_corners_take_the_places_of_older_ones() -> None:
    assert len(deck().with_corners(deck().corners[:2]).corners) == 48


def test_a_calibration_keeps_the_deck(tmp_path: Path) -> None:
    table, _ = sampler()
    empty = EmptyTable(table.picture, table.pose, table.light, CARD_MAT, 0.0)
    Calibration("cards", empty, deck=deck()).save(tmp_path / "deck")
    assert load_calibration(tmp_path / "deck").deck == deck()


def test_cards_are_stated_by_color_by_number_or_whole() -> None:
    assert (stated_card("GB").color, stated_card("GB").rank) == (7, None)
    assert (stated_card("12").color, stated_card("12").rank) == (None, 12)
    assert (stated_card("RO9").color, stated_card("RO9").rank) == (1, 9)
    assert stated_card("pass hand left").special == 11


@pytest.mark.parametrize("code", ["", "13", "0", "RB", "R13", "K7", "swap R/R", "r7", "R7 ", "7R"])
def test_what_is_no_card_is_refused(code: str) -> None:
    with pytest.raises(WrongUsage, match="no card of the deck"):
        stated_card(code)


def test_too_few_cards_and_equal_ones_are_refused() -> None:
    check_sampler(USUAL_ROWS)
    with pytest.raises(WrongUsage, match=r"lacks 12\. Set out one card of each color"):
        check_sampler([LETTERS, [str(rank) for rank in range(1, 12)]])
    with pytest.raises(WrongUsage, match=r"lacks 1, 2, 3, 4 and more\."):
        check_sampler([LETTERS])
    with pytest.raises(WrongUsage, match="R stands in the sampler twice"):
        check_sampler([[*LETTERS, "R"], USUAL_ROWS[1]])


def test_a_picture_of_other_cards_than_stated_is_refused() -> None:
    table, codes = sampler()
    with pytest.raises(SeeError, match="12 cards should lie there face up, but 24 were found"):
        taught_by_pictures(TaughtDeck(), [table], [LETTERS])
    with pytest.raises(SeeError, match="do not lie in the order that is stated"):
        taught_by_pictures(TaughtDeck(), [table], [codes[::-1]])


def face_of_a_standard_pack(code: str) -> np.ndarray:
    """A card of another deck, whatever it is asked for."""
    card = np.full((880, 630, 3), 250, np.uint8)
    for k, spot in enumerate(((315, 300), (315, 440), (315, 580))):
        cv2.circle(card, spot, 40 + k, (20, 20, 24), -1)
    return cv2.resize(card, (round(63 * PX_PER_MM), round(88 * PX_PER_MM)))


def test_cards_of_another_deck_do_not_teach_this_one() -> None:
    picture, _ = sampler_picture(SEED, face_of_a_standard_pack)
    with pytest.raises(SeeError, match="no number or sign of this deck is seen"):
        taught_by_pictures(TaughtDeck(), [find_table(picture, CARD_MAT)], USUAL_ROWS)

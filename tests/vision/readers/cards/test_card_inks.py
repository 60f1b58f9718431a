"""Colors of the wheel by their inks: mixed ones, and secondary colors that are printed as their two primaries."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.readers.cards.deck import LETTERS
from vision.readers.cards.inks import measured_inks, undiluted
from vision.readers.cards.palette import palette_odds
from vision.readers.cards.taught_looks import CardInks

USUAL = {
    "R": (212, 32, 42), "RO": (225, 84, 30), "O": (238, 132, 28), "OY": (240, 178, 32), "Y": (240, 214, 34),
    "YG": (132, 196, 48), "G": (34, 148, 70), "GB": (32, 150, 158), "B": (38, 90, 190), "BP": (72, 58, 176),
    "P": (118, 52, 152), "PR": (190, 36, 110),
}  # fmt: skip
"""Inks of one printing, R, G, B."""


def lab(code: str) -> np.ndarray:
    return lab_of(USUAL[code])


def lab_of(levels: tuple[int, int, int]) -> np.ndarray:
    pixel = np.array(levels[::-1], np.float32) / 255
    return np.asarray(cv2.cvtColor(pixel[None, None], cv2.COLOR_BGR2LAB)[0, 0])


@pytest.mark.parametrize("code", USUAL)
def test_a_usual_ink_is_its_color(code: str) -> None:
    assert LETTERS[int(palette_odds([CardInks((lab(code),))], np.zeros((1, 12)), halves=False).argmax())] == code


@pytest.mark.parametrize(
    ("one", "other", "between"), [("R", "O", "RO"), ("Y", "G", "YG"), ("B", "P", "BP"), ("P", "R", "PR")]
)
def test_two_primaries_side_by_side_are_the_color_between_them(one: str, other: str, between: str) -> None:
    assert (
        LETTERS[int(palette_odds([CardInks((lab(one), lab(other)))], np.zeros((1, 12)), halves=True).argmax())]
        == between
    )


def test_one_ink_is_a_primary_in_a_deck_of_halves() -> None:
    assert LETTERS[int(palette_odds([CardInks((lab("G"), lab("G")))], np.zeros((1, 12)), halves=True).argmax())] == "G"


def test_a_whole_spot_of_one_ink_is_a_primary_where_a_part_of_the_print_leaves_it_open() -> None:
    part, spot = (
        palette_odds([CardInks((lab("G"),), whole)], np.zeros((1, 12)), halves=True)[0] for whole in (False, True)
    )
    others = [LETTERS.index(code) for code in ("YG", "GB")]
    assert (part[LETTERS.index("G")] - part[others] < 1).all()
    assert (spot[LETTERS.index("G")] - spot[others] > 2).all()


@pytest.mark.parametrize(("one", "other", "between"), [("Y", "G", "YG"), ("G", "B", "GB"), ("P", "R", "PR")])
def test_a_spot_of_which_the_halves_are_blended_is_the_color_between_them(one: str, other: str, between: str) -> None:
    blend = (lab(one) + lab(other)) / 2
    assert LETTERS[int(palette_odds([CardInks((blend,), True)], np.zeros((1, 12)), halves=True).argmax())] == between


def test_a_frame_of_one_ink_on_all_sides_is_a_primary_and_one_of_two_inks_outweighs_a_blended_spot() -> None:
    around = palette_odds([CardInks((lab("B"),), around=True)], np.zeros((1, 12)), halves=True)[0]
    assert around[LETTERS.index("B")] - np.delete(around, LETTERS.index("B")).max() > 2
    spot = (lab("B") + 3 * lab("P")) / 4
    framed = palette_odds([CardInks((spot, lab("B"), lab("P")), True)], np.zeros((1, 12)), halves=True)[0]
    assert LETTERS[int(framed.argmax())] == "BP"


def test_two_inks_are_told_apart_and_a_gray_one_is_none() -> None:
    pixels = np.concatenate([np.tile(lab("Y"), (60, 1)), np.tile(lab("G"), (50, 1))])
    assert len(measured_inks(pixels)) == 2
    assert len(measured_inks(pixels[:60])) == 1
    assert measured_inks(pixels[:5]) == []


def test_a_red_that_looks_red_orange_is_red_beside_the_red_orange_of_the_same_deck() -> None:
    red, red_orange, orange = (lab_of(levels) for levels in ((222, 58, 36), (234, 110, 30), (240, 152, 28)))
    known = np.zeros((7, 12))
    for k, code in enumerate(("RO", "O") * 3):
        known[k] = np.where(np.array(LETTERS) == code, 0.0, -6.0)
    alone = palette_odds([CardInks((red,))], np.zeros((1, 12)), halves=False)[0]
    together = palette_odds([CardInks((ink,)) for ink in (*(red_orange, orange) * 3, red)], known, halves=False)[-1]
    assert LETTERS[int(alone.argmax())] == "RO"
    assert LETTERS[int(together.argmax())] == "R"


def test_an_ink_of_no_card_leaves_every_color_open() -> None:
    odds = palette_odds([CardInks(()), CardInks((lab("B"),))], np.zeros((2, 12)), halves=False)
    assert np.ptp(odds[0]) == 0 and LETTERS[int(odds[1].argmax())] == "B"


def test_the_white_that_blur_and_glare_add_to_an_ink_is_taken_away() -> None:
    ink = np.array([[0.2, 0.13, 0.8]])
    for share in (0.3, 0.6):
        assert np.allclose(undiluted(ink * (1 - share) + share), ink)

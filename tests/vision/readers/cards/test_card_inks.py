"""Colors of the wheel by their inks: mixed ones, and secondary colors that are printed as their two primaries."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.readers.cards.deck import LETTERS
from vision.readers.cards.inks import color_odds, measured_inks

USUAL = {
    "R": (212, 32, 42), "RO": (225, 84, 30), "O": (238, 132, 28), "OY": (240, 178, 32), "Y": (240, 214, 34),
    "YG": (132, 196, 48), "G": (34, 148, 70), "GB": (32, 150, 158), "B": (38, 90, 190), "BP": (72, 58, 176),
    "P": (118, 52, 152), "PR": (190, 36, 110),
}  # fmt: skip
"""Inks of one printing, R, G, B."""


def lab(code: str) -> np.ndarray:
    pixel = np.array(USUAL[code][::-1], np.float32) / 255
    return np.asarray(cv2.cvtColor(pixel[None, None], cv2.COLOR_BGR2LAB)[0, 0])


@pytest.mark.parametrize("code", USUAL)
def test_a_usual_ink_is_its_color(code: str) -> None:
    assert LETTERS[int(color_odds([lab(code)], halves=False).argmax())] == code


@pytest.mark.parametrize(
    ("one", "other", "between"), [("R", "O", "RO"), ("Y", "G", "YG"), ("B", "P", "BP"), ("P", "R", "PR")]
)
def test_two_primaries_side_by_side_are_the_color_between_them(one: str, other: str, between: str) -> None:
    assert LETTERS[int(color_odds([lab(one), lab(other)], halves=True).argmax())] == between


def test_one_ink_is_a_primary_in_a_deck_of_halves() -> None:
    assert LETTERS[int(color_odds([lab("G"), lab("G")], halves=True).argmax())] == "G"


def test_two_inks_are_told_apart_and_a_gray_one_is_none() -> None:
    pixels = np.concatenate([np.tile(lab("Y"), (60, 1)), np.tile(lab("G"), (50, 1))])
    assert len(measured_inks(pixels)) == 2
    assert len(measured_inks(pixels[:60])) == 1
    assert measured_inks(pixels[:5]) == []

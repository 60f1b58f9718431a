"""The lit segment of a dark card's wheel, beside the dim ones of the other colors."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.readers.cards.test_card_inks import USUAL
from vision.readers.cards.deck import CARD_MM, LETTERS
from vision.readers.cards.finder import PlacedCard
from vision.readers.cards.inks import lit_inks
from vision.readers.cards.palette import palette_odds
from vision.readers.cards.sheet import CELL_PX, PX_PER_MM, CardSheet
from vision.readers.cards.taught_looks import CardInks, full_inks

SIDE_MM = 128
DARK = (38, 34, 36)


def inks_of(lit: str | None) -> tuple[np.ndarray, ...]:
    """The inks on a dark card on a green table with a wheel of which one segment is lit, or none."""
    picture = np.full((SIDE_MM * PX_PER_MM,) * 2 + (3,), (90, 140, 40), np.uint8)
    middle = SIDE_MM * PX_PER_MM // 2
    half = [round(side * PX_PER_MM / 2) for side in CARD_MM]
    picture[middle - half[1] : middle + half[1], middle - half[0] : middle + half[0]] = DARK
    for k, code in enumerate(LETTERS):
        dim = [round(0.25 * one + 0.75 * ground) for one, ground in zip(USUAL[code][::-1], DARK, strict=True)]
        color = USUAL[code][::-1] if code == lit else dim
        turn = -90 + 30 * k
        cv2.ellipse(picture, (middle, middle), (31, 31), 0, turn, turn + 28, tuple(int(v) for v in color), 18)
    cv2.putText(picture, "4", (middle - 10, middle + 10), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (245, 245, 245), 2)
    cells = np.ones((SIDE_MM * PX_PER_MM // CELL_PX,) * 2, np.float32)
    sheet = CardSheet(cv2.GaussianBlur(picture, (0, 0), 1.0), np.zeros(cells.shape, np.bool_), (0.0, 0.0))
    return lit_inks(sheet, PlacedCard(SIDE_MM / 2, SIDE_MM / 2, 90.0, 1.0, cells))


@pytest.mark.parametrize("code", LETTERS)
def test_the_lit_segment_is_the_color_of_its_card(code: str) -> None:
    inks = CardInks(full_inks(inks_of(code)))
    assert LETTERS[int(palette_odds([inks], np.zeros((1, 12)), halves=False).argmax())] == code


def test_a_wheel_of_which_nothing_is_lit_tells_no_color() -> None:
    found = inks_of(None)
    assert all(np.hypot(*ink[1:]) < 30 for ink in found)

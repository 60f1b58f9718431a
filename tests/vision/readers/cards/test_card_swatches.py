"""The spot of color under a number: its two halves are measured apart, and as they would look in white light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.readers.cards.deck import LETTERS
from vision.readers.cards.glyphs import CORNER_MM, MIDDLE_NUMBER, PX_PER_MM, IndexCorner, cut_corner
from vision.readers.cards.palette import palette_odds
from vision.readers.cards.taught_looks import card_inks, on_white

RED, ORANGE, GREEN, YELLOW = (212, 32, 42), (238, 132, 28), (34, 148, 70), (240, 214, 34)
LAMPS = {"white": (1.0, 1.0, 1.0), "warm": (1.0, 0.94, 0.83), "blue": (0.85, 0.93, 1.0), "dim": (0.5, 0.47, 0.42)}
"""What of a lamp is left once the white of the markers is leveled."""


def corner(left: tuple[int, int, int], right: tuple[int, int, int], lamp: tuple[float, float, float]) -> IndexCorner:
    """A white corner with a gray 7 over a spot in two halves and a frame, R, G, B."""
    width, height = (round(side * PX_PER_MM) for side in CORNER_MM)
    picture = np.full((height, width, 3), 246, np.uint8)
    cv2.putText(picture, "7", (20, 45), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (110, 110, 110), 3, cv2.LINE_AA)
    picture[56:70, 20:30], picture[56:70, 30:40] = left, right
    lit = (picture / 255) ** 2.2 * np.array(lamp)
    seen = np.round(255 * lit ** (1 / 2.2)).astype(np.uint8)[:, :, ::-1]
    found = cut_corner(np.ascontiguousarray(seen), np.ones((height, width), np.float32))
    assert found is not None
    return found


@pytest.mark.parametrize("lamp", LAMPS)
def test_a_spot_of_one_ink_is_its_color_under_any_lamp(lamp: str) -> None:
    for ink, code in ((RED, "R"), (ORANGE, "O"), (GREEN, "G"), (YELLOW, "Y")):
        inks = card_inks([corner(ink, ink, LAMPS[lamp])])
        assert len(inks.inks) == 1 and inks.spot
        assert LETTERS[int(palette_odds([inks], np.zeros((1, 12)), halves=False).argmax())] == code


@pytest.mark.parametrize("lamp", LAMPS)
def test_two_halves_are_two_inks_and_the_color_between_them(lamp: str) -> None:
    for one, other, code in ((RED, ORANGE, "RO"), (YELLOW, GREEN, "YG")):
        inks = card_inks([corner(one, other, LAMPS[lamp])])
        assert len(inks.inks) == 2
        assert LETTERS[int(palette_odds([inks], np.zeros((1, 12)), halves=True).argmax())] == code


def test_a_corner_without_a_spot_has_none() -> None:
    paper = (246, 246, 246)
    assert corner(paper, paper, LAMPS["white"]).swatch() is None


def test_inks_on_dark_paper_stay_as_they_are() -> None:
    inks = np.array([[50.0, 60.0, 30.0]])
    assert np.array_equal(on_white(inks, np.array([20.0, 0.0, 0.0])), inks)


@pytest.mark.parametrize(("bar", "underlined"), [(True, True), (False, False)])
def test_a_bar_below_a_6_shows_which_way_up_it_is(bar: bool, underlined: bool) -> None:
    picture = np.full((76, 92, 3), 246, np.uint8)
    cv2.putText(picture, "6", (32, 55), cv2.FONT_HERSHEY_SIMPLEX, 1.5, (40, 40, 40), 4, cv2.LINE_AA)
    if bar:
        picture[62:65, 33:62] = 40
    seen = np.ones(picture.shape[:2], np.float32)
    upright = cut_corner(picture, seen, MIDDLE_NUMBER)
    turned = cut_corner(np.ascontiguousarray(picture[::-1, ::-1]), seen, MIDDLE_NUMBER)
    assert upright is not None and turned is not None
    assert upright.underlined() is underlined
    assert not turned.underlined()


@pytest.mark.parametrize("light", [40, 150, 190])
def test_a_thin_bar_that_blur_joins_to_a_9_still_shows_which_way_up_it_is(light: int) -> None:
    picture = np.full((76, 92, 3), 246, np.uint8)
    cv2.circle(picture, (46, 30), 9, (40, 40, 40), 5)  # fonts of OpenCV differ from version to version
    cv2.line(picture, (55, 30), (49, 50), (40, 40, 40), 5)
    picture[59:62, 33:62] = light
    blurred = cv2.GaussianBlur(picture, (0, 0), 2.2)
    seen = np.ones(picture.shape[:2], np.float32)
    upright, turned = (cut_corner(one, seen, MIDDLE_NUMBER) for one in (blurred, blurred[::-1, ::-1].copy()))
    assert upright is not None and turned is not None
    assert upright.underlined() and not turned.underlined()

"""Digits and bonus factors drawn by OpenCV's own fonts, at any turn."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.readers.tiles.glyphs import DIGITS, match_signs

TURNS = tuple(range(0, 360, 60))


def drawn(sign: str, turn_deg: float, dark: bool = False, shift_px: int = 0) -> np.ndarray:
    """(1, 28, 28) a sign in a patch, by a font that the templates were not made from."""
    zoom, height_px = 6, 78
    side = 28 * zoom
    ink = np.zeros((200, 200), np.uint8)
    cv2.putText(ink, sign, (40, 150), cv2.FONT_HERSHEY_SIMPLEX, 3.0, 255, 14, cv2.LINE_AA)
    rows, columns = np.flatnonzero(ink.any(1)), np.flatnonzero(ink.any(0))
    ink = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    ink = cv2.resize(ink, (round(ink.shape[1] * height_px / ink.shape[0]), height_px), interpolation=cv2.INTER_AREA)
    image = np.zeros((side, side), np.float32)
    top, left = (side - height_px) // 2, (side - ink.shape[1]) // 2 + shift_px * zoom
    image[top : top + height_px, left : left + ink.shape[1]] = ink / 255
    turned = cv2.warpAffine(image, cv2.getRotationMatrix2D((side / 2, side / 2), turn_deg, 1), (side, side))
    small = cv2.resize(turned, (28, 28), interpolation=cv2.INTER_AREA)
    return (1 - small if dark else small)[None]


@pytest.mark.parametrize("sign", DIGITS)
@pytest.mark.parametrize("turn_deg", [0, 120, 300])
def test_a_digit_is_read_at_its_turn(sign: str, turn_deg: int) -> None:
    found = match_signs(drawn(sign, turn_deg), DIGITS, (7.0, 8.5, 10.0), TURNS, 6.0, 2, 1)[0]
    value, turn = np.unravel_index(int(found.argmax()), found.shape)
    assert DIGITS[value] == sign
    assert TURNS[turn] == turn_deg


def test_dark_on_white_reads_as_white_on_dark() -> None:
    light, dark = (match_signs(drawn("5", 60, dark), DIGITS, (8.5,), TURNS, 6.0, 2, 1) for dark in (False, True))
    assert light == pytest.approx(dark, abs=1e-3)


def test_a_digit_may_lie_a_little_off_the_middle() -> None:
    straight, beside = (match_signs(drawn("3", 0, shift_px=k), DIGITS, (8.5,), TURNS, 6.0, 2, 1).max() for k in (0, 2))
    assert beside > 0.9 * straight


def test_a_flat_patch_looks_like_no_digit() -> None:
    flat = np.full((1, 28, 28), 0.4, np.float32)
    assert match_signs(flat, DIGITS, (8.5,), TURNS, 6.0, 2, 1).max() < 0.05

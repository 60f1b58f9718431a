"""The colored frame of a card on paper: in one ink, in the two primaries of a secondary color, or none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.readers.cards.deck import CARD_MM, LETTERS
from vision.readers.cards.finder import PlacedCard
from vision.readers.cards.frames import Frame, card_frame
from vision.readers.cards.palette import palette_odds
from vision.readers.cards.sheet import CELL_PX, PX_PER_MM, CardSheet
from vision.readers.cards.taught_looks import CardInks

INKS = {"R": (212, 32, 42), "O": (238, 132, 28), "G": (34, 148, 70), "B": (38, 90, 190), "P": (118, 52, 152)}
"""Primaries of one printing, R, G, B."""
SIDE_MM = 128
TABLE = (46, 62, 84)


def frame_of(
    one: str | None, other: str | None, *, blur_px: float = 1.2, shown: float = 1.0, dim: float = 1.0
) -> Frame:
    """The frame of a card in the middle of a table, in two inks that meet across it, seen through a blur."""
    fine = 4
    picture = np.full((SIDE_MM * fine, SIDE_MM * fine, 3), TABLE, np.uint8)
    x0, y0 = ((SIDE_MM - side) / 2 for side in CARD_MM)
    x1, y1 = x0 + CARD_MM[0], y0 + CARD_MM[1]

    def box(inset_mm: float, color: tuple[int, ...], low: float, high: float) -> None:
        left, right = round((x0 + inset_mm) * fine), round((x1 - inset_mm) * fine)
        picture[round(max(y0 + inset_mm, low) * fine) : round(min(y1 - inset_mm, high) * fine), left:right] = color

    box(0.0, (246, 246, 246), 0, SIDE_MM)
    if one is not None and other is not None:
        box(2.2, INKS[one][::-1], 0, SIDE_MM / 2)
        box(2.2, INKS[other][::-1], SIDE_MM / 2, SIDE_MM)
        box(3.4, (246, 246, 246), 0, SIDE_MM)
    small = cv2.resize(picture, None, fx=PX_PER_MM / fine, fy=PX_PER_MM / fine, interpolation=cv2.INTER_AREA)
    seen = np.round(cv2.GaussianBlur(small, (0, 0), blur_px) * dim).astype(np.uint8)
    cells = np.ones((SIDE_MM * PX_PER_MM // CELL_PX,) * 2, np.float32)
    cells[round(len(cells) * shown) :] = 0
    sheet = CardSheet(seen, np.zeros(cells.shape, np.bool_), (0.0, 0.0))
    return card_frame(sheet, PlacedCard(SIDE_MM / 2 + 0.8, SIDE_MM / 2 - 0.6, 91.0, shown, cells))


def color_of(frame: Frame) -> str:
    inks = CardInks(frame.inks, around=frame.around and len(frame.inks) == 1)
    return LETTERS[int(palette_odds([inks], np.zeros((1, 12)), halves=True).argmax())]


@pytest.mark.parametrize("dim", [1.0, 0.6])
@pytest.mark.parametrize("color", INKS)
def test_a_frame_of_one_ink_is_a_primary(color: str, dim: float) -> None:
    frame = frame_of(color, color, dim=dim)
    assert len(frame.inks) == 1 and frame.around
    assert color_of(frame) == color


@pytest.mark.parametrize(("one", "other", "between"), [("R", "O", "RO"), ("G", "B", "GB"), ("B", "P", "BP")])
def test_a_frame_of_two_inks_is_the_color_between_them(one: str, other: str, between: str) -> None:
    frame = frame_of(one, other)
    assert len(frame.inks) == 2
    assert color_of(frame) == between


def test_the_visible_half_of_a_frame_shows_one_ink_and_is_not_all_around() -> None:
    frame = frame_of("B", "P", shown=0.4)
    assert len(frame.inks) == 1 and not frame.around


def test_a_card_without_a_frame_on_a_brown_table_has_none() -> None:
    assert not frame_of(None, None).inks

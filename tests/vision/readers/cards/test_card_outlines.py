"""Things without straight sides are not read as cards."""

from __future__ import annotations

import cv2
import numpy as np

from vision.readers.cards.crops import WHOLE_OUT_MM, straight_share
from vision.readers.cards.deck import CARD_MM

SIZE = round(CARD_MM[0] + 2 * WHOLE_OUT_MM), round(CARD_MM[1] + 2 * WHOLE_OUT_MM)


def share_of(picture: np.ndarray) -> float:
    """The share of straight sides in a picture (H, W, 3) of 0 to 1."""
    lab = cv2.cvtColor(picture.astype(np.float32), cv2.COLOR_BGR2LAB)
    return straight_share(lab, np.ones(picture.shape[:2], np.float32))


def test_a_card_has_straight_sides_also_a_little_turned_and_moved() -> None:
    picture = np.full((SIZE[1], SIZE[0], 3), 0.2, np.float32)
    box = cv2.boxPoints(((SIZE[0] / 2 + 1.5, SIZE[1] / 2 - 1), (CARD_MM[0], CARD_MM[1]), 3.0))
    cv2.fillConvexPoly(picture, box.astype(int), (0.3, 0.2, 0.7))
    assert share_of(picture) > 0.9


def test_a_cup_has_none() -> None:
    picture = np.full((SIZE[1], SIZE[0], 3), 0.2, np.float32)
    cv2.ellipse(picture, (SIZE[0] // 2, SIZE[1] // 2), (33, 45), 0, 0, 360, (0.3, 0.2, 0.7), -1)
    assert share_of(picture) < 0.6


def test_an_empty_table_has_none() -> None:
    assert share_of(np.full((SIZE[1], SIZE[0], 3), 0.4, np.float32)) == 0.0

"""Marks over a picture: where they are drawn, and that the picture itself stays as it was."""

from __future__ import annotations

import numpy as np

from companion.core.protocols.eyes import OverlayMark
from vision.overlay import draw

SQUARE = ((20.0, 20.0), (80.0, 20.0), (80.0, 80.0), (20.0, 80.0))


def test_an_outline_is_drawn_on_a_copy() -> None:
    picture = np.full((100, 120, 3), 90, np.uint8)
    drawn = draw(picture, [OverlayMark(SQUARE, "", "read")])
    assert (picture == 90).all()
    changed = np.argwhere((drawn != 90).any(2))
    assert changed.min() >= 15 and changed.max() <= 85
    assert (drawn[48:52, 48:52] == 90).all()


def test_doubt_looks_different_from_a_sure_reading() -> None:
    picture = np.zeros((100, 120, 3), np.uint8)
    sure, doubt = (draw(picture, [OverlayMark(SQUARE, "", kind)]) for kind in ("read", "doubt"))
    assert (sure != doubt).any()


def test_a_label_stands_in_the_middle() -> None:
    drawn = draw(np.full((100, 120, 3), 90, np.uint8), [OverlayMark(SQUARE, "GGY4", "read")])
    assert (drawn[44:58, 35:65] != 90).any()


def test_marks_beyond_the_picture_or_without_a_place_harm_nothing() -> None:
    picture = np.full((100, 120, 3), 90, np.uint8)
    far = tuple((x * 1e6, y * 1e6) for x, y in SQUARE)
    nowhere = ((float("nan"), 0.0), (1.0, 1.0), (2.0, 0.0))
    assert (
        draw(
            picture, [OverlayMark(far, "", "read"), OverlayMark(nowhere, "", "read"), OverlayMark((), "", "hand")]
        ).shape
        == picture.shape
    )

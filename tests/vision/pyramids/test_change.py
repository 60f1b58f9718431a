"""Where a picture is as it was."""

from __future__ import annotations

import numpy as np

from vision.pyramids.change import changed_boxes, inside, unchanged


def table() -> np.ndarray:
    return np.random.default_rng(1).integers(90, 110, (180, 320, 3)).astype(np.uint8)


def test_the_same_picture_is_unchanged() -> None:
    assert unchanged(table(), table()).all()


def test_another_exposure_is_no_change() -> None:
    assert unchanged((table() * 1.2).astype(np.uint8), table()).all()


def test_a_piece_that_came_is_a_change() -> None:
    now = table()
    now[60:68, 100:108] = (20, 20, 160)
    same = unchanged(now, table())
    assert not same[64, 104]
    assert same.mean() > 0.98
    (box,) = changed_boxes(same)
    assert box[0] <= 400
    assert box[2] >= 432
    assert not inside((400, 240, 440, 280), same)
    assert inside((800, 400, 840, 440), same)

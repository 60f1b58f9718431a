"""Boxes of a picture that are as they were."""

from __future__ import annotations

import numpy as np

from vision.readers.pyramids.sheet import changed_boxes, inside


def test_a_piece_that_came_is_in_a_box() -> None:
    same = np.ones((180, 320), np.uint8)
    same[60:68, 100:108] = 0
    (box,) = changed_boxes(same)
    assert box[0] <= 400
    assert box[2] >= 432
    assert not inside((400, 240, 440, 280), same)
    assert inside((800, 400, 840, 440), same)

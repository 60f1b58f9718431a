"""Other exposures of a picture show the same things in the same places."""

from __future__ import annotations

import cv2
import numpy as np

from vision.image.picture import Picture
from vision.readers.pawns.training.samples import exposed


def checkered() -> Picture:
    squares = (np.indices((12, 16)).sum(0) % 2 * 120 + 60).astype(np.uint8)
    return np.asarray(cv2.cvtColor(np.kron(squares, np.ones((16, 16), np.uint8)), cv2.COLOR_GRAY2BGR), dtype=np.uint8)


def test_what_was_bright_stays_brighter_than_what_was_dark() -> None:
    picture = checkered()
    middles = picture[8::16, 8::16, 0] > 100
    random = np.random.default_rng(3)
    for _ in range(12):
        other = exposed(picture, random)
        assert other.shape == picture.shape and other.dtype == np.uint8
        seen = other[8::16, 8::16].astype(float).mean(-1)
        assert seen[middles].min() > seen[~middles].max() + 15


def test_exposures_differ_and_come_again_from_the_same_source() -> None:
    picture = checkered()
    random = np.random.default_rng(5)
    one, other = exposed(picture, random), exposed(picture, random)
    assert abs(one.astype(float).mean() - other.mean()) > 1
    assert np.array_equal(exposed(picture, np.random.default_rng(5)), one)

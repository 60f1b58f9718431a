"""What a net learns from of a picture and its empty table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.readers.pyramids.training.sheets import guessed_empty, lit

SHAPE = (3, 64, 64)


def test_a_table_that_was_never_shown_empty_has_no_ratio() -> None:
    light, ratio, known = lit(np.zeros(SHAPE, np.float32), None, np.random.default_rng(1))
    assert light.shape == SHAPE
    assert not ratio.any()
    assert not known.any()


def test_most_pairs_tell_what_differs_and_some_are_kept_back() -> None:
    empty = np.random.default_rng(2).normal(0, 0.1, SHAPE).astype(np.float32)
    light = empty.copy()
    light[:, 20:40, 20:40] -= 1.5
    random, told = np.random.default_rng(3), 0
    for _ in range(60):
        now, ratio, known = lit(light, empty, random)
        told += bool(known.any())
        assert not ratio[:, known[0] == 0].any()
        assert np.isfinite(now).all()
        if known.all():
            assert ratio[:, 24:36, 24:36].mean() == pytest.approx(-1.5, abs=0.3)
            assert abs(ratio[:, :14].mean()) < 0.2
    assert 25 < told < 55


def test_the_table_under_pieces_is_guessed_and_their_shade_is_not_part_of_it() -> None:
    ground = np.full((160, 200), 0.5, np.float32) + np.random.default_rng(4).normal(0, 0.03, (160, 200))
    shade = np.zeros((160, 200), np.float32)
    shade[60:90, 100:140] = -0.5
    seen = ground + cv2.GaussianBlur(shade, (0, 0), 4)
    seen[60:90, 70:100] = -1.0
    table = np.ones((160, 200), bool)
    table[60:90, 70:100] = False
    bare = guessed_empty(np.stack([seen] * 3).astype(np.float32), table)
    assert bare[:, 65:85, 75:95].mean() == pytest.approx(0.5, abs=0.1)
    assert bare[:, 70:80, 115:130].mean() == pytest.approx(0.5, abs=0.15)
    assert np.abs((bare[0] - seen)[:40]).mean() < 0.03


def test_a_guessed_empty_table_is_kept_back_more_often() -> None:
    empty = np.zeros(SHAPE, np.float32)
    told = [
        sum(bool(lit(empty, empty, np.random.default_rng(k), guessed)[2].any()) for k in range(200))
        for guessed in (False, True)
    ]
    assert told[0] > 1.4 * told[1] > 0

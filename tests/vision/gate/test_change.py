"""Light against change."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.scenes import hand, lamp_beside, lit, noisy, table
from vision.gate import change


@pytest.mark.parametrize(
    ("size", "thumb"),
    [((1280, 720), (320, 180)), ((640, 480), (320, 240)), ((720, 1280), (180, 320)), ((64, 64), (320, 320))],
)
def test_a_thumb_keeps_the_shape_of_its_picture(size: tuple[int, int], thumb: tuple[int, int]) -> None:
    picture = np.zeros((size[1], size[0], 3), dtype=np.uint8)
    assert change.thumb_size(picture) == thumb
    assert change.thumbnail(picture).shape == (thumb[1], thumb[0], 3)


def test_a_thumb_averages_noise_away() -> None:
    flat = np.full((720, 1280, 3), 128, dtype=np.uint8)
    assert change.thumbnail(noisy(flat, 1, sigma=8)).std() < 3


@pytest.mark.parametrize(("gain", "offset"), [(1.0, 0.0), (0.8, 0.0), (1.2, 0.0), (0.9, 12.0)])
def test_gain_and_offset_are_found_though_a_hand_came_in(gain: float, offset: float) -> None:
    before = change.thumbnail(table())
    now = change.thumbnail(lit(hand(table(), (500, 300)), gain, offset))
    exposure = change.fit_exposure(before, now)
    expected = change.predicted(before, exposure)[20:60, 150:300].mean()
    assert expected == pytest.approx(before[20:60, 150:300].mean() * gain + offset, abs=2.5)
    assert exposure.event == ((gain, offset) != (1.0, 0.0))


def test_the_quick_fit_agrees_with_the_thorough_one() -> None:
    before, now = change.thumbnail(table()), change.thumbnail(lit(table(), 0.85))
    assert change.quick_exposure(before, now).gain == pytest.approx(change.fit_exposure(before, now).gain, abs=0.02)


def test_a_new_exposure_is_no_change_and_a_piece_is() -> None:
    before = change.thumbnail(noisy(table(), 1))
    for gain in (0.75, 1.0, 1.25):
        same, more = (
            change.thumbnail(noisy(lit(table(), gain), 2)),
            change.thumbnail(noisy(lit(table([(500, 300)]), gain), 3)),
        )
        for now, least, most in ((same, 0, 3), (more, 50, 120)):
            apart = change.difference(before, now, change.fit_exposure(before, now))
            assert least <= cv2.countNonZero(change.changed(apart, change.threshold(apart))) <= most


def test_clipped_white_may_stay_white_when_the_picture_darkens() -> None:
    before = np.full((180, 320, 3), 120, dtype=np.uint8)
    before[40:80, 40:80] = 255
    now = lit(before, 0.8)
    now[40:80, 40:80] = 250
    apart = change.difference(before, now, change.fit_exposure(before, now))
    assert apart.max() < 5


def test_a_lamp_beside_the_table_is_evened_out() -> None:
    before, now = change.thumbnail(table()), change.thumbnail(lamp_beside(hand(table(), (500, 300)), 0.3))
    plain = change.difference(before, now, change.fit_exposure(before, now))[:100]
    even = change.relit(before, now)
    evened = change.difference(even, now, change.fit_exposure(even, now))[:100]
    assert np.median(evened) < np.median(plain) / 3


def test_a_blank_picture_has_nothing_to_fit() -> None:
    white = np.full((180, 320, 3), 255, dtype=np.uint8)
    assert change.fit_exposure(white, white) == change.SAME_EXPOSURE
    assert change.predicted(white, change.SAME_EXPOSURE) is white

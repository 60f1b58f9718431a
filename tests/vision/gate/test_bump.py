"""A camera that was moved."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.scenes import hand, lit, noisy, table, turned
from vision.gate.change import find_shift, laid_over, thumbnail


@pytest.mark.parametrize("now", [table(), table([(500, 300), (560, 300)]), hand(table(), (600, 320))])
def test_a_camera_that_stands_still_stands_still(now: np.ndarray) -> None:
    shift = find_shift(thumbnail(noisy(table(), 1)), thumbnail(noisy(now, 2)))
    assert shift is not None and shift.px < 0.1


@pytest.mark.parametrize(("px", "deg"), [(2.0, 0.0), (8.0, 0.0), (3.0, 0.5)])
def test_a_bump_is_measured_and_undone(px: float, deg: float) -> None:
    before, now = thumbnail(table()), thumbnail(turned(table([(500, 300)]), px, deg))
    shift = find_shift(before, now)
    assert shift is not None and shift.px > 0.5 * px / 2
    apart = np.abs(laid_over(before, shift).astype(int) - now).max(2)[12:-12, 12:-12]
    assert np.percentile(apart, 95) < 25


def test_a_plain_table_or_another_view_says_nothing() -> None:
    plain = np.full((180, 320, 3), 90, dtype=np.uint8)
    assert find_shift(plain, plain) is None
    other = np.random.default_rng(3).integers(0, 256, (180, 320, 3), dtype=np.uint8)
    assert find_shift(thumbnail(table()), other) is None


def test_exposure_alone_does_not_look_like_a_bump() -> None:
    shift = find_shift(thumbnail(table()), thumbnail(lit(table(), 1.05)))
    assert shift is not None and shift.px < 0.2

"""The current that a picture draws, and the brightness that a limit leaves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware import picture

WHITE = (255, 255, 255)


def test_sixty_four_white_lights_would_draw_almost_four_amperes() -> None:
    assert picture.current_ma((WHITE,) * 64) == pytest.approx(64 * 61)


def test_white_on_a_usb_port_is_dimmed_to_a_twelfth() -> None:
    brightness = picture.allowed_brightness((WHITE,) * 64, 255, picture.USB_MA)
    assert brightness == 22
    assert picture.current_ma((WHITE,) * 64, brightness) <= picture.USB_MA


def test_what_stays_within_the_limit_is_not_dimmed() -> None:
    assert picture.allowed_brightness(picture.dark(64), 255, picture.USB_MA) == 255
    assert picture.allowed_brightness((WHITE,) * 4 + picture.dark(60), 200, picture.USB_MA) == 200


def test_a_limit_below_the_resting_current_leaves_nothing() -> None:
    assert picture.allowed_brightness((WHITE,) * 64, 255, 10) == 0


@given(
    st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=1, max_size=80), st.integers(0, 255), st.floats(100, 5000)
)
def test_the_allowed_brightness_is_within_the_limit_and_the_next_is_not(
    colors: list[tuple[int, int, int]], wanted: int, limit_ma: float
) -> None:
    shown = tuple(colors)
    allowed = picture.allowed_brightness(shown, wanted, limit_ma)
    assert 0 <= allowed <= wanted
    assert picture.current_ma(shown, allowed) <= max(limit_ma, len(shown)) + 1e-6
    if allowed < wanted:
        assert picture.current_ma(shown, allowed + 1) > limit_ma - 1e-6

"""The simulated board's own account of its lights; what it does on the wire is proven with the firmware's tests."""

from __future__ import annotations

from firmware_protocol.messages import LedFill, LedShow
from hardware.simulated.devices import SimulatedBoard, set_bits


def test_the_strip_shows_only_what_was_shown() -> None:
    board = SimulatedBoard(leds=3)
    board.execute(LedFill(bytes((9, 0, 0)), 0, 2))
    assert board.strip == ((0, 0, 0),) * 3
    assert board.held == ((9, 0, 0), (9, 0, 0), (0, 0, 0))
    board.execute(LedShow(1, 255))
    assert board.strip == board.held


def test_bits_count_from_the_lowest() -> None:
    assert list(set_bits(10, b"\x05\x80")) == [10, 12, 25]

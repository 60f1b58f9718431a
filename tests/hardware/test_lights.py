"""Places and their lights."""

from __future__ import annotations

import pytest

from hardware.led_board import LedBoard
from hardware.lights import CALLS, Flash


def test_a_place_may_have_several_lights_and_share_them() -> None:
    board = LedBoard({"a": (0, 1), "b": (1, 2)})
    assert board.at(["a", "b", "nowhere"]) == (0, 1, 2)
    assert board.count == 3


def test_a_strip_may_be_longer_than_its_places() -> None:
    assert LedBoard({"a": (0,)}, 64).count == 64


@pytest.mark.parametrize(("places", "count"), [({}, None), ({"a": (5,)}, 5), ({"a": (-1,)}, 5), ({}, 0)])
def test_lights_that_do_not_fit_are_refused(places: dict[str, tuple[int, ...]], count: int | None) -> None:
    with pytest.raises(ValueError, match="do not fit"):
        LedBoard(places, count)


class Flashes(LedBoard):
    """A board that only remembers what flashes."""

    def __init__(self, places: dict[str, tuple[int, ...]]) -> None:
        super().__init__(places)
        self.flashed: list[Flash] = []

    def flash(self, flash: Flash) -> None:
        self.flashed.append(flash)


def test_the_lamp_has_a_color_and_a_time_for_each_event_and_need_not_be_there() -> None:
    board, bare = Flashes({"a": (0,), "lamp": (1, 2)}), Flashes({"a": (0,)})
    for event in CALLS:
        board.call(event)
        bare.call(event)
    assert {flash.lights for flash in board.flashed} == {(1, 2)} and bare.flashed == []
    assert len({flash.color for flash in board.flashed}) == len(CALLS)

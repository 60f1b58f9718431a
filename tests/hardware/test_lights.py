"""Places and their lights."""

from __future__ import annotations

import pytest

from hardware.led_board import LedBoard


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

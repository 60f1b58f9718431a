"""Pictures become few frames, and the frames become the picture."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_protocol.frame import PAYLOAD_MAX
from firmware_protocol.messages import LedFill, LedMask, LedPixels, Status
from hardware import picture
from hardware.die_faces import Color
from hardware.picture import Picture
from hardware.simulated.devices import SimulatedBoard

few_colors = st.sampled_from([(0, 0, 0), (9, 0, 0), (0, 9, 0)])
many_colors = st.tuples(st.integers(0, 255), st.integers(0, 255), st.integers(0, 255))
pictures = st.integers(1, 120).flatmap(
    lambda count: st.tuples(
        st.lists(few_colors, min_size=count, max_size=count),
        st.lists(few_colors | many_colors, min_size=count, max_size=count),
    )
)


@settings(max_examples=50)
@given(pictures)
def test_the_requests_turn_one_picture_into_the_other(both: tuple[list[Color], list[Color]]) -> None:
    before, after = tuple(both[0]), tuple(both[1])
    board = SimulatedBoard(leds=len(before))
    board._held = list(before)
    for request in picture.requests(before, after):
        assert len(request.pack()) <= PAYLOAD_MAX
        assert board.execute(request) == (Status.OK, b"")
    assert board.held == after


def test_nothing_to_change_needs_no_frame() -> None:
    assert picture.requests(picture.dark(64), picture.dark(64)) == []


def test_sixty_four_legal_cells_of_one_color_need_one_frame() -> None:
    legal = picture.lit(64, range(0, 64, 3), (0, 160, 60))
    [request] = picture.requests(picture.dark(64), legal)
    assert isinstance(request, LedMask)
    assert len(request.pack()) == 13


def test_the_next_turns_cells_need_two() -> None:
    before = picture.lit(64, range(0, 30), (0, 160, 60))
    after = picture.lit(64, range(20, 50), (0, 160, 60))
    assert len(picture.requests(before, after)) == 2


def test_going_dark_needs_one() -> None:
    assert len(picture.requests(tuple((at, 1, 2) for at in range(64)), picture.dark(64))) == 1


def test_another_ground_is_a_fill_and_one_mask_a_color() -> None:
    after = picture.lit(64, [9], (0, 9, 0), ground=(9, 9, 9))
    sent = picture.requests(tuple((at, 1, 2) for at in range(64)), after)
    assert [type(request) for request in sent] in ([LedFill, LedMask], [LedMask, LedMask])


def test_a_colorful_picture_is_sent_light_by_light() -> None:
    rainbow: Picture = tuple((at, 2 * at, 255 - at) for at in range(64))
    sent = picture.requests(picture.dark(64), rainbow)
    assert [type(request) for request in sent] == [LedPixels] * 4


def test_a_long_strip_needs_several_masks() -> None:
    which = [0, 359, 360, 900]
    found = picture.masks(which)
    assert [(offset, len(bits)) for offset, bits in found] == [(0, 45), (360, 1), (900, 1)]


@given(st.sets(st.integers(0, 600), min_size=1))
def test_masks_name_exactly_their_lights(which: set[int]) -> None:
    named = [
        offset + at
        for offset, bits in picture.masks(which)
        for at in range(8 * len(bits))
        if bits[at // 8] >> at % 8 & 1
    ]
    assert named == sorted(which)


def test_the_digest_is_that_of_the_bytes_on_the_wire() -> None:
    assert picture.digest(((1, 2, 3), (4, 5, 6))) == zlib.crc32(b"\1\2\3\4\5\6")


@pytest.mark.parametrize(("lights", "wanted"), [(1, ((7, 7, 7),)), (3, ((7, 7, 7), (8, 8, 8), (0, 0, 0)))])
def test_a_picture_is_cut_or_filled_to_fit_a_strip(lights: int, wanted: Picture) -> None:
    assert picture.fitted(((7, 7, 7), (8, 8, 8)), lights) == wanted

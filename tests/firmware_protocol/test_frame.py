"""Frames in Python: the golden vectors, the reject list, and any stream of bytes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_protocol import frame, table
from firmware_protocol.frame import Decoder, LinkFrame
from firmware_protocol.messages import Identify
from tests.firmware_protocol.golden import named

bytes_1 = st.integers(0, 255)
frames = st.builds(LinkFrame, bytes_1, bytes_1, bytes_1, bytes_1, st.binary(max_size=56))


@pytest.mark.parametrize("vector", named("frames"))
def test_golden_frames(vector: dict[str, Any]) -> None:
    made = LinkFrame(vector["type"], vector["session"], vector["seq"], vector["ack"], bytes.fromhex(vector["payload"]))
    assert made.body.hex() == vector["body"]
    assert made.wire().hex() == vector["wire"]
    assert list(Decoder().feed(made.wire())) == [made]


@pytest.mark.parametrize("vector", named("rejects"))
def test_golden_rejects(vector: dict[str, Any]) -> None:
    decoder = Decoder()
    assert list(decoder.feed(bytes.fromhex(vector["wire"]))) == []
    assert (decoder.good, decoder.bad) == (0, 1)


@pytest.mark.parametrize("vector", named("streams"))
def test_golden_streams(vector: dict[str, Any]) -> None:
    found = [one.payload.hex() for one in Decoder().feed(bytes.fromhex(vector["wire"]))]
    assert found == vector["payloads"]


@given(st.lists(frames, max_size=4), st.lists(st.integers(0, 280), max_size=6))
def test_frames_are_found_however_the_stream_is_cut(sent: list[LinkFrame], cuts: list[int]) -> None:
    stream = b"".join(one.wire() for one in sent)
    ends = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    decoder = Decoder()
    assert [one for a, b in pairwise(ends) for one in decoder.feed(stream[a:b])] == sent


@given(st.binary(max_size=300), frames)
def test_a_frame_with_its_leading_delimiter_is_found_after_any_garbage(garbage: bytes, sent: LinkFrame) -> None:
    assert list(Decoder().feed(garbage + sent.wire()))[-1] == sent


@given(st.lists(frames, min_size=1, max_size=3), st.data())
def test_one_wrong_bit_never_makes_a_wrong_frame(sent: list[LinkFrame], data: st.DataObject) -> None:
    stream = bytearray(b"".join(one.wire() for one in sent))
    bit = data.draw(st.integers(0, 8 * len(stream) - 1))
    stream[bit // 8] ^= 1 << bit % 8
    assert all(one in sent for one in Decoder().feed(bytes(stream)))


def test_a_decoder_keeps_no_more_than_one_frame_of_garbage() -> None:
    decoder = Decoder()
    for _ in range(100):
        assert list(decoder.feed(b"\7" * 1000)) == []
    assert len(decoder._kept) <= frame.BODY_MAX + 2


def test_a_payload_that_is_too_long_is_refused_where_it_is_made() -> None:
    with pytest.raises(ValueError, match="57 bytes; at most 56"):
        LinkFrame(3, 1, 1, 0, bytes(57)).wire()


def test_the_limits_are_those_of_the_table() -> None:
    limits = {key: limit.value for key, limit in table.load().limits.items()}
    assert tuple(limits[key] for key in ("header", "payload_max", "crc", "body_max")) == (
        frame.HEADER,
        frame.PAYLOAD_MAX,
        frame.CRC,
        frame.BODY_MAX,
    )
    assert len(LinkFrame(255, 255, 255, 255, b"\xff" * 56).wire()) == limits["wire_max"]


def test_the_one_frame_for_unknown_ports_says_nothing_to_other_devices() -> None:
    probe = LinkFrame(Identify.TYPE, 0, 0, 0).wire()
    assert probe.hex() == "00020101010579b8f89900"
    meant_elsewhere = {3, 4, 0x0A, 0x0D, 0x11, 0x13, 0x18, 0x1A, 0x1B, 0x7E, *b"!?~+01"}
    assert not meant_elsewhere & set(probe)

"""COBS: the published examples, and any bytes there and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_protocol import frame as cobs

PUBLISHED = [
    ("", "01"),
    ("00", "0101"),
    ("0000", "010101"),
    ("001100", "01021101"),
    ("11220033", "0311220233"),
    ("11223344", "0511223344"),
    ("11000000", "0211010101"),
]
"""Body and coded form, from the paper and its encyclopedia article."""


@pytest.mark.parametrize(("body", "coded"), PUBLISHED)
def test_published_examples(body: str, coded: str) -> None:
    assert cobs.encode(bytes.fromhex(body)).hex() == coded
    assert cobs.decode(bytes.fromhex(coded)).hex() == body


@pytest.mark.parametrize("length", [253, 254, 255, 508, 509])
@pytest.mark.parametrize("end", [b"", b"\0", b"\1"])
def test_long_runs_are_split_at_254(length: int, end: bytes) -> None:
    body = b"\7" * length + end
    coded = cobs.encode(body)
    assert 0 not in coded
    assert len(coded) <= len(body) + 1 + len(body) // 254
    assert cobs.decode(coded) == body


@given(st.binary(max_size=600))
def test_any_bytes_there_and_back(body: bytes) -> None:
    coded = cobs.encode(body)
    assert 0 not in coded
    assert cobs.decode(coded) == body


@pytest.mark.parametrize("coded", [b"", b"\2", b"\5\1\2\3", b"\3\1\0", b"\1\3\1"])
def test_what_no_encoder_makes_is_refused(coded: bytes) -> None:
    with pytest.raises(cobs.BadCoding):
        cobs.decode(coded)

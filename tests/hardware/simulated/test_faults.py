"""Each fault does what it says, as often as it says."""

from __future__ import annotations

from random import Random

import pytest

from simulation.hardware.wire_faults import (
    BitFlips,
    Bursts,
    ByteDrops,
    ByteDuplicates,
    Faults,
    Rare,
    Truncations,
    WriteDrops,
    WriteDuplicates,
)

DATA = bytes(range(256)) * 40


def test_bit_flips_have_their_rate_and_keep_the_length() -> None:
    flip = BitFlips(1e-3, Random(1))
    wrong = 0
    for _ in range(20):
        got = flip(DATA)
        assert len(got) == len(DATA)
        wrong += sum((a ^ b).bit_count() for a, b in zip(got, DATA, strict=True))
    assert wrong == pytest.approx(20 * len(DATA) * 8 * 1e-3, rel=0.1)


@pytest.mark.parametrize(("fault", "change"), [(ByteDrops, -1), (ByteDuplicates, 1)])
def test_bytes_are_lost_or_doubled_at_their_rate(fault: type[ByteDrops] | type[ByteDuplicates], change: int) -> None:
    made = fault(1e-2, Random(1))
    difference = sum(len(made(DATA)) - len(DATA) for _ in range(10))
    assert difference == pytest.approx(change * 10 * len(DATA) * 1e-2, rel=0.1)


def test_a_lost_byte_leaves_its_neighbors() -> None:
    fault = ByteDrops(0.5, Random(3))
    got = fault(bytes(range(200)))
    assert list(got) == sorted(set(got))


def test_whole_writes_are_lost_doubled_or_cut() -> None:
    assert WriteDrops(1.0, Random(1))(b"abc") == b""
    assert WriteDuplicates(1.0, Random(1))(b"abc") == b"abcabc"
    assert b"abcdef".startswith(Truncations(1.0, Random(1))(b"abcdef"))
    assert len(Truncations(1.0, Random(1))(b"abcdef")) < 6


def test_a_burst_comes_before_the_write() -> None:
    got = Bursts(1.0, Random(1))(b"frame")
    assert got.endswith(b"frame")
    assert 1 <= len(got) - 5 <= 64


@pytest.mark.parametrize(
    "fault", [BitFlips, ByteDrops, ByteDuplicates, WriteDrops, WriteDuplicates, Truncations, Bursts]
)
def test_at_rate_zero_nothing_happens(fault: type[BitFlips]) -> None:
    assert fault(0.0, Random(1))(DATA) == DATA
    assert fault(0.0, Random(1))(b"") == b""


def test_faults_are_chained_in_order() -> None:
    assert Faults([lambda data: data + b"1", lambda data: data + b"2"])(b"0") == b"012"


def test_how_a_stream_is_cut_into_writes_does_not_change_what_is_hit() -> None:
    whole = Rare(0.01, Random(5)).among(1000)
    pieces = Rare(0.01, Random(5))
    assert [start + at for start in range(0, 1000, 50) for at in pieces.among(50)] == whole


def test_the_same_seed_gives_the_same_noise() -> None:
    assert BitFlips(1e-2, Random(9))(DATA) == BitFlips(1e-2, Random(9))(DATA)

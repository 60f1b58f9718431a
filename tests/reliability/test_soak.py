"""Cameras, devices, pages and games that come and go give back what they took; a long run is `tests.reliability.soak`."""

from __future__ import annotations

from tests.reliability.soak import DESCRIPTORS, MEMORY_MB, STEADY_MB, THREADS, Taken, grown, rises, soak


def test_a_round_of_everything_is_given_back() -> None:
    first, last = soak(0.0, parts=1)
    assert last.rounds == first.rounds + 1 and last.rows > first.rows
    assert not grown(first, last), (first, last)


def test_growth_would_be_told() -> None:
    first = Taken(2, 100, 100.0, 160, 14)
    assert not grown(first, first._replace(rounds=50, rows=5000, memory_mb=120.0))
    assert grown(first, first._replace(memory_mb=100.0 + MEMORY_MB + 1))
    assert grown(first, first._replace(threads=160 + THREADS + 1))
    assert grown(first, first._replace(descriptors=14 + DESCRIPTORS + 1))
    assert not rises(first, first._replace(rounds=50, memory_mb=100.0 + STEADY_MB))
    assert rises(first, first._replace(rounds=50, memory_mb=100.0 + STEADY_MB + 1))

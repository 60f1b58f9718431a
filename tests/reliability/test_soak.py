"""Cameras, devices, pages and games that come and go give back what they took; a long run is `tests.reliability.soak`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reliability.soak import DESCRIPTORS, MEMORY_MB, THREADS, TUNABLES, Taken, grown, rises, soak


def test_a_round_of_everything_is_given_back() -> None:
    first, last = soak(0.0, parts=1)
    assert last.rounds == first.rounds + 1 and last.rows > first.rows
    assert not grown(first, last), (first, last)


@pytest.mark.parametrize("file", ["companion.service", "Dockerfile"])
def test_the_server_is_started_as_the_soak_is(file: str) -> None:
    assert f"GLIBC_TUNABLES={TUNABLES}\n" in (Path(__file__).parents[2] / "deploy" / file).read_text()


def test_growth_would_be_told() -> None:
    first = Taken(2, 100, 100.0, 700_000, 160, 14)
    assert not grown(first, first._replace(rounds=50, rows=5000, memory_mb=120.0))
    assert grown(first, first._replace(memory_mb=100.0 + MEMORY_MB + 1))
    assert grown(first, first._replace(threads=160 + THREADS + 1))
    assert grown(first, first._replace(descriptors=14 + DESCRIPTORS + 1))


def test_what_still_rises_in_the_second_half_is_told() -> None:
    """However it rose before, and with values that go up and down by themselves."""
    first = Taken(0, 100, 100.0, 700_000, 160, 14)

    def ran(kb_a_round: float, blocks_a_round: float) -> list[Taken]:
        filled = [first._replace(rounds=100 * n, memory_mb=100.0 + n, blocks=700_000 + 900 * n) for n in range(30)]
        return filled + [
            first._replace(
                rounds=100 * n,
                memory_mb=130 + 0.3 * (-1) ** n + kb_a_round * 100 * (n - 30) / 1024,
                blocks=round(727_000 + 1_500 * (-1) ** n + blocks_a_round * 100 * (n - 30)),
            )
            for n in range(30, 60)
        ]

    assert not rises(ran(0.0, 0.0)) and not rises(ran(5.0, -2.0)) and not rises(ran(-5.0, 1.0))
    assert rises(ran(9.0, 0.0)) and rises(ran(0.0, 4.0))

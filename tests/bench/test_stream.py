"""The bench of the live stream, in short: nothing is missed and nothing comes twice."""

from __future__ import annotations

from bench.stream import measure


def test_thirty_screens_for_five_seconds_miss_nothing() -> None:
    found = measure(screens=30, seconds=5, rows_a_second=8)
    assert found.rows == 40
    assert found.deliveries == 30 * 40
    assert (found.missed, found.doubled) == (0, 0)
    assert found.resumed > 0
    assert found.p95_ms < 500, "on a machine that does nothing else: see `python -m bench.stream`"

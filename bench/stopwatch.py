"""Measures the time of readings: of all cores together, and by the clock."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from typing import NamedTuple


class Taken(NamedTuple):
    """The time of a reading, in milliseconds."""

    cpu: float
    """Of all cores together."""
    clock: float


class Stopwatch:
    """Tells what was taken since it was asked before."""

    def __init__(self) -> None:
        self._cpu, self._clock = time.process_time(), time.perf_counter()

    def lap(self) -> Taken:
        """Since the last lap, or since the beginning."""
        cpu, clock = time.process_time(), time.perf_counter()
        taken = Taken(1e3 * (cpu - self._cpu), 1e3 * (clock - self._clock))
        self._cpu, self._clock = cpu, clock
        return taken


def as_text(times: Sequence[Taken]) -> str:
    """Returns both times in the median and at most."""
    kinds = zip(("CPU", "by the clock"), zip(*times, strict=True), strict=True)
    return "; ".join(f"{name} median {statistics.median(ms):.0f} ms, longest {max(ms):.0f} ms" for name, ms in kinds)

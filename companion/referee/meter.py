"""Counters of one table's eyes and referee, and its last readings, for fault-finding.

The session manager notes each reading here, without waiting for observers.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Mapping

from msgspec import Struct

BOUNDS_S = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4)
"""Upper ends of the classes of latency."""
READINGS = 50
"""So many readings are remembered."""


class MeteredReading(Struct, frozen=True):
    """A steady reading and its verdict. The pieces are left out: hands may lie in view."""

    at: float
    """Seconds since the epoch."""
    frame: int
    verdict: str
    game: str
    """Id of the game."""
    row: int
    """Number of the last row after it."""
    pieces: int
    """The number of seen pieces."""
    judged_s: float
    """From the reading to the verdict."""
    latency_s: float | None
    """From the picture to the verdict; None where the picture's age is not known."""


class Latency(Struct, frozen=True):
    """A histogram: how many took at most each of `BOUNDS_S`, how many in all, and seconds in all."""

    counts: tuple[int, ...]
    count: int
    total_s: float


class Meter:
    """The numbers of one table. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._verdicts: Counter[str] = Counter()
        self._classes = [0] * (len(BOUNDS_S) + 1)
        self._total_s = 0.0
        self._readings: deque[MeteredReading] = deque(maxlen=READINGS)
        self.serial = 0
        """Rises with every reading."""

    def note(self, reading: MeteredReading) -> None:
        """Count a reading."""
        with self._lock:
            self.serial += 1
            self._verdicts[reading.verdict] += 1
            self._readings.append(reading)
            if reading.latency_s is not None:
                self._classes[bisect_left(BOUNDS_S, reading.latency_s)] += 1
                self._total_s += reading.latency_s

    def verdicts(self) -> Mapping[str, int]:
        """The number of times that each verdict was given."""
        with self._lock:
            return dict(self._verdicts)

    def latency(self) -> Latency:
        """The latency of verdicts, from the picture on."""
        with self._lock:
            counts, so_far = [], 0
            for one in self._classes:
                so_far += one
                counts.append(so_far)
            return Latency(tuple(counts[:-1]), so_far, self._total_s)

    def readings(self) -> tuple[MeteredReading, ...]:
        """The last ones, the newest last."""
        with self._lock:
            return tuple(self._readings)

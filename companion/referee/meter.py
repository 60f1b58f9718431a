"""Counts the readings and verdicts of one table, and keeps the last readings, for troubleshooting.

The session manager notes each reading here; observers read the numbers whenever they like.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Mapping

from msgspec import Struct

BOUNDS_S = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4)
"""The upper bounds of the latency histogram, in seconds."""
READINGS = 50
"""The number of readings that are remembered."""


class MeteredReading(Struct, frozen=True):
    """A steady reading and its verdict, without the pieces, because hands may be in view."""

    at: float
    """The time in seconds since the epoch."""
    frame: int
    verdict: str
    game: str
    """The id of the game."""
    row: int
    """The number of the last row after the reading."""
    pieces: int
    """The number of pieces that were seen."""
    judged_s: float
    """The number of seconds from the reading to the verdict."""
    latency_s: float | None
    """The number of seconds from the picture to the verdict; None if the age of the picture is unknown."""


class Latency(Struct, frozen=True):
    """A latency histogram: the counts up to each bound of `BOUNDS_S`, the number of all readings, and their sum in
    seconds.
    """

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
        """A number that rises with every reading."""

    def note(self, reading: MeteredReading) -> None:
        """Counts a reading."""
        with self._lock:
            self.serial += 1
            self._verdicts[reading.verdict] += 1
            self._readings.append(reading)
            if reading.latency_s is not None:
                self._classes[bisect_left(BOUNDS_S, reading.latency_s)] += 1
                self._total_s += reading.latency_s

    def verdicts(self) -> Mapping[str, int]:
        """Returns how often each verdict was given."""
        with self._lock:
            return dict(self._verdicts)

    def latency(self) -> Latency:
        """Returns the latency of verdicts, measured from the picture."""
        with self._lock:
            counts, so_far = [], 0
            for one in self._classes:
                so_far += one
                counts.append(so_far)
            return Latency(tuple(counts[:-1]), so_far, self._total_s)

    def readings(self) -> tuple[MeteredReading, ...]:
        """Returns the last readings, the newest last."""
        with self._lock:
            return tuple(self._readings)

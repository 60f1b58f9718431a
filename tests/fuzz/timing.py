"""How long something took on a machine that others use too: the time in which it stood in line for a processor is not its own."""

from __future__ import annotations

import time
from pathlib import Path

_LINE = Path("/proc/thread-self/schedstat")
"""Linux tells here how many nanoseconds this thread ran, and for how many it was ready but had to wait."""


def now_s() -> float:
    """Seconds on a clock that stands while this thread waits for a processor; elsewhere than on Linux it never stands."""
    try:
        waited_ns = int(_LINE.read_text().split()[1])
    except OSError:
        waited_ns = 0
    return time.monotonic() - waited_ns / 1e9

"""When the next picture of a recording is due.

Refereeing a recording in the terminal takes pictures as fast as they can be read; showing it on the page takes them
at the times at which they were made.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class CameraPace:
    """A recording's clock: starts with the first picture that is asked for.

    Args:
        realtime: False: every picture is due at once.
        tick: Seconds of a clock that never goes back.
        from_s: Recording time of the first picture that will be asked for.
    """

    def __init__(self, realtime: bool, tick: Callable[[], float] = time.monotonic, *, from_s: float = 0.0) -> None:
        self._realtime = realtime
        self._tick = tick
        self._from_s = from_s
        self._started: float | None = None
        self._stop = threading.Event()

    def wait(self, t_s: float, timeout_s: float) -> bool:
        """Wait until recording time `t_s`, at most `timeout_s`; whether that time has come."""
        if not self._realtime:
            return not self._stop.is_set()
        if self._started is None:
            self._started = self._tick() - self._from_s
        left_s = self._started + t_s - self._tick()
        if left_s > 0:
            self._stop.wait(min(left_s, timeout_s))
        return left_s <= timeout_s and not self._stop.is_set()

    def stop(self) -> None:
        """Cancels the wait and wakes the waiting thread."""
        self._stop.set()

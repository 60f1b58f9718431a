"""Where pictures come from, whatever it is: the one shape that the rest of the house sees.

A live source (camera, stream) gives the newest picture and forgets the others; a recording (film, folder) gives every
picture in order. Both are asked for the next picture and may have none yet.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

from vision.image.picture import Picture

# When the next picture of a recording is due.
#
# Refereeing a recording in the terminal takes pictures as fast as they can be read; showing it on the page takes them
# at the times at which they were made.


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


class Shot(NamedTuple):
    """One picture from a source."""

    number: int
    """1 for the source's first picture, then rising; a live source may leave numbers out."""
    name: str
    """The file name of a picture in a folder; else "picture 12"."""
    t_s: float
    """Seconds since the source's first picture: as recorded for a film, as it came for a camera."""
    at_s: float
    """Seconds since the epoch when it was delivered."""
    gap_s: float
    """Seconds between this picture and the previous one at the source; infinite if unknown."""
    picture: Picture


class Source(Protocol):
    """A camera, film, folder or stream. `next` is for one thread; the rest may be called from any."""

    label: str
    """The name for people: "camera 0", "game.avi"."""
    live: bool
    """True: only the newest picture counts. False: a recording, every picture in order."""
    stills: bool
    """True if each picture is a moment of its own, with unknown events between two of them."""

    def next(self, timeout_s: float) -> Shot | None:
        """The next picture; None if there is none within `timeout_s`, or none any more.

        Raises:
            CameraError: This one picture of a recording cannot be read; the call after it goes on.
        """

    def trouble(self) -> str | None:
        """One sentence while a live source gives no pictures, else None."""

    @property
    def ended(self) -> bool:
        """True if the recording is over, or the source is closed."""

    def close(self) -> None:
        """Let go of device, file, connection and thread. Safe to call twice."""

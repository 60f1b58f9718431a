"""The interface of all sources of pictures.

A live source (camera, stream) gives the newest picture and forgets the others; a recording (film, folder) gives every
picture in order. Both are asked for the next picture and may have none yet.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

from vision.image.picture import Picture

# The time at which the next picture of a recording is delivered.
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
        """Waits until recording time `t_s`, at most `timeout_s`; returns True if that time has come."""
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
    """A picture from a source."""

    number: int
    """The number of the picture, from 1 and rising; a live source may skip numbers."""
    name: str
    """The file name of a picture in a folder; else "picture 12"."""
    t_s: float
    """The number of seconds since the source's first picture, as recorded for a film, by arrival for a camera."""
    at_s: float
    """The time of its delivery in seconds since the epoch."""
    gap_s: float
    """The number of seconds since the previous picture at the source; infinite if unknown."""
    picture: Picture


class Source(Protocol):
    """A camera, film, folder or stream. Only one thread may call `next`; any thread may call the rest."""

    label: str
    """The name for people: "camera 0", "game.avi"."""
    live: bool
    """True if only the newest picture counts; False for a recording, of which every picture counts."""
    stills: bool
    """True if each picture shows a separate moment, with unknown events between two of them."""

    def next(self, timeout_s: float) -> Shot | None:
        """Returns the next picture; None if there is none within `timeout_s`, or after the end.

        Raises:
            CameraError: This one picture of a recording cannot be read; the call after it goes on.
        """

    def trouble(self) -> str | None:
        """Returns a sentence while a live source gives no pictures; None otherwise."""

    @property
    def ended(self) -> bool:
        """True if the recording is over, or the source is closed."""

    def close(self) -> None:
        """Releases device, file, connection and thread. Safe to call twice."""

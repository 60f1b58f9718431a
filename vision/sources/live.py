"""A live source, which keeps the newest picture, notices silence, and recovers by itself.

One thread reads a *tap* (a connection to a camera). A tap that fails, hangs or repeats one picture is closed and a new
one is opened, after growing waits. OpenCV keeps returning the last picture of an unplugged camera, so a picture that
does not change by a single bit does not count: a sensor's noise never repeats.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

import cv2
from msgspec import Struct

from companion.core.foundation.errors import CameraError, UnreadablePicture
from companion.core.protocols.eyes import CameraMode
from vision.image.picture import Picture, decode_picture
from vision.sources.mode import Mode
from vision.sources.source import Shot, Source


class Raw(NamedTuple):
    """One picture of a tap."""

    data: Picture | bytes
    """The pixels, or a JPEG that is decoded only on demand."""
    gap_s: float
    """The number of seconds since the previous picture."""


class Tap(Protocol):
    """A connection to a camera. After an error it is closed and never used again."""

    pushes: bool
    """True if pictures come unasked and must be read from the line."""
    renews_s: float
    """The number of seconds for which it may give the same picture without being frozen."""

    @property
    def mode(self) -> Mode | None:
        """The mode in which the camera was opened; None if there is no choice."""

    def read(self) -> Raw:
        """Returns the newest picture; blocks for a limited time.

        Raises:
            CameraError: No picture came in time, or the connection is gone.
        """

    def close(self) -> None:
        """Releases the camera, even while another thread reads. Safe to call twice."""


class Limits(Struct, frozen=True):
    """The waiting times of a live source, in seconds."""

    opening_s: float = 10.0
    """The time from opening to the first picture; some cameras warm up for seconds."""
    silent_s: float = 2.2
    """The time without a picture after which the connection counts as hanging; half a second later every screen shows
    it.
    """
    frozen_s: float = 2.2
    """The time with an unchanged picture after which it counts as frozen."""
    reopen_frozen_s: float = 2.5
    """The time with an unchanged picture after which the connection is reopened; doubles each time that did not
    help.
    """
    backoff_s: tuple[float, ...] = (0.25, 0.5, 1.0, 2.0)
    """The waits before the first, second, ... attempt to reopen; the last one repeats."""


class Frozen(CameraError):
    """Raised if the camera repeats the same picture."""


REOPEN_FROZEN_MOST_S = 60.0
"""The longest interval in seconds between reopenings of a camera that shows a still on purpose."""
IDLE_S = 0.5
"""The pause in seconds of a polled tap while no picture is wanted."""


class LiveSource:
    """The newest picture of a tap.

    Args:
        label: What a person calls it, for sentences: "camera 0".
        open_tap: Opens a connection, or raises CameraError.
        after: The number of its first picture is one more.
        clock: Seconds since the epoch.
        tick: Seconds of a clock that never goes back.

    Raises:
        CameraError: It cannot be opened, or gives no picture at first.
    """

    live = True
    stills = False

    def __init__(
        self,
        label: str,
        open_tap: Callable[[], Tap],
        *,
        limits: Limits | None = None,
        after: int = 0,
        clock: Callable[[], float] = time.time,
        tick: Callable[[], float] = time.monotonic,
    ) -> None:
        self.label = label
        self._open_tap = open_tap
        self._limits = limits or Limits()
        self._clock = clock
        self._tick = tick
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._wanted = threading.Event()
        self._wanted.set()
        self._shot: Shot | None = None
        self._given = self._number = after
        self._trouble: str | None = None
        self._began_s = self._opened_s = tick()
        self._last: Picture | bytes | None = None
        self._same_since_s = self._began_s
        self._unreadable_since_s: float | None = None
        self._reopen_frozen_s = self._limits.reopen_frozen_s
        self._tap: Tap | None = open_tap()
        self._thread = threading.Thread(target=self._run, name=f"camera {label}", daemon=True)
        self._thread.start()
        with self._changed:
            self._changed.wait_for(lambda: self._shot is not None or self._trouble, self._limits.opening_s)
            shot, why = self._shot, self._trouble
        if shot is None:
            self.close()
            raise CameraError(why or f"The {label} was opened but gives no picture. Unplug it, plug it in, try again.")

    def next(self, timeout_s: float) -> Shot | None:
        """Returns the newest picture that was not delivered yet."""
        self._wanted.set()
        with self._changed:
            self._changed.wait_for(lambda: self._number > self._given or self._closing.is_set(), timeout_s)
            if self._shot is None or self._number <= self._given or self._closing.is_set():
                return None
            self._given = self._number
            return self._shot

    @property
    def mode(self) -> Mode | None:
        """The mode in which the camera was opened; None if there was no choice, or while the camera is gone."""
        tap = self._tap
        return None if tap is None else tap.mode

    def trouble(self) -> str | None:
        """Returns the reason why no new pictures come; None while they come."""
        return self._trouble

    @property
    def ended(self) -> bool:
        """True if the source was closed; a live source does not end otherwise."""
        return self._closing.is_set()

    def close(self) -> None:
        """Stops the thread and releases the camera."""
        self._closing.set()
        self._wanted.set()
        tap = self._tap
        if tap is not None:
            tap.close()
        with self._changed:
            self._changed.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(self._limits.opening_s)

    def _run(self) -> None:
        attempts = 0
        while not self._closing.is_set():
            try:
                if self._tap is None:
                    self._tap = self._open_tap()
                    self._opened_s = self._tick()
                if not self._tap.pushes:
                    self._wanted.wait(IDLE_S)
                attempts = 0 if self._take(self._tap.read(), self._tap.renews_s) else attempts
            except CameraError as error:
                self._say(str(error))
                if not isinstance(error, Frozen):
                    self._last = None
                if self._tap is not None:
                    self._tap.close()
                    self._tap = None
                waits = self._limits.backoff_s
                self._closing.wait(waits[min(attempts, len(waits) - 1)])
                attempts += 1
        if self._tap is not None:
            self._tap.close()

    def _take(self, raw: Raw, renews_s: float) -> bool:
        """Keeps a picture if it is a new one; returns True if it was.

        Args:
            renews_s: The tap's `renews_s`.

        Raises:
            CameraError: The picture has not changed, or none could be decoded, for too long.
        """
        now = self._tick()
        # An unreadable picture does not count as frozen: its kind is the cause to report.
        read = self._unreadable_since_s is None
        if read and self._last is not None and _same(raw.data, self._last):
            same_s = now - self._same_since_s
            if same_s >= max(self._limits.frozen_s, renews_s):
                sentence = (
                    f"The {self.label} has sent one and the same picture for {same_s:.1f} s. "
                    "Unless it shows a still on purpose, plug it in again."
                )
                if now - max(self._opened_s, self._same_since_s) >= self._reopen_frozen_s:
                    self._reopen_frozen_s = min(2 * self._reopen_frozen_s, REOPEN_FROZEN_MOST_S)
                    raise Frozen(sentence)
                self._say(sentence)
                return False
        else:
            self._same_since_s = now
            self._reopen_frozen_s = self._limits.reopen_frozen_s
        self._last = raw.data
        if not self._wanted.is_set() and self._shot is not None:
            return True
        try:
            picture = decode_picture(raw.data) if isinstance(raw.data, bytes) else raw.data
        except UnreadablePicture as error:
            self._unreadable_since_s = self._unreadable_since_s or now
            if now - self._unreadable_since_s < self._limits.silent_s:
                return False
            self._unreadable_since_s = None
            raise CameraError(f"The {self.label} sends pictures that cannot be read: {error}") from error
        self._unreadable_since_s = None
        self._wanted.clear()
        with self._changed:
            self._number += 1
            name = f"picture {self._number}"
            self._shot = Shot(self._number, name, now - self._began_s, self._clock(), raw.gap_s, picture)
            self._trouble = None
            self._changed.notify_all()
        return True

    def _say(self, sentence: str) -> None:
        with self._changed:
            self._trouble = sentence
            self._changed.notify_all()


def mode_of(source: Source) -> CameraMode | None:
    """Returns the mode in which a source's camera was opened; None if there was no choice."""
    mode = source.mode if isinstance(source, LiveSource) else None
    return None if mode is None else CameraMode(mode.sentence(source.label), mode.enough)


def _same(one: Picture | bytes, other: Picture | bytes) -> bool:
    """True if two pictures are equal in every bit."""
    if isinstance(one, bytes) or isinstance(other, bytes):
        return isinstance(one, bytes) and isinstance(other, bytes) and one == other
    return one.shape == other.shape and cv2.norm(one, other, cv2.NORM_INF) == 0

"""Watches one table: takes pictures, delivers readings, and describes the state in a sentence at every moment.

One thread takes pictures from a source, asks the gate which of them are steady, reads those and passes the readings on.
The page asks from other threads for the newest picture (encoded once for all viewers), for the outlines of the last
reading, and for the state.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import Protocol

import cv2
import numpy as np
from msgspec import structs

from companion.core.foundation.errors import CameraError, CompanionError, SeeError
from companion.core.layout import Layout
from companion.core.plan import Plan, Point
from companion.core.protocols.eyes import EyesState, EyesStatus, Frame, Overlay, OverlayMark
from vision.gate.change import Map
from vision.gate.moments import AGAIN_S, Moment, SteadyTables, aim, moments, second_look
from vision.gate.pushed_camera import PushedCamera
from vision.gate.steadiness import Gate, Report
from vision.image.picture import Picture
from vision.sources.live import mode_of
from vision.sources.source import Shot, Source

_STEP_PX = 16
_SHARE = 99.0
"""The percentile of pixels that counts as the brightest, so that a lit diode or a hot pixel does not matter."""
_LEAST = 24
"""The level of 255 that the brightest channel of the brightest pixels must reach; white markers are the brightest."""


def is_dark(picture: Picture) -> bool:
    """Returns true if a picture (H, W, 3) BGR is too dark to read."""
    return float(np.percentile(picture[::_STEP_PX, ::_STEP_PX].max(axis=2), _SHARE)) < _LEAST


__all__ = ["Moment", "SteadyReader", "TableReading", "Watcher", "moments", "second_look"]

Corners = tuple[Point, Point, Point, Point]

ASK_S = 0.2
"""The number of seconds of one wait for a picture, after which the watcher reacts to requests and to its closing."""
FRAME_S = 1 / 15
"""The least number of seconds between requests to a live source."""
RETRY_S = 2.0
"""The number of seconds after which a steady picture without a table is followed by another try."""
MOVED = (
    "The camera or the mat was moved: the markers lie elsewhere in the picture. Let both rest; the table is found anew "
    "within ten seconds. The game waits."
)
JPEG_QUALITY = 80
DARK = "Nothing can be seen: the picture is dark. Take the cap off the lens or switch on the light. The game waits."
PAGE_WIDTH_PX = 1920
"""The largest width in pixels of pictures for the page; overlays name the size that their pixels refer to."""


class TableReading(Protocol):
    """The part of `vision.table_reader.Reading` that is used here."""

    @property
    def layout(self) -> Layout: ...
    @property
    def marks(self) -> tuple[OverlayMark, ...]: ...
    @property
    def markers(self) -> tuple[int, ...]: ...
    @property
    def corners_px(self) -> Corners: ...
    @property
    def zones_px(self) -> tuple[tuple[Point, ...], ...]: ...


class SteadyReader(Protocol):
    """The part of `vision.table_reader.TableReader` that is used here. Only the watcher's thread calls it."""

    @property
    def plan(self) -> Plan: ...

    def read(self, picture: Picture) -> TableReading:
        """Reads a steady picture; raises `SeeError` (`NoTable`, `NoBoard`)."""

    def read_again(self, picture: Picture) -> TableReading:
        """Returns a further look at the table that was read last; raises as `read` does."""

    def set_corners(self, corners_px: Corners | None) -> None:
        """Uses these corners; None searches the markers again."""

    def set_covered(self, covered: Map | None) -> None:
        """Sets the part that something covers in the pictures from now on; None: none."""

    def set_stirred(self, stirred: Map) -> None:
        """Sets how often something was over each part of the table since the last steady picture."""

    def confirm_position(self, position: Layout) -> None:
        """Confirms that the last reading shows the game's position."""


class _Page:
    """A picture for the page, encoded once for all viewers when the first one asks."""

    def __init__(self, shot: Shot) -> None:
        self.shot = shot
        self._lock = threading.Lock()
        self._frame: Frame | None = None

    def frame(self) -> Frame:
        with self._lock:
            if self._frame is None:
                picture = self.shot.picture
                if picture.shape[1] > PAGE_WIDTH_PX:
                    height = round(picture.shape[0] * PAGE_WIDTH_PX / picture.shape[1])
                    picture = np.asarray(cv2.resize(picture, (PAGE_WIDTH_PX, height)), dtype=np.uint8)
                _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
                self._frame = Frame(self.shot.number, data.tobytes(), self.shot.at_s)
            return self._frame


class Watcher:
    """Watches one table; implements `companion.core.protocols.eyes.Eyes`.

    Args:
        source: The source of pictures; the watcher closes it.
        reader: Reads one steady picture.
        see: Gets each reading with the number of its picture. It may call `look_again`.
        gate: None: one that fits the source.
        clock: Seconds since the epoch.
        tick: Seconds of a clock that never goes back.
    """

    def __init__(
        self,
        source: Source,
        reader: SteadyReader,
        see: Callable[[Layout, int], object],
        *,
        gate: Gate | None = None,
        clock: Callable[[], float] = time.time,
        tick: Callable[[], float] = time.monotonic,
    ) -> None:
        self._source = source
        self._reader = reader
        self._see = see
        self._tables = SteadyTables(source, gate)
        self._gate = self._tables.gate
        self._clock = clock
        self._tick = tick
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._page: _Page | None = None
        self._overlay: Overlay | None = None
        self._state: EyesState = "opening"
        self._text = f"Waiting for the first picture of the {source.label}."
        self._fault: str | None = None
        self._markers: tuple[int, ...] = ()
        self._corners_px: Corners | None = None
        self._new_corners: tuple[Corners | None] | None = None
        self._clicked = self._misplaced = False
        self._again = False
        self._lost = 0
        self._moved_on_s: float | None = tick()
        self._read_s = -math.inf
        self._pushed = PushedCamera(tick)
        self._thread = threading.Thread(target=self._run, name=f"watch {source.label}", daemon=True)
        self._thread.start()

    def busy_s(self) -> float:
        """Returns the number of seconds that the thread has spent on its present task: a long time means that it
        hangs.
        """
        since_s = self._moved_on_s
        return 0.0 if since_s is None else self._tick() - since_s

    def frame(self, after: int, timeout_s: float) -> Frame | None:
        """Returns the newest picture with a number above `after`; waits up to `timeout_s`, then None."""
        with self._changed:
            self._changed.wait_for(lambda: self._closing.is_set() or self._newest() > after, timeout_s)
            page = self._page
        return page.frame() if page is not None and page.shot.number > after else None

    def shot(self, after: int, timeout_s: float) -> Shot | None:
        """Does the same as `frame`, but returns the camera's own pixels."""
        with self._changed:
            self._changed.wait_for(lambda: self._closing.is_set() or self._newest() > after, timeout_s)
            page = self._page
        return page.shot if page is not None and page.shot.number > after else None

    def overlay(self) -> Overlay | None:
        """Returns the marks of the last reading."""
        return self._overlay

    def status(self) -> EyesStatus:
        """Returns the current status."""
        trouble = self._source.trouble()
        with self._changed:
            page, state, text = self._page, self._state, self._fault or self._text
        shot = page.shot if page is not None else None
        age_s = self._clock() - shot.at_s if shot is not None else None
        if trouble is not None and not self._closing.is_set():
            told = [trouble, "The game waits; it goes on by itself."]
            if age_s is None:
                told.insert(1, "No picture has come yet.")
            elif age_s >= 1:  # otherwise the camera has just gone, or repeats one picture
                told.insert(1, f"The last picture is {age_s:.0f} s old.")
            return self._status("lost", " ".join(told), shot, age_s)
        return self._status(state, text, shot, age_s)

    def set_corners(self, corners_px: Corners | None) -> None:
        """Uses clicked corners instead of markers and reads the table again; None goes back to markers."""
        with self._changed:
            self._new_corners = (corners_px,)
            self._again = True
            self._changed.notify_all()

    def look_again(self) -> None:
        """Reads the next steady picture even if nothing moved; if there is only one picture, reads it again."""
        with self._changed:
            self._again = True
            self._changed.notify_all()

    def confirm_position(self, position: Layout) -> None:
        """Confirms that the present reading shows the game's position, so that later rolls are new ones."""
        if self._thread is threading.current_thread():
            self._reader.confirm_position(position)

    def close(self) -> None:
        """Releases the camera and ends the threads."""
        self._closing.set()
        with self._changed:
            self._changed.notify_all()
        self._source.close()
        if self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        """Runs the thread until the watcher is closed; an internal error is printed, and the page shows a sentence."""
        try:
            self._watch()
        finally:
            if not self._closing.is_set():
                self._say("ended", "Reading stopped by a fault in the program. Start the companion again.")

    def _watch(self) -> None:
        """Processes one picture after the other."""
        while not self._closing.is_set():
            self._moved_on_s = began_s = self._tick()
            self._apply_corners()
            self._answer_requests()
            try:
                shot = self._source.next(ASK_S)
            except CameraError as error:
                self._fault = str(error)
                continue
            if shot is not None:
                self._take(shot)
            elif self._source.ended:
                self._rest()
            if self._source.live:
                self._closing.wait(max(0.0, FRAME_S - (self._tick() - began_s)))

    def _take(self, shot: Shot) -> None:
        """Shows a picture, judges it, and reads it if it is steady."""
        with self._changed:
            if self._page is not None and self._source.live:
                self._lost += max(0, shot.number - self._page.shot.number - 1)
            self._page, self._fault = _Page(shot), None
            self._changed.notify_all()
        if is_dark(shot.picture):
            self._say("dark", DARK)
            return
        if self._state == "dark":
            self._gate.look_again()
        report, look = self._tables.add(shot)
        self._pushed.follow(shot, report, None if self._clicked else self._corners_px)
        if report.bumped:
            self._bumped()
        if look is None:
            self._describe(report)
            return
        self._reader.set_covered(look.covered)
        if look.stirred is not None:
            self._reader.set_stirred(look.stirred)
        self._read(look)

    def _describe(self, report: Report) -> None:
        """Describes the situation in a picture that is not read."""
        if report.hand and self._pushed.suspected:
            self._say("no-table", MOVED)
        elif report.hand:
            self._say("moving", "A hand is in view; reading goes on when it is out of the picture.")
        elif report.state in ("moving", "settling"):
            self._say("moving", "Something moves; reading goes on when the table is quiet.")
        elif self._state in ("moving", "dark") or self._text == MOVED:
            self._say("looking", "Looking at the table.")

    def _bumped(self) -> None:
        """Reacts to a moved camera: the markers are searched again, and clicked corners are dropped."""
        self._reader.set_corners(None)
        self._misplaced, self._clicked = self._clicked, False
        self._corners_px = None

    def _read(self, look: Moment) -> None:
        """Reads a steady picture and passes the reading on."""
        picture, again = look.picture, look.look > 0
        if self._state != "no-table":  # otherwise each try would report it as seen
            self._say("reading", "Reading the table.")
        self._read_s = self._tick()
        try:
            reading = self._reader.read_again(picture) if again else self._reader.read(picture)
        except SeeError as error:
            self._markers = ()
            why = "The camera was moved, so the corners that were set no longer fit. " if self._misplaced else ""
            hint = "" if self._clicked else " Or set the corners by hand."
            self._say("no-table", f"{why}{error}{hint}")
            return
        size_px = (picture.shape[1], picture.shape[0])
        overlay = Overlay(look.number, size_px, tuple(reading.marks))
        with self._changed:
            self._overlay, self._markers, self._corners_px = overlay, reading.markers, reading.corners_px
            self._changed.notify_all()
        aim(self._gate, reading, self._reader.plan)
        self._say("looking", "Looking at the table.")
        try:
            self._see(structs.replace(reading.layout, again=again), look.number)
        except CompanionError as error:
            self._say("looking", f"The table was read, but the game could not take it in: {error}")

    def _answer_requests(self) -> None:
        """Reads again if somebody asked, or if the table was not found a while ago."""
        waited_s = self._tick() - self._read_s
        if self._state == "no-table" and waited_s >= RETRY_S and not self._tables.alone:
            self._gate.look_again()
            self._read_s = self._tick()
        if not self._tables.alone and not self._source.ended:
            if self._again and waited_s >= AGAIN_S:
                self._again = False
                self._tables.look_again()
            return
        while self._again and not self._closing.is_set():
            self._again = False
            look = self._tables.sampled_anew()
            if look is None:
                return
            self._read(look)

    def _apply_corners(self) -> None:
        """Passes new corners to the reader, in the thread that reads."""
        with self._changed:
            new, self._new_corners = self._new_corners, None
        if new is not None:
            self._reader.set_corners(new[0])
            self._clicked, self._misplaced = new[0] is not None, False
            self._tables.read_afresh()

    def _rest(self) -> None:
        """Waits after the end of a recording for a request or for closing."""
        self._say("ended", f"The recording {self._source.label} is over. From now on, enter on this page what happens.")
        self._moved_on_s = None
        with self._changed:
            self._changed.wait_for(lambda: self._closing.is_set() or self._again)

    def _say(self, state: EyesState, text: str) -> None:
        with self._changed:
            self._state, self._text = state, text
            self._changed.notify_all()

    def _status(self, state: EyesState, text: str, shot: Shot | None, age_s: float | None) -> EyesStatus:
        """Returns a status with the other known values."""
        size_px = (shot.picture.shape[1], shot.picture.shape[0]) if shot is not None else None
        number = shot.number if shot is not None else 0
        mode = mode_of(self._source)
        return EyesStatus(state, text, number, age_s, self._markers, self._corners_px, size_px, mode, lost=self._lost)

    def _newest(self) -> int:
        return self._page.shot.number if self._page is not None else -1

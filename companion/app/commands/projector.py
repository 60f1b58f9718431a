"""Showing a recording on the page: at its pace, with pauses, picture by picture, from the start again.

It waits at an illegal move: a recording goes on whether or not anybody has read why the move is illegal, and its next
picture often shows the piece taken back.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.commands.runtime import Runtime
from companion.core.protocols.playback import PlaybackStatus
from companion.core.recording import Recording
from companion.core.verdict import Refused

if TYPE_CHECKING:
    from companion.referee.table.table import Table
    from vision.sources.folder import FolderSource
    from vision.sources.source import Shot


class RecordingProjector:
    """Shows the pictures of a folder; implements `companion.core.protocols.playback.Playback`.

    :param title: the title for people.
    :param pace_s: seconds from one picture to the next.
    :param tick: seconds of a clock that never goes back.
    """

    def __init__(
        self,
        runtime: Runtime,
        title: str,
        folder: Path,
        game: str,
        recording: Recording,
        pace_s: float,
        *,
        tick: Callable[[], float] = time.monotonic,
    ) -> None:
        self._runtime = runtime
        self._title = title
        self._folder = folder
        self._game = game
        self._recording = recording
        self._pace_s = pace_s
        self._tick = tick
        self._changed = threading.Condition()
        self._beginning = threading.Lock()
        self._paused = False
        self._stepping = False
        self._detached = False
        self._read = 0
        """Number of the alert that was read."""
        self._before: Table | None = None
        """The game of the showing before."""
        self._due_s = 0.0
        self._reel: _Reel | None = None
        self._begin()

    def status(self) -> PlaybackStatus:
        """The progress in words."""
        reel = self._reel
        number, total = (0, 0) if reel is None else (reel.shown, reel.source.total)
        if reel is not None and reel.ended:
            text = (
                f"The demo is over: all {total} pictures were refereed. Start it again, or set up a game of your own."
            )
            return PlaybackStatus("over", text, number, total)
        far = f"picture {number} of {total}"
        if self._waits():
            return PlaybackStatus("waiting", f"The demo, {far}, waits here until you have read why.", number, total)
        text = f"Demo: {self._title}. A recorded game, refereed as if a camera saw it, {far}."
        return PlaybackStatus("paused" if self._paused else "playing", text, number, total)

    def play(self) -> None:
        """Go on, also past an illegal move at which it waits."""
        alert = self._alert()
        with self._changed:
            self._paused, self._read = False, alert or self._read
            self._changed.notify_all()

    def pause(self) -> None:
        """Hold until `play` or `step`."""
        with self._changed:
            self._paused = True
            self._changed.notify_all()

    def step(self) -> None:
        """Show the next picture and hold there."""
        with self._changed:
            self._paused = self._stepping = True
            self._changed.notify_all()

    def restart(self) -> None:
        """Begin again with the first picture and a new game; without effect once the recording is detached."""
        with self._beginning:
            if self._detached:
                return
            self._runtime.sessions.eyes.close()
            self._runtime.sessions.set_plan(self._recording.plan)
            self._begin()

    def detach(self) -> None:
        """Take the recorded eyes away for good."""
        with self._beginning:
            self._detached = True
            self._runtime.watch_nothing()

    def wait(self, reel: _Reel, timeout_s: float) -> bool:
        """Wait until the next picture is due, at most `timeout_s`; whether it is."""
        end_s = self._tick() + timeout_s
        while not reel.closed and (now_s := self._tick()) < end_s:
            holds = self._paused or self._waits()
            with self._changed:
                if self._stepping or (not holds and now_s >= self._due_s):
                    self._stepping = False
                    self._due_s = now_s + self._pace_s
                    return True
                self._changed.wait(end_s - now_s if holds else min(end_s, self._due_s) - now_s)
        return False

    def wake(self) -> None:
        """Ends the wait for pictures after a reel was closed."""
        with self._changed:
            self._changed.notify_all()

    def _begin(self) -> None:
        from vision.sources.folder import FolderSource

        self._before = self._runtime.sessions.table
        self._paused = self._stepping = False
        self._read, self._due_s = 0, 0.0
        self._reel = _Reel(FolderSource(self._folder, pace_s=self._pace_s), self)
        self._runtime.watch(self._reel, self._game, self._recording)

    def _alert(self) -> int | None:
        """Number of the illegal move that is open in this showing's game."""
        table = self._runtime.sessions.table
        alert = None if table is None or table is self._before else table.session.alert
        return alert.number if alert is not None and isinstance(alert.verdict, Refused) else None

    def _waits(self) -> bool:
        alert = self._alert()
        return alert is not None and alert != self._read


class _Reel:
    """A folder's pictures, given when the projector says so; a `vision.sources.source.Source`."""

    live = False

    def __init__(self, source: FolderSource, projector: RecordingProjector) -> None:
        self.source = source
        self.label = source.label
        self.stills = source.stills
        self.shown = 0
        self.closed = False
        self._projector = projector

    def next(self, timeout_s: float) -> Shot | None:
        """The next picture, when it is due."""
        if self.ended or not self._projector.wait(self, timeout_s):
            return None
        self.shown += 1
        return self.source.next(timeout_s)

    def trouble(self) -> str | None:
        """As the folder's."""
        return self.source.trouble()

    @property
    def ended(self) -> bool:
        """True if all were shown."""
        return self.source.ended

    def close(self) -> None:
        """Show no more."""
        self.closed = True
        self.source.close()
        self._projector.wake()

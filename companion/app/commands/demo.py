"""`companion demo`: a recorded game with the real reader, rules, journal and page, without camera and devices."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from companion.app.commands.address import PORT
from companion.app.commands.devices import LightStrip, TableDevices
from companion.app.commands.options import ADDRESS, PATH
from companion.app.commands.runtime import Runtime, show
from companion.app.commands.watch import RecordingReferee, refereed
from companion.app.demos import DEFAULT, Demo, demo_names, load_demo
from companion.core.foundation.errors import CompanionError
from companion.core.foundation.secrecy import SecretAddress
from companion.core.protocols.eyes import PlaybackStatus
from companion.core.recording import Recording
from companion.core.verdict import Refused
from companion.games import GAMES, RECORDED
from companion.referee.journal import Journal
from companion.referee.journal.record import replay
from web.http.settings import WebSettings

if TYPE_CHECKING:
    from companion.referee.table.table import Table
    from vision.sources.folder import FolderSource
    from vision.sources.source import Shot


# Shows a recording on the page: at its own pace, with pauses, picture by picture, or again from the start.
#
# It waits at an illegal move, because otherwise the next picture often shows the piece taken back before anybody has
# read why the move is illegal.


class RecordingProjector:
    """Shows the pictures of a folder; it implements `companion.core.protocols.eyes.Playback`.

    Args:
        title: The displayed title.
        pace_s: The number of seconds from one picture to the next.
        tick: Returns the time in seconds of a clock that never goes back.
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
        """The number of the last alert that people have read."""
        self._before: Table | None = None
        """The game of the previous showing."""
        self._due_s = 0.0
        self._reel: _Reel | None = None
        self._begin()

    def status(self) -> PlaybackStatus:
        """Returns the progress in words."""
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
        """Goes on, also past an illegal move at which the showing waits."""
        alert = self._alert()
        with self._changed:
            self._paused, self._read = False, alert or self._read
            self._changed.notify_all()

    def pause(self) -> None:
        """Pauses until `play` or `step`."""
        with self._changed:
            self._paused = True
            self._changed.notify_all()

    def step(self) -> None:
        """Shows the next picture and pauses there."""
        with self._changed:
            self._paused = self._stepping = True
            self._changed.notify_all()

    def restart(self) -> None:
        """Starts again with the first picture and a new game; it has no effect once the recording is detached."""
        with self._beginning:
            if self._detached:
                return
            self._runtime.sessions.eyes.close()
            self._runtime.sessions.set_plan(self._recording.plan)
            self._begin()

    def detach(self) -> None:
        """Stops showing the recording for good."""
        with self._beginning:
            self._detached = True
            self._runtime.watch_nothing()

    def wait(self, reel: _Reel, timeout_s: float) -> bool:
        """Waits until the next picture is due, but at most `timeout_s`; returns true if it is due."""
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
        """Returns the number of the open illegal move in this showing's game; None if there is none."""
        table = self._runtime.sessions.table
        alert = None if table is None or table is self._before else table.session.alert
        return alert.number if alert is not None and isinstance(alert.verdict, Refused) else None

    def _waits(self) -> bool:
        alert = self._alert()
        return alert is not None and alert != self._read


class _Reel:
    """The pictures of a folder, shown at the projector's pace; a `vision.sources.source.Source`."""

    live = False

    def __init__(self, source: FolderSource, projector: RecordingProjector) -> None:
        self.source = source
        self.label = source.label
        self.stills = source.stills
        self.shown = 0
        self.closed = False
        self._projector = projector

    def next(self, timeout_s: float) -> Shot | None:
        """Returns the next picture when it is due."""
        if self.ended or not self._projector.wait(self, timeout_s):
            return None
        self.shown += 1
        return self.source.next(timeout_s)

    def trouble(self) -> str | None:
        """Returns the trouble of the folder."""
        return self.source.trouble()

    @property
    def ended(self) -> bool:
        """True if all pictures were shown."""
        return self.source.ended

    def close(self) -> None:
        """Stops showing pictures."""
        self.closed = True
        self.source.close()
        self._projector.wake()


PACE_S = 2.0
"""The number of seconds from one picture to the next on the page, enough to read the message of the referee."""


@click.command(
    "demo",
    short_help="Referee a bundled recorded game, on the page or headless.",
    help="Referee a recorded game that comes with the project.\n\n\b\n"
    f"NAME is one of {', '.join(demo_names())}; {DEFAULT} if it is left out.",
)
@click.argument("name", default=DEFAULT)
@click.option("--headless", is_flag=True, help="Run it to the end in the terminal, print the verdicts and exit.")
@click.option(
    "--pace",
    "pace_s",
    type=click.FloatRange(0.3, 60),
    default=PACE_S,
    show_default=True,
    help="Seconds for each picture.",
)
@click.option(
    "--leds", type=ADDRESS, metavar="PORT", help="Let an LED board follow: a port, paired, simulated or wled:HOST."
)
@click.option("--lights", "lights_path", type=PATH, metavar="FILE", help="Places of the lights (JSON).")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="H", help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, metavar="P")
def demo_command(
    name: str, headless: bool, pace_s: float, leds: SecretAddress | None, lights_path: Path | None, host: str, port: int
) -> None:
    """Referee a recorded game that comes with the project."""
    demo, folder = load_demo(name)
    strip = LightStrip.load(lights_path, demo.game)
    recording = replace(RECORDED[demo.game](demo.mat, demo.setup), names=demo.names)
    with TemporaryDirectory(prefix="companion-demo-") as kept:
        journal = Path(kept) / "journal.sqlite"
        if headless:
            sys.exit(_headless(demo, recording, folder, journal))
        with Runtime(journal, recording.plan) as runtime, TableDevices(runtime.sessions) as devices:
            runtime.sessions.playback = RecordingProjector(runtime, demo.title, folder, demo.game, recording, pace_s)
            if leds is not None:
                devices.add_lights(leds, strip)
            click.echo(f"{demo.title}: a recorded game, refereed as it goes.")
            show(runtime.sessions, host, port, WebSettings(host=host))


def _headless(demo: Demo, recording: Recording, folder: Path, path: Path) -> int:
    """Referees to the end, prints the messages, and checks the journal; returns the exit status."""
    from vision.sources.folder import FolderSource

    journal = Journal.open(path)
    failed = 0

    def broken(error: CompanionError, name: str) -> None:
        nonlocal failed
        failed = 1
        click.echo(f"{name}: {error}" if name else str(error), err=True)

    try:
        referee = RecordingReferee(demo.game, recording, journal)
        click.echo(f"{demo.title}: {' and '.join(demo.names)}")
        for moment, told in refereed(FolderSource(folder), referee, broken):
            click.echo(f"{moment.name}  {told.text}")
        table = referee.table
        totals = ", ".join(
            f"{who} {score.total}" for who, score in zip(table.session.names, table.session.state.scores(), strict=True)
        )
        click.echo(f"Score: {totals}")
        replayed = replay(GAMES[demo.game], table.session.header, journal.rows(table.session.header.id))
        if replayed.change is not None:
            failed = 1
            click.echo(replayed.change.sentence, err=True)
        else:
            click.echo(f"Journal: {len(replayed.rows)} rows, chain and replay agree.")
    finally:
        journal.close()
    return failed

"""`companion demo`: a recorded game through real reading, rules, journal and page; no camera, no device."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from msgspec.structs import replace

from companion.app.commands.address import PORT
from companion.app.commands.devices import LightStrip, TableDevices
from companion.app.commands.options import ADDRESS, PATH
from companion.app.commands.projector import RecordingProjector
from companion.app.commands.runtime import Runtime, show
from companion.app.commands.watch import RecordingReferee
from companion.app.demos import DEFAULT, Demo, demo_names, load_demo
from companion.core.foundation.errors import SeeError
from companion.core.foundation.secrecy import SecretAddress
from companion.core.recording import Recording
from companion.games import GAMES, RECORDED
from companion.referee.journal import Journal
from companion.referee.journal.replay import replay
from web.http.settings import WebSettings

PACE_S = 2.0
"""Seconds from one picture to the next on the page: time to read what the referee says."""


@click.command(
    "demo",
    short_help="Referee a bundled recorded game, on the page or headless.",
    help="Referee a recorded game that comes with the project.\n\n\b\n"
    f"NAME is one of {', '.join(demo_names())}; {DEFAULT} if it is left out.",
)
@click.argument("name", default=DEFAULT)
@click.option("--headless", is_flag=True, help="Run it to the end in the terminal, print the verdicts and exit.")
@click.option(
    "--pace", "pace_s", type=click.FloatRange(0.3, 60), default=PACE_S, show_default=True, help="Seconds a picture."
)
@click.option(
    "--leds", type=ADDRESS, metavar="PORT", help="Let an LED board follow: a port, paired, simulated or wled:HOST."
)
@click.option("--lights", "lights_path", type=PATH, metavar="FILE", help="Which lights stand where (JSON).")
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
    """Referee to the end, print what there is to say, check the journal; the exit status."""
    from vision.gate.moments import moments
    from vision.sources.folder import FolderSource

    journal = Journal.open(path)
    failed = 0
    try:
        referee = RecordingReferee(demo.game, recording, journal)
        click.echo(f"{demo.title}: {' and '.join(demo.names)}")
        for moment in moments(FolderSource(folder)):
            try:
                for told in referee.look(moment.picture, moment.number):
                    click.echo(f"{moment.name}  {told.text}")
            except SeeError as error:
                failed = 1
                click.echo(f"{moment.name}: {error}", err=True)
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

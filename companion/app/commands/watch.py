"""`companion watch`: referees a recording or a stream in the terminal, one line for each verdict."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click
from msgspec import structs

from companion.app.commands.calibrate import known_table
from companion.app.commands.options import ADDRESS, PATH, calibration_option
from companion.app.commands.recording_starter import RecordingStarter, TranscriptPlayer
from companion.core.contract import Event
from companion.core.foundation.errors import CameraError, CompanionError, SeeError, WrongUsage
from companion.core.foundation.secrecy import SecretAddress
from companion.core.layout import Layout
from companion.core.plan import Plan
from companion.core.protocols.eyes import NoEyes
from companion.core.recording import Recording, load_recording_file
from companion.core.verdict import Accepted, Pending, Same, Verdict
from companion.games import GAMES, RECORDED
from companion.referee.journal import Journal
from companion.referee.matching import match
from companion.referee.session_manager import SessionManager
from companion.referee.table.reading_debouncer import LOOKING
from companion.referee.table.table import Table
from companion.referee.telling import ToldVerdict, revised, tell

if TYPE_CHECKING:
    from vision.calibration.calibration import Calibration
    from vision.gate.change import Map
    from vision.gate.moments import Moment
    from vision.image.picture import Picture
    from vision.sources.source import Source
    from vision.table_reader import Reading, TableReader


class _ReadAgain(NoEyes):
    """Remembers that the table asked for another look, and notifies the reader when the table agreed."""

    def __init__(self, reader: TableReader) -> None:
        self.asked = False
        self._reader = reader

    def look_again(self) -> None:
        self.asked = True

    def confirm_position(self, position: Layout) -> None:
        self._reader.confirm_position(position)


@click.command("watch", short_help="Referee a recording or a stream in the terminal.")
@click.argument("source", type=ADDRESS)
@click.option("--game", required=True, metavar="GAME", help="Name of the game: see `companion games`.")
@click.option("--setup", "setup_path", type=PATH, required=True, metavar="FILE", help='JSON with "mat" and "setup".')
@calibration_option
@click.option("--journal", "journal_path", type=PATH, metavar="FILE", help="Keep the journal in this file.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each verdict.")
def watch_command(
    source: SecretAddress,
    game: str,
    setup_path: Path,
    calibration_path: Path | None,
    journal_path: Path | None,
    as_json: bool,
) -> None:
    """Referee SOURCE: a folder of pictures, a video file, a camera index or device, or an http or rtsp stream.

    Exit status 0: the recording was refereed to its end; 1: a picture could not be read; 2: wrong usage.
    """
    if game not in GAMES or game not in RECORDED:
        raise WrongUsage(f'"{game}" cannot be refereed from pictures. Choose one of: {", ".join(RECORDED)}.')
    file = load_recording_file(setup_path)
    recording = RECORDED[game](file.mat, file.setup)
    calibration = known_table(calibration_path, recording.plan.mat)
    with TemporaryDirectory(prefix="companion-") as folder:
        journal = Journal.open(journal_path or Path(folder) / "journal.sqlite")
        try:
            failed = _watch(source, game, recording, journal, as_json, calibration)
        finally:
            journal.close()
    if failed:
        sys.exit(1)


def _watch(
    source: SecretAddress,
    game: str,
    recording: Recording,
    journal: Journal,
    as_json: bool,
    calibration: Calibration | None = None,
) -> bool:
    """Referees to the end; returns true if a picture could not be read."""
    from vision.sources.opening import open_source
    from vision.table_reader import TableReader

    failed: list[str] = []

    def broken(error: CompanionError, name: str = "") -> None:
        failed.append(name)
        click.echo(f"companion watch: {f'{name}: ' if name else ''}{error}", err=True)

    pictures = open_source(source, realtime=False)
    names: dict[int, str] = {}
    try:
        referee = RecordingReferee(game, recording, journal, reader=TableReader(recording.plan, calibration))
        for moment, told in refereed(pictures, referee, broken):
            names[moment.number] = moment.name
            click.echo(_line(moment.name, moment.t_s, told, names) if as_json else f"{moment.name}  {told.text}")
    except CameraError as error:
        broken(error)
    finally:
        _progress("")
        pictures.close()
    return bool(failed)


def refereed(
    pictures: Source, referee: RecordingReferee, broken: Callable[[CompanionError, str], None]
) -> Iterator[tuple[Moment, ToldVerdict]]:
    """Yields the verdicts on a source's pictures, each with the first look at its table.

    Args:
        broken: A function that is called for a picture that cannot be read, with its name if it has one.

    Raises:
        CameraError: The source delivers no more pictures.
    """
    from vision.gate.moments import aim, moments
    from vision.gate.steadiness import Gate

    first: Moment | None = None
    gate = Gate.for_source(pictures)
    for moment in moments(pictures, gate, again=referee.wants_look, broken=lambda error: broken(error, "")):
        if first is None or moment.look == 0:
            first = moment
        _progress(f"{moment.name}, {moment.t_s:.0f} s")
        try:
            told = referee.take(
                moment.picture, first.number, again=moment.look > 0, covered=moment.covered, stirred=moment.stirred
            )
            if referee.reading is not None:
                aim(gate, referee.reading, referee.plan)
            for one in told:
                yield first, one
        except SeeError as error:
            broken(error, moment.name)


def _progress(text: str) -> None:
    """Shows the progress on a terminal; the next line overwrites it."""
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[2K{text}\r", nl=False, err=True)


class RecordingReferee:
    """A session manager with a reader, for pictures that come one by one without a page."""

    def __init__(
        self,
        game: str,
        recording: Recording,
        journal: Journal,
        judge: Callable[..., Verdict] = match,
        reader: TableReader | None = None,
    ) -> None:
        """
        Args:
            judge: `match`, or another function for comparison.
            reader: The reader; None: one that reads pictures by the recording's plan.
        """
        if reader is None:
            from vision.table_reader import TableReader

            reader = TableReader(recording.plan)
        self._again = _ReadAgain(reader)
        self.sessions = SessionManager(
            journal, GAMES, recording.plan, eyes=self._again, use_plan=reader.set_plan, judge=judge, trusting=True
        )
        self._reader = RecordingStarter(reader, self.sessions, game, recording)
        self._prompter = TranscriptPlayer(self.sessions, recording.said)
        self._before = (0, 0)
        """The session's version and number of rows before the first look at the last table."""
        self._covered: Map | None = None
        self.reading: Reading | None = None
        """The last reading; None before the first one."""
        self._placed: Any = None
        """The knowledge of places for the game's words; None before the first reading."""

    @property
    def table(self) -> Table:
        """The game in play.

        Raises:
            SeeError: No picture has shown how the game begins.
        """
        if self.sessions.table is None:
            raise SeeError("No picture showed the table, so no game could begin. Check light, markers and setup.")
        return self.sessions.table

    def look(self, picture: Picture, number: int) -> tuple[ToldVerdict, ...]:
        """Returns the verdicts on a table with one steady picture; the picture is sampled again if necessary.

        Raises:
            SeeError: The table or the board cannot be found in it.
        """
        from vision.gate.moments import Moment, further_looks

        told = self.take(picture, number)
        for look in further_looks(Moment(number, "", 0.0, picture, bumped=False), self.wants_look):
            told += self.take(look.picture, number, again=True)
        return told

    def wants_look(self) -> bool:
        """True if the last look left doubts, so that the same table must be looked at again before a verdict."""
        return self._again.asked

    @property
    def plan(self) -> Plan:
        """The plan of the table."""
        return self._reader.plan

    def take(
        self,
        picture: Picture,
        number: int,
        *,
        again: bool = False,
        covered: Map | None = None,
        stirred: Map | None = None,
    ) -> tuple[ToldVerdict, ...]:
        """Returns the verdicts after one look at a steady table.

        Args:
            number: The number of the first picture of this table.
            again: True for a further look at the same table.
            covered: The areas that a foreign object covers; see `vision.table_reader.TableReader.set_covered`.
            stirred: The areas over which something was since the last steady picture; see `set_stirred` there.

        Raises:
            SeeError: The table or the board cannot be found in it.
        """
        spoken = () if again else self._prompter.before(number)
        self._again.asked = False
        if covered is not self._covered:
            self._covered = covered
            self._reader.set_covered(covered)
        if stirred is not None and not again:
            self._reader.set_stirred(stirred)
        self.reading = self._reader.read_again(picture) if again else self._reader.read(picture)
        layout = structs.replace(self.reading.layout, again=again)
        if not again:
            self._before = self.table.session.version, len(self.table.session.rows())
        verdict = self.sessions.see(layout, number)
        if verdict is None or verdict == Pending(LOOKING):
            return spoken
        version, rows = self._before
        told: tuple[ToldVerdict, ...] = ()
        if self.table.session.version != version:
            reread = [revised(self.table, row) for row in self.table.session.rows()[rows:] if row.kind == "reread"]
            told = (*reread, *self._told(verdict))
        self._follow(verdict)
        return (*spoken, *told)

    def _told(self, verdict: Verdict) -> tuple[ToldVerdict, ...]:
        """Returns the verdict in words, with places as the last reading shows them if the game has words for them."""
        places, seen, placed = self.table.session.game.placed_words, self.table.seen, self._placed
        if places is None or placed is None:
            return tell(self.table, verdict)

        def words_of(state: Any, event: Event) -> dict[str, Any] | None:
            nonlocal placed
            words, placed = places.words(placed, seen, state, event)
            return words

        told = tell(self.table, verdict, words_of)
        if isinstance(verdict, Accepted):
            self._placed = placed
        return told

    def _follow(self, verdict: Verdict) -> None:
        """Updates the knowledge of places from a reading that shows the expected position."""
        places = self.table.session.game.placed_words
        if places is not None and isinstance(verdict, Same | Accepted):
            self._placed = places.follow(places.nothing if self._placed is None else self._placed, self.table.seen)


def _line(name: str, t_s: float, told: ToldVerdict, names: Mapping[int, str]) -> str:
    """Returns one JSON line: the event in a recording's words, or, if there is none, the message of the referee.

    Args:
        names: The names of the pictures with messages, by number.
    """
    line: dict[str, Any] = {"frame": name, "t": round(t_s, 2), "verdict": told.verdict, "event": told.words}
    if told.revises is not None:
        line["revises"] = names.get(told.revises, next(iter(names.values()), name))
    if told.words is None or told.verdict == "revised":
        line["text"] = told.text
    return json.dumps(line)

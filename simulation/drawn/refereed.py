"""Plays one drawn game through the whole pipeline, as `companion watch` referees it, with a person who corrects the
record.

Position and table always agree again before the next picture: a person answers the referee's questions truly and
corrects its mistakes. So every picture is judged for itself, and one misread piece is one failure.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from companion.app.commands.watch import RecordingReferee
from companion.core.contract import Event
from companion.core.foundation.errors import BadRecord, SeeError
from companion.core.layout import Layout
from companion.core.verdict import Unclear
from companion.games import PLANS
from companion.referee.journal import Journal
from companion.referee.table.table import Table
from companion.referee.telling import ToldVerdict
from simulation.choosing import chosen
from simulation.drawn.camera import Camera, random_camera
from simulation.drawn.doubting import USUAL, DoubtingEyes
from simulation.drawn.eyes import Noted, TruthEyes
from simulation.drawn.ice_stalks_player import IceStalksPlayer
from simulation.drawn.readings import GameRead, Look, RememberedEyes, keep
from simulation.drawn.reel import Moment, Reel, moments_of
from simulation.drawn.scene import random_scene
from simulation.drawn.spectra_player import SpectraPlayer, random_colors
from simulation.drawn.step import Player, Step
from simulation.drawn.tally import Tally, outcome
from vision.gate.moments import moments, second_look
from vision.image.picture import Picture
from vision.setup.calibrating import calibrate
from vision.table_reader import TableReader

_NOTHING = np.zeros((2, 2, 3), np.uint8)
"""The picture given to eyes that need no picture."""
EMPTIES = 2
"""The number of pictures of the empty table, if it is shown first."""
TILTS_DEG = {"spectra": (0.0, 50.0), "ice-stalks": (25.0, 50.0)}
"""The range of the camera's tilt from straight above. From above, only the top piece of a stalk of equal sizes is
visible.
"""


class Failure(NamedTuple):
    """A picture that the referee judged wrongly."""

    seed: int
    turn: int
    outcome: str
    step: Step
    told: tuple[str, ...]
    truth: Layout
    seen: Layout | None
    """The layout that was read; None if no table was found."""
    picture: Picture | None
    before: Picture | None
    """The steady picture before it."""
    marks: Sequence[Any]

    @property
    def line(self) -> str:
        """The failure in one line of text."""
        what = ", ".join(str(words) for words in self.step.words) or self.step.kind
        said = " | ".join(self.told) or "nothing"
        exact = self.seen is not None and not self.truth.differences(self.seen)
        read = "read exactly" if exact else "misread"
        return f"seed {self.seed} turn {self.turn}: {self.outcome} ({self.step.kind}, {read}): {what}; told: {said}"


class Setting(NamedTuple):
    """The rules by which drawn games are played."""

    game: str
    steps: int = 10
    eyes: str = "reader"
    """`reader`: pictures are drawn and read; `truth`: no pictures, every layout is exact; `doubting`: no pictures, but
    mistakes like those of a reader.
    """
    table: str | None = None
    tilt_deg: float | None = None
    seats: int | None = None
    looks: int = 1
    """The number of pictures of a steady table that are read before the referee counts as silent."""
    faults: float = 1.0
    """The rate of errors of doubting eyes, as a multiple of `USUAL`."""
    calibrated: bool = False
    """True if the table is shown empty first."""


def player_of(setting: Setting, seed: int) -> tuple[Player, Camera]:
    """Returns the player and camera of a seed; the same arguments always give the same game."""
    rng = Random(f"{setting.game} {seed} game")
    seats = setting.seats or rng.choice((2, 2, 2, 3, 4))
    plan = PLANS[setting.game](seats)
    lens = Random(f"{setting.game} {seed} camera")
    tilt_deg = lens.uniform(*TILTS_DEG[setting.game]) if setting.tilt_deg is None else setting.tilt_deg
    camera = random_camera(lens, plan.mat, tilt_deg)
    if setting.game == "spectra":
        return SpectraPlayer(rng, plan, random_colors(rng, seats), camera), camera
    return IceStalksPlayer(rng, plan, seats, camera), camera


class Refereed:
    """One game with its referee."""

    def __init__(
        self, setting: Setting, seed: int, *, record: Path | None = None, read: GameRead | None = None
    ) -> None:
        """Prepares a game.

        Args:
            record: A file to which the readings of the pictures are appended.
            read: Earlier readings of the pictures, which are used instead of drawing them.
        """
        self.setting = setting
        self.seed = seed
        self._record = record
        self._read = read
        self.tally = Tally()
        self.failures: list[Failure] = []
        self._before: Picture | None = None
        self._last_turn = 0
        self._unnamed: Step | None = None
        """An illegal step that the referee did not name; the person's correction depends on whether it is taken back.

        """
        self._stands: Event | None = None
        """An illegal event that the referee named and that nobody has put back."""
        self._alerts = 0
        self._told: dict[int, list[ToldVerdict]] = {}
        """The verdicts reported while a hand was still in the picture, by turn; they count as much as those after it.

        """
        self._start: Any = None
        """The position of the first picture; the player may be a step ahead of the pictures."""

    def run(self) -> None:
        """Plays the game to its last step."""
        began = time.process_time()
        with TemporaryDirectory(prefix="companion-drawn-") as folder:
            journal = Journal.open(Path(folder) / "journal.sqlite")
            try:
                if self._read is not None:
                    self._by_readings(journal, self._read)
                elif self.setting.eyes == "reader":
                    self._by_pictures(journal)
                else:
                    self._by_layouts(journal)
            finally:
                journal.close()
        self.tally.counts["games"] += 1
        self.tally.seconds["all"] += time.process_time() - began

    def _by_layouts(self, journal: Journal) -> None:
        """Plays without pictures: the referee gets the true layouts, exact or with doubts and mistakes."""
        setting = self.setting
        player, _ = player_of(setting, self.seed)
        self._start = player.state
        recording = player.recording()
        exact = setting.eyes == "truth"
        faults = USUAL.scaled(setting.faults)
        eyes = TruthEyes(recording.plan) if exact else DoubtingEyes(recording.plan, self.seed, faults)
        referee = RecordingReferee(setting.game, recording, journal, reader=eyes)
        for moment, _ in moments_of(player, setting.steps):
            eyes.show(moment)
            self.tally.counts["pictures"] += 1
            looks = [(_NOTHING, moment.number)] * setting.looks
            self._judge(player, referee, moment, lambda: eyes.last, lambda looks=looks: looks)

    def _by_readings(self, journal: Journal, read: GameRead) -> None:
        """Plays with the recorded readings of pictures."""
        player, _ = player_of(self.setting, self.seed)
        self._start = player.state
        recording = player.recording()
        turns = {moment.turn: moment for moment, _ in moments_of(player, self.setting.steps)}
        eyes = RememberedEyes(recording.plan)
        referee = RecordingReferee(self.setting.game, recording, journal, reader=eyes)
        for look in read.looks:
            eyes.show(look)
            moment = turns[look.turn]._replace(number=look.number, hand=look.hand)
            self.tally.counts["pictures"] += 1
            self.tally.counts["hands read"] += look.hand
            self._judge(player, referee, moment, lambda: eyes.last, lambda n=look.number: [(_NOTHING, n)])

    def _by_pictures(self, journal: Journal) -> None:
        player, camera = player_of(self.setting, self.seed)
        self._start = player.state
        recording = player.recording()
        rng = Random(f"{self.setting.game} {self.seed} scene")
        outlines = [zone.outline_mm for zone in player.spread.zones.values()]
        scene = random_scene(rng, recording.plan.mat, table=self.setting.table, camera=camera, outlines=outlines)
        reel = Reel(player, scene, rng, self.setting.steps)
        known = None
        if self.setting.calibrated:
            empties = [scene.picture(()) for _ in range(EMPTIES)]
            known = calibrate("pyramids", recording.plan.mat, empties).calibration
        eyes = Noted(TableReader(recording.plan, known))
        referee = RecordingReferee(self.setting.game, recording, journal, reader=eyes)
        looks: list[Look] = []
        for seen in moments(reel):
            eyes.begin()
            moment = reel.shown[seen.number]
            if moment.hand:
                self.tally.counts["hands read"] += 1

            def views(moment: Moment = moment, picture: Picture = seen.picture) -> Iterator[tuple[Picture, int]]:
                yield picture, moment.number
                for _ in range(self.setting.looks - 1):
                    yield scene.picture(moment.stands), moment.number

            self._judge(player, referee, moment, lambda: eyes.last, views)
            self._before = seen.picture
            if self._record is not None:
                looks.append(_look_of(moment, seen.picture, eyes))
        if self._record is not None:
            game, steps, _, table, tilt_deg, seats, *_, calibrated = self.setting
            keep(GameRead(game, self.seed, steps, table, tilt_deg, seats, calibrated, tuple(looks)), self._record)
        self.tally.counts["pictures"] += len(reel.shown)
        self.tally.seconds["reading"] += eyes.seconds

    def _judge(self, player: Player, referee: RecordingReferee, moment: Moment, last: Any, views: Any) -> None:
        """Lets the referee look at one moment, compares its verdict with the truth, and corrects the record."""
        step = moment.step
        if step is None:
            self._open(player, referee, moment, last, views)
            return
        if moment.turn > self._last_turn + 1:
            self.tally.counts["not read"] += moment.turn - self._last_turn - 1
            self._put_right(player, referee.table, step.before)
        self._last_turn = moment.turn if not moment.hand else self._last_turn
        if self._unnamed is not None:
            self._put_right(player, referee.table, step.after if step.kind == "back" else self._unnamed.after)
            self._unnamed = None
        table = referee.table
        told = self._told.pop(moment.turn, [])
        result = "silent"
        for picture, number in views():
            told += self._look(referee, picture, number)
            alert = (
                table.session.alert
                if table.session.alert is not None and table.session.alert.number > self._alerts
                else None
            )
            result = outcome(step, told, alert, self._agrees(table, moment), self._stands)
            if result != "silent":
                break
        if moment.hand:
            self._told[moment.turn] = told
            return
        self.tally.counts["events"] += len(step.words)
        self.tally.outcomes[step.kind, result] += 1
        exact = last() is not None and self.tally.read(moment.layout, last().layout)
        if result != "right":
            self.tally.counts["judged wrong"] += exact
            self._note(moment, result, told, last(), picture)
        self._settle(player, table, moment, result)
        if step.kind != "nothing":
            self._stands = step.events[0] if (step.kind, result) == ("illegal", "right") else None
        self._alerts = table.session.alert.number if table.session.alert is not None else self._alerts

    def _look(self, referee: RecordingReferee, picture: Picture, number: int) -> tuple[ToldVerdict, ...]:
        """Returns the referee's verdicts on a picture, or the reason why it sees no table there; adds the CPU time to
        the tally.
        """
        began = time.process_time()
        try:
            return referee.look(picture, number)
        except SeeError as error:
            self.tally.counts["no table"] += 1
            return (ToldVerdict(None, str(error)),)
        finally:
            self.tally.looks_s.append(time.process_time() - began)

    def _open(self, player: Player, referee: RecordingReferee, moment: Moment, last: Any, views: Any) -> None:
        """Begins refereeing with the first picture, and sets the position if that is read wrong."""
        for picture, number in views():
            try:
                referee.look(picture, number)
            except (SeeError, BadRecord):
                self.tally.counts["no table"] += 1
                continue
            break
        if last() is not None:
            self.tally.read(moment.layout, last().layout)
        if referee.sessions.table is None:
            recording = player.recording()
            referee.sessions.start(
                player.game.name, recording.names, recording.options, plan=recording.plan, draws=recording.draws
            )
        if not self._agrees(referee.table, moment):
            self.tally.counts["openings misread"] += 1
            self._put_right(player, referee.table, self._start if moment.step is None else moment.step.after)

    def _settle(self, player: Player, table: Table, moment: Moment, result: str) -> None:
        """Answers the referee's question, and corrects the record."""
        step = moment.step
        assert step is not None
        if result == "asked" and self._answered(table, step):
            return
        if step.kind == "illegal":
            if result not in ("right", "misnamed"):
                self._unnamed = step
            return
        if step.kind == "nothing" and result == "right":
            return
        if not self._agrees(table, moment) or (step.kind == "legal" and result not in ("right", "alike")):
            player.set_up(table, step.after)
        elif table.session.alert is not None:
            table.misread(source="page")

    def _answered(self, table: Table, step: Step) -> bool:
        """Chooses the true answer; returns True if there was one. If nothing happened, no answer is true.

        Of several answers that leave the same table, people choose the one that they know to be true.
        """
        alert = table.session.alert
        if alert is None or not isinstance(alert.verdict, Unclear) or step.kind == "nothing":
            return False
        expected = step.after.layout()
        found = []
        for place, choice in enumerate(alert.verdict.choices):
            after = chosen(table.session.state, choice)
            if after is None or bool(choice.breaches) != (step.kind == "illegal"):
                continue
            if not after.layout().differences(expected):
                untrue = len(set(choice.events) ^ set(step.events))
                found.append((untrue, place))
        if found:
            table.answer(min(found)[1], source="page")
        return bool(found)

    def _agrees(self, table: Table, moment: Moment) -> bool:
        """True if the position in the record predicts the layout of the table."""
        return not table.session.state.layout().differences(moment.layout)

    def _put_right(self, player: Player, table: Table, state: Any) -> None:
        """Sets the true position if the record differs from it or an alert is open."""
        if table.session.state.layout().differences(state.layout()) or table.session.alert is not None:
            player.set_up(table, state)
        self._alerts = table.session.alert.number if table.session.alert is not None else self._alerts

    def _note(
        self, moment: Moment, result: str, told: Sequence[ToldVerdict], reading: Any, picture: Picture | None
    ) -> None:
        assert moment.step is not None
        self.failures.append(
            Failure(
                self.seed,
                moment.turn,
                result,
                moment.step,
                tuple(one.text for one in told),
                moment.layout,
                None if reading is None else reading.layout,
                None if picture is _NOTHING else picture,
                self._before,
                () if reading is None else reading.marks,
            )
        )


def _look_of(moment: Moment, picture: Picture, eyes: Noted) -> Look:
    """Returns the readings of a picture, with a further look at it even if the referee did not ask for one."""
    reads = tuple(eyes.reads)
    if reads and eyes.again is None:
        with contextlib.suppress(SeeError):
            eyes.read_again(second_look(picture))
    return Look(moment.number, moment.turn, moment.hand, reads, eyes.again)

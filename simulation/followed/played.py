"""Plays one game on a table in millimeters with a referee that gets the reports of simulated eyes, and a person beside
it.

Every picture has an outcome, and every row is compared with what happened (`simulation.followed.ledger`). A failure can
be played again: the same setting and seed give the same game.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from companion.app.commands.watch import RecordingReferee
from companion.core.contract import Event
from companion.core.foundation.errors import BadRecord, MoveError, SeeError
from companion.core.verdict import Desynchronized, Pending, Refused, TakenBack, Unclear
from companion.referee.journal import Journal
from companion.referee.table.table import Table
from simulation.drawn.step import Step
from simulation.followed.eyes import FollowingEyes
from simulation.followed.ledger import Ledger, RowsJudged
from simulation.followed.losses import Cause, Loss, Losses, Misread, MisreadSpots
from simulation.followed.person import Person
from simulation.followed.tables import PlayedTable, table_of
from simulation.followed.view import Cover, Thing

_NOTHING = np.zeros((2, 2, 3), np.uint8)
"""The picture given to eyes that need no picture."""
COVERED = 0.06
"""The share of pictures in which something foreign begins to lie on the table."""
LASTS = (1, 1, 2, 4)
"""The numbers of pictures for which it may stay."""
RADIUS_MM = (15.0, 45.0)
HEIGHT_MM = (5.0, 60.0)
TOUCHED_MM = 30.0
"""A cover is taken away before anything closer to it than this is moved."""
OVER_A_HAND = 0.1
"""The share of covers that lie over something just set down, as a hand that stays there does."""

SURE = 0.9
"""A failure line mentions the least confidence among the new readings if it is below this."""
FAILURES = ("crashed", "accused", "wrong", "missed", "unexplained")
"""The outcomes that are failures through exact eyes, worst first."""
OUTCOMES = (*FAILURES, "misnamed", "right", "asked", "waits", "silent", "unseen", "missed while open", "late")
"""The possible outcomes of a picture.

crashed: the program broke off. accused: a player was accused without having broken a rule. wrong: an event was recorded
that has not happened. missed: an illegal move was neither named nor asked about. unexplained: the same, but the referee
reported that no move explains the table. misnamed: a player who broke one rule was accused of breaking another. right:
all that happened was recorded, and nothing else. asked: the referee asked what happened. waits: the referee announced
that it cannot judge something yet. silent: a visible event was not recorded. unseen: what happened cannot be seen.
missed while open: an illegal move was not named while a question was left open. late: the record lags behind the table
because a question was left open.
"""


class Setting(NamedTuple):
    """The rules by which games are played and seen."""

    game: str
    steps: int = 12
    """The number of steady pictures per game, not counting the first."""
    faults: float = 0.0
    """The rate of the eyes' errors as a multiple of `simulation.drawn.doubting.USUAL`; 0 for none."""
    near: float = 0.1
    """The share of pictures in which a thing is set down near the last place of another one."""
    unanswered: float = 0.25
    """The share of questions that are never answered."""
    corrects: bool = True
    """True if the person sets the position when the record is wrong."""
    covers: bool = True
    """True if foreign things sometimes lie on the table."""


class Failure(NamedTuple):
    """A picture that the referee judged wrongly."""

    seed: int
    turn: int
    outcome: str
    step: Step
    told: tuple[str, ...]
    why: tuple[str, ...]
    """The rows and accusations that are untrue."""
    least: float = 1.0
    """The least confidence among the new readings."""
    sight: bool = True
    """False while a moved thing is out of sight, and from then until record and table agree: the referee cannot know
    all that has happened.
    """

    @property
    def line(self) -> str:
        """The failure in one line of text."""
        what = ", ".join(str(words) for words in self.step.words) or self.step.kind
        where = "" if self.sight else ", something was out of sight"
        why = f"; not true: {' | '.join(self.why)}" if self.why else ""
        rules = " ".join(breach.rule for breach in self.step.breaches)
        where += "" if self.least >= SURE else f", read at {self.least:.2f}"
        kind = f"{self.step.kind} {rules}" if rules else self.step.kind
        said = " | ".join(self.told) or "nothing"
        return f"seed {self.seed} turn {self.turn}: {self.outcome} ({kind}{where}): {what}; told: {said}{why}"


class Played:
    """One game with its referee and its person."""

    def __init__(self, setting: Setting, seed: int, trace: bool = False, also: Sequence[str] = ()) -> None:
        """Prepares a game.

        Args:
            trace: True to print all that happens.
            also: Further outcomes whose pictures are kept like failures.
        """
        self.setting = setting
        self.seed = seed
        self.failures: list[Failure] = []
        self.outcomes: Counter[tuple[str, str]] = Counter()
        """The number of pictures by kind of step and outcome."""
        self.counts: Counter[str] = Counter()
        self.lags: list[int] = []
        """The number of pictures after which record and table agreed again, for each time a question was left open."""
        self.looks_s: list[float] = []
        """The duration of each look of the referee in seconds of CPU time."""
        self.seconds = 0.0
        self._trace = trace
        self._also = also
        self._table: PlayedTable = table_of(setting.game, seed, setting.near)
        self._rng = Random(f"{setting.game} {seed} person")
        self._cover_rng = Random(f"{setting.game} {seed} covers")
        self._covers: list[tuple[Cover, int]] = []
        """The foreign things on the table, each with the number of pictures for which it stays."""
        self._ledger = Ledger(self._table.game)
        self.losses = Losses()
        """The events that were never recorded, by cause."""
        self._misread = MisreadSpots()
        self._new = 0
        """The number of events in the last step that a camera can recognize."""
        self._person = Person(self._rng, self._ledger, setting.unanswered, setting.corrects, self._set_up)
        self._position: Any = self._table.state
        """The position that a person sets up: the one on the table, without a mistake that must be put back."""
        self._unnamed: Step | None = None
        """An illegal step that the referee did not name; the person's correction depends on whether it is put back."""
        self._shaded = False
        """True if something was moved out of sight since record and table last agreed."""
        self._waiting: list[Thing] = []
        """The moved things that have been out of sight since."""
        self._now: tuple[int, Step | None] = (0, None)
        """The number of the turn that is judged, and its step."""
        self._open_since: int | None = None
        """The number of the turn in which a question was left open; None if none is open."""

    def run(self) -> None:
        """Plays the game to its last step."""
        began = time.process_time()
        with TemporaryDirectory(prefix="companion-played-") as folder:
            journal = Journal.open(Path(folder) / "journal.sqlite")
            try:
                self._play(journal)
            except MoveError as error:
                self._crashed(error)
            finally:
                journal.close()
        self.counts["games"] += 1
        self.seconds = time.process_time() - began

    def _play(self, journal: Journal) -> None:
        table = self._table
        recording = table.recording()
        eyes = table.eyes(self.seed, self.setting.faults)
        referee = RecordingReferee(self.setting.game, recording, journal, reader=eyes)  # type: ignore[arg-type]
        things = self._everything()
        self._show(eyes, 1, ())
        try:
            self._look(referee, 1)
        except BadRecord:
            self.counts["openings misread"] += 1
            referee.sessions.start(
                self.setting.game, recording.names, recording.options, plan=recording.plan, draws=recording.draws
            )
        if not self._agrees(referee, eyes):
            self.counts["openings misread"] += 1
            self._set_up(referee.table)
        for turn in range(1, self.setting.steps + 1):
            before, lay = things, table.layout()
            step = table.step()
            if step is None:
                break
            self._now = turn, step
            stays = step.kind != "illegal" or table.game.left_stands is not None
            self._position = table.state if stays else step.before
            things = self._everything()
            touched = sorted({*before} ^ {*things}, key=repr)
            self._show(eyes, turn + 1, touched)
            self._new = self._ledger.take(step, lay)
            self.counts["events"] += self._new
            self._judge(referee, eyes, step, turn, [thing for thing in things if thing not in before])
            for event in table.untraced():
                self._tell(referee.table, event)
        self.losses.settle()
        self._settle_lag(self.setting.steps, agreed=False)

    def _crashed(self, error: MoveError) -> None:
        """Records that the program broke off instead of judging the step."""
        turn, step = self._now
        if step is None:
            raise error
        self.outcomes[step.kind, "crashed"] += 1
        self.failures.append(Failure(self.seed, turn, "crashed", step, (), (str(error),)))

    def _tell(self, table: Table, event: Event) -> None:
        """Enters an event that no picture shows on the page, unless a question is left open."""
        self._position = self._table.state
        if self._person.ignores:
            return
        try:
            table.play(event, source="page")
        except MoveError:
            self.counts["told in vain"] += 1

    def _set_up(self, table: Table) -> None:
        self._table.set_up(table, self._position)

    def _put_right(self, table: Table, state: Any) -> None:
        """Sets a position up if the record differs from it or an alert is open."""
        if table.session.state.layout().differences(state.layout()) or table.session.alert is not None:
            self._table.set_up(table, state)

    def _everything(self) -> tuple[Thing, ...]:
        """Returns all things on the table, including those on boards."""
        held = [Thing(spot, one.stand) for spot, one in self._table.cells().items() if one.stand is not None]
        return (*self._table.things(), *held)

    def _show(self, eyes: FollowingEyes, number: int, touched: Sequence[Thing]) -> None:
        """Shows the table to the eyes, with the foreign things on it."""
        rng, things = self._cover_rng, self._everything()
        places = [thing.stand.place_mm for thing in touched]
        kept = [(cover, left - 1) for cover, left in self._covers if left > 1]
        self._covers = [one for one in kept if not any(_apart(one[0], place) < TOUCHED_MM for place in places)]
        if self.setting.covers and things and rng.random() < COVERED:
            over = touched if touched and rng.random() < OVER_A_HAND else things
            x, y = rng.choice(list(over)).stand.place_mm
            cover = Cover(
                x + rng.uniform(-10, 10), y + rng.uniform(-10, 10), rng.uniform(*RADIUS_MM), rng.uniform(*HEIGHT_MM)
            )
            self._covers.append((cover, rng.choice(LASTS)))
        eyes.show(number, self._table.things(), [cover for cover, _ in self._covers], self._table.cells())

    def _look(self, referee: RecordingReferee, number: int) -> tuple[str, ...]:
        began = time.process_time()
        try:
            return tuple(one.text for one in referee.look(_NOTHING, number))
        except SeeError as error:
            return (str(error),)
        finally:
            self.looks_s.append(time.process_time() - began)

    def _judge(
        self, referee: RecordingReferee, eyes: FollowingEyes, step: Step, turn: int, moved: Sequence[Thing]
    ) -> None:
        """Lets the referee look at one picture, judges its verdict, and lets the person react."""
        session = referee.table.session
        if self._unnamed is not None and not self._person.ignores:
            self._put_right(referee.table, step.after if step.kind == "back" else self._unnamed.after)
        self._unnamed = None
        rows = len(session.rows())
        told = self._look(referee, turn + 1)
        new = self._person.new_alert(referee.table)
        charged = new.verdict if new is not None and isinstance(new.verdict, Refused) else None
        judged = self._ledger.judge(referee.table, session.rows()[rows:], charged)
        self._waiting = [one for one in (*self._waiting, *moved) if one in self._everything()]
        self._waiting = [one for one in self._waiting if not eyes.is_in_view(one.stand)]
        self._shaded |= bool(self._waiting)
        agrees = self._agrees(referee, eyes)
        result = self._result(referee, step, judged, agrees)
        self.outcomes[step.kind, result] += 1
        self.counts["told right"] += judged.true
        self.counts["invented rows"] += len(judged.invented)
        alert = self._person.new_alert(referee.table)
        self.counts["asked"] += alert is not None and isinstance(alert.verdict, Unclear)
        failed = result in FAILURES
        if failed or self._trace or result in self._also:
            why = (*judged.accused, *judged.misnamed, *judged.invented)
            failure = Failure(self.seed, turn, result, step, told, why, eyes.least_sure(), not self._shaded)
            self.failures.append(failure)
            if failed:
                self.counts["failures out of sight"] += self._shaded
            if self._trace:
                self._explain(failure, referee, eyes)
        wrong = bool(judged.invented or judged.accused)
        rows = len(session.rows())
        ignored = self._person.ignores
        cause = self._cause(judged, result)
        misread: Misread = (
            "never" if eyes.last is None else self._misread.look(eyes.last.layout, self._table.seen(eyes))
        )
        self.losses.shown[misread] += self._new
        named = self._named(referee.table)
        self._person.react(
            referee.table,
            agrees=agrees and not self._is_stuck(referee),
            wrong=wrong,
            waits=bool(self._waiting) or step.kind == "illegal",
        )
        self.counts["answered right"] += self._ledger.judge(referee.table, session.rows()[rows:]).true
        self.losses.after_picture(self._ledger.due, Loss(cause, misread))
        if named:
            self.losses.name(named)
        if step.kind == "illegal" and not judged.named:
            self._unnamed = step
        if self._person.ignores and not ignored and self._open_since is None:
            self._open_since = turn
            self.counts["left open"] += 1
        self._settle(referee, turn)

    def _result(self, referee: RecordingReferee, step: Step, judged: RowsJudged, agrees: bool) -> str:
        """Returns one of `OUTCOMES`."""
        alert = self._person.new_alert(referee.table)
        asked = alert is not None and isinstance(alert.verdict, Unclear | TakenBack)
        if judged.accused:
            return "accused"
        if judged.invented:
            return "wrong"
        if judged.misnamed:
            return "misnamed"
        if step.kind == "illegal":
            if judged.named:
                return "right"
            if asked:
                return "asked"
            if self._person.ignores:
                return "missed while open"
            if self._waiting:
                return "unseen"
            if isinstance(alert and alert.verdict, Pending):
                return "waits"
            return "unexplained" if isinstance(alert and alert.verdict, Desynchronized) else "missed"
        if asked:
            return "asked"
        stands = step.kind == "nothing" and bool(self._ledger.mistakes)
        if (agrees or stands) and self._ledger.is_told:
            return "right"
        if self._waiting:
            return "unseen"
        if self._person.ignores:
            return "late"
        return "silent" if alert is None else "waits"

    def _named(self, table: Table) -> Counter[str]:
        """Returns the keys of the events in the true answer to a new question; empty without one."""
        alert = self._person.new_alert(table)
        if alert is None or not isinstance(alert.verdict, Unclear):
            return Counter()
        true = self._person.true_answer(table, alert.verdict)
        return Counter() if true is None else self._ledger.named_by(alert.verdict.choices[true], table.session.state)

    def _cause(self, judged: RowsJudged, result: str) -> Cause:
        """Returns the cause to record for events of this picture that stay unrecorded."""
        if self._person.ignores:
            return "behind a question"
        if judged.invented:
            return "wrong row"
        if self._waiting:
            return "out of sight"
        return "asked otherwise" if result == "asked" else "waits" if result == "waits" else "silent"

    def _agrees(self, referee: RecordingReferee, eyes: FollowingEyes) -> bool:
        """True if the record differs in nothing from the visible part of the table."""
        return not referee.table.session.state.layout().differences(self._table.seen(eyes))

    def _is_stuck(self, referee: RecordingReferee) -> bool:
        """True if an alert is open and the record expects other events than the true position does."""
        session = referee.table.session
        return session.alert is not None and session.state.expects() != self._table.state.expects()

    def _settle(self, referee: RecordingReferee, turn: int) -> None:
        """Begins anew once record and table agree."""
        true, told = self._table.state, referee.table.session.state
        mine, its = true.layout(), told.layout()
        if not its.differences(mine) and not mine.differences(its) and told.expects() == true.expects():
            self.counts["untold"] += self._ledger.settle(whole=told == true)
            self.losses.settle()
            self._person.ignores = False
            self._shaded = bool(self._waiting)
            self._settle_lag(turn, agreed=True)

    def _settle_lag(self, turn: int, *, agreed: bool) -> None:
        if self._open_since is not None:
            self.lags.append(turn - self._open_since)
            self.counts["never agreed again"] += not agreed
            self._open_since = None

    def _explain(self, failure: Failure, referee: RecordingReferee, eyes: FollowingEyes) -> None:
        """Prints the true step, the reports, the readings, the record and the open alert."""
        print(failure.line)
        seen, state = eyes.last, referee.table.session.state
        if seen is not None:
            for spot, heap in seen.layout.heaps.items():
                marks = {True: "*", False: ""}
                words = [
                    f"{_name(s.piece)} {s.confidence:.3f} {s.place}{marks[s.place in seen.layout.uncovered]}"
                    for s in heap
                ]
                print(f"    {spot}: {', '.join(words)}")
            unseen = {"hidden": seen.layout.hidden, "blind": seen.layout.blind, "obscured": seen.layout.obscured}
            print("    " + ", ".join(f"{how} {sorted(places)}" for how, places in unseen.items()))
        for difference in state.layout().differences(self._table.layout()):
            print(f"    record {difference.spot}: {difference.expected}, table: {difference.seen}")
        alert = referee.table.session.alert
        print(f"    alert: {alert.verdict if alert is not None else None}")


def _name(piece: Any) -> str:
    return f"{piece.color} {piece.size}" if hasattr(piece, "size") else str(piece)


def _apart(cover: Cover, place: tuple[float, float]) -> float:
    return float(np.hypot(cover.x_mm - place[0], cover.y_mm - place[1])) - cover.radius_mm

"""One game on one table: its position, its journal and what is open.

Everything that changes the game passes through here, from the camera or from a person, under one lock, and is on disk
before anyone is told. A person's word counts more than a reading: where a reading contradicts it, that reading says
nothing for as long as it stays the same.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.alert import Alert, Matter, open_refusal, same_matter
from companion.contract import Event, Game, Move, Over, Seat, ToRoll
from companion.doubted_roll import contradicted_roll, doubted_roll
from companion.entry import Entry
from companion.errors import BadEvent, MoveError, StaleCommand
from companion.journal import Header, Journal, Kind, Row, Source
from companion.layout import Layout, Spot
from companion.line import Line, Step, begin, kind_of
from companion.looks import LOOKING, Looks
from companion.matching import match, seat_of
from companion.overruled import Overruled
from companion.pieces import Die
from companion.plan import Plan
from companion.verdict import Accepted, OutOfStep, Pending, Refused, Same, TakenBack, Unclear, Verdict

MEMORY = 16
"""How many earlier positions a picture is compared with, to see moves taken back."""


class _Now(Struct, frozen=True, eq=False):
    """All that readers see, replaced as one, so no reader meets a half-made change."""

    line: Line
    rows: tuple[Row, ...]
    alert: Alert | None
    version: int


class Table:
    """A game in play. Every method may be called from any thread."""

    def __init__(
        self,
        game: Game[Any],
        header: Header,
        journal: Journal,
        *,
        clock: Callable[[], float] = time.time,
        changed: Callable[[], None] = lambda: None,
        look_again: Callable[[], None] = lambda: None,
        settled: Callable[[Layout], None] = lambda position: None,
        judge: Callable[..., Verdict] = match,
    ) -> None:
        """Continue the game of `header`, which the journal holds; its rows are replayed.

        :param changed: called after every row and every change of the alert.
        :param look_again: asks the eyes to read the next steady picture even if nothing moves.
        :param settled: tells the eyes the position that they read last: what moves from here on is news.
        :param judge: `companion.matching.match`, or `spell` to see what the rules are worth as a prior.
        :raises JournalError: the journal cannot be read, or its chain is broken.
        :raises MoveError: these rules refuse a row of it; such a game can be looked at, not continued.
        """
        self.game = game
        self.header = header
        self._journal = journal
        self._clock = clock
        self._changed = changed
        self._judge = judge
        self._look_again = look_again
        self._settled = settled
        self._lock = threading.Condition(threading.RLock())
        line = begin(game, header)
        rows = journal.rows(header.id)
        for row in rows:
            line = line.read(row)
        self._now = _Now(line, rows, None, 0)
        self._alerts = 0
        self._looks = Looks()
        self._outstanding = open_refusal(game, rows)
        self._seen = Layout()
        self._overruled = Overruled()
        self._doubt: Unclear | None = None
        self._contrary: tuple[int, tuple[Die, ...]] | None = None
        self._legal: tuple[Any, tuple[Move, ...]] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Who plays, by seat."""
        return self.header.names

    @property
    def options(self) -> Mapping[str, Any]:
        """The options that were chosen, as JSON."""
        return self.header.options

    @property
    def plan(self) -> Plan | None:
        """Where things stood when the game began."""
        return self.header.plan

    @property
    def state(self) -> Any:
        """The position now."""
        return self._now.line.state

    @property
    def line(self) -> Line:
        """The events that count, as a value: ask it what an undo or a correction would bring."""
        return self._now.line

    @property
    def seq(self) -> int:
        """Number of the last row, 0 before the first."""
        return self._now.line.n

    @property
    def version(self) -> int:
        """Rises with every row and every change of the alert."""
        return self._now.version

    @property
    def alert(self) -> Alert | None:
        """What is open."""
        return self._now.alert

    @property
    def seen(self) -> Layout:
        """The last steady reading, as it was read; empty before the first."""
        return self._seen

    def rows(self) -> tuple[Row, ...]:
        """Every row, undone ones too."""
        return self._now.rows

    def undone(self) -> frozenset[int]:
        """Numbers of the rows that an undo folded away."""
        return self._now.line.undone()

    @property
    def hints(self) -> bool:
        """Whether players may be shown good moves: what the last row about it says, else not."""
        told = (row.more["allow"] for row in reversed(self._now.rows) if row.kind == "hint" and "allow" in row.more)
        return next(told, False)

    def steps(self) -> tuple[Step, ...]:
        """The events that count now, with the position after each, oldest first."""
        return self._now.line.steps()

    def state_at(self, n: int) -> Any:
        """The position as it stood after row `n`; 0 is the start.

        :raises BadEvent: there is no such row.
        """
        return self._now.line.at(n).state

    def advance(self, state: Any, event: Event) -> Any:
        """The position after a legal event and the draws that follow from it; this table does not change.

        :raises MoveError: the event does not fit the position.
        """
        return self._now.line.book.advance(state, kind_of(event), event)

    def origin(self, spot: Spot) -> int | None:
        """The row that last changed what lies on `spot`: the one to correct. None if it lies there since the start."""
        return self._now.line.origin(spot)

    def legal(self) -> tuple[Move, ...]:
        """Every legal move now, listed once a position."""
        with self._lock:
            state = self.state
            if self._legal is None or self._legal[0] is not state:
                self._legal = state, tuple(state.legal_moves())
            return self._legal[1]

    def wait(self, version: int, timeout_s: float) -> int:
        """Block until the version differs from `version`, or `timeout_s` has passed; the version then."""
        with self._lock:
            self._lock.wait_for(lambda: self._now.version != version, timeout_s)
            return self._now.version

    def see(self, layout: Layout, frame: int, *, second: Layout | None = None) -> Verdict:
        """A steady reading came in: judge it, and take what is accepted into the journal.

        Refusals and questions rest on two readings that agree: the one before and this one, or `layout` and `second`.
        Until then they are `Pending`, and the eyes are asked to look again.

        A table that nothing explained takes no moves until it agrees with the position, or with one legal move in every
        spot, or a person has spoken.

        :param frame: number of the picture, for the alert and the journal.
        :param second: an independent second reading of the same picture, where there is only the one picture.
        :raises JournalError: an accepted move could not be written; the table stays as it was.
        """
        with self._lock:
            self._seen = layout
            doubt = self._doubted(layout)
            if doubt is not None:
                return self._act(doubt, frame)
            self._let_stand(layout, frame)
            judged = self._looks.consider(self._verdict, self.state, layout, second)
            if judged.again:
                self._look_again()
            verdict = self._act(judged.verdict, frame)
            if self._is_whole(layout):
                self._settled(self.state.layout())
            return verdict

    def play(self, event: Event, *, source: Source, expected: int | None = None) -> Row:
        """Take an event that somebody told.

        :param expected: number of the last row that the person saw.
        :raises IllegalMove: it breaks rules.
        :raises BadEvent: the position does not expect it.
        :raises GameOver: the game has ended.
        :raises StaleCommand: there are rows that the person has not seen.
        :raises JournalError: it could not be written; nothing was changed.
        """
        with self._lock:
            self._fresh(expected)
            before = self.state.layout()
            row = self._tell(kind_of(event), event, source, {})
            self._heard([difference.spot for difference in before.differences(self.state.layout())])
            return row

    def contradict(self, n: int, dice: Sequence[Die]) -> None:
        """The tower tells the roll of row `n`, which the camera read, otherwise: ask who is right.

        Nothing is asked if the game has gone on since.
        """
        with self._lock:
            self._contrary = n, tuple(dice)
            self._doubt = self._contradicted(self._overruled.heed(self._seen))
            if self._doubt is not None:
                self._act(self._doubt, None)

    def agree(self, *, source: Source, expected: int | None = None) -> Row:
        """The illegal move of the alert stands: everybody at the table accepts it.

        :raises BadEvent: no illegal move is open, or it cannot be carried out.
        """
        with self._lock:
            self._fresh(expected)
            alert = self.alert
            if alert is None or not isinstance(alert.verdict, Refused):
                raise BadEvent("No illegal move is open that the table could agree to. Tell a move instead.")
            refused = alert.verdict
            line = self._now.line
            for event in refused.before:
                line = line.tell(kind_of(event), event)
            line.tell("agreed", refused.event)
            for event in refused.before:
                self._tell(kind_of(event), event, "camera", {})
            breaches = msgspec.to_builtins(refused.breaches)
            row = self._tell("agreed", refused.event, source, {"breaches": breaches})
            self._heard()
            return row

    def misread(self, *, source: Source, expected: int | None = None) -> None:
        """What the alert rests on was misread: drop it.

        Spots that now read differently from the position say nothing until they read differently again.

        :raises BadEvent: no alert is open.
        """
        with self._lock:
            self._fresh(expected)
            if self.alert is None:
                raise BadEvent("No alert is open. Nothing was changed.")
            self._heard()

    def answer(self, choice: int, *, source: Source, expected: int | None = None) -> Row:
        """Say which of the alert's choices happened; 0 is the first.

        Choosing an illegal one turns the question into a refusal, which then waits for its own answer.

        :raises BadEvent: no question is open, or it has no such choice.
        """
        with self._lock:
            self._fresh(expected)
            alert = self.alert
            if alert is None or not isinstance(alert.verdict, Unclear):
                raise BadEvent("No question is open. Tell the move instead.")
            choices = alert.verdict.choices
            if not 0 <= choice < len(choices):
                raise BadEvent(f"The question has answers 0 to {len(choices) - 1}, not {choice}.")
            if self._doubt is not None and alert.verdict == self._doubt:
                return self._settle_roll(choice, source)
            chosen = choices[choice]
            more = {"asked": [option.text for option in choices], "answer": choice}
            if chosen.breaches:
                *before, event = chosen.events
                refused = Refused(event, seat_of(self.state, event), chosen.breaches, 0.0, tuple(before))
                return self._refuse(refused, self._number(refused, alert.frame), source, more)
            line = self._now.line
            for event in chosen.events:
                line = line.tell(kind_of(event), event)
            for event in chosen.events:
                row = self._tell(kind_of(event), event, source, more)
            self._heard()
            return row

    def undo(self, to: int, why: str, *, source: Source, expected: int | None = None) -> Row:
        """Go back to the position after row `to`; 0 is the start. Undone rows stay in the journal, and can come back.

        :raises BadEvent: there is no such row.
        """
        with self._lock:
            self._fresh(expected)
            line = self._now.line.undo(to)
            text = f"back to row {to}" if to else "back to the start"
            row = self._write(Entry(line, "undo", None, None, text, source, {"to": to, "why": why}), None)
            self._heard()
            return row

    def correct(self, n: int, event: Event, why: str, *, source: Source, expected: int | None = None) -> Row:
        """Row `n` really was `event`; what came after it is replayed.

        :raises IllegalMove: `event`, or the later row that the message names, would break rules. Nothing is changed.
        :raises BadEvent: row `n` told no move that counts, or the later row that the message names no longer fits.
        """
        with self._lock:
            self._fresh(expected)
            line = self._now.line.correct(n, event)
            step = next(step for step in line.steps() if step.n == n)
            seat = seat_of(step.parent.state if step.parent else line.book.start, event)
            more = {"of": n, "why": why, "was": self._now.rows[n - 1].text}
            row = self._write(Entry(line, "correct", seat, event, self.game.text(event), source, more), None)
            self._heard()
            return row

    def set_position(
        self, position: Mapping[str, Any], why: str, *, source: Source, expected: int | None = None
    ) -> Row:
        """Set up any position, in the form of `docs/records.md`.

        :raises BadRecord: it contradicts itself.
        """
        with self._lock:
            self._fresh(expected)
            line = self._now.line.put(self._now.line.book.position(position))
            more = {"position": dict(position), "why": why}
            row = self._write(Entry(line, "position", None, None, "position set up", source, more), None)
            self._heard()
            return row

    def _is_whole(self, layout: Layout) -> bool:
        """Whether a reading shows all of the position and nothing is in a hand, nor to be rolled."""
        if isinstance(self.state.expects(), ToRoll):
            return False
        table, seen = self.state.layout(), layout.heaps
        counted = all(len(seen[spot]) == len(heap) for spot, heap in table.heaps.items() if spot in seen)
        return counted and not table.differences(layout)

    def allow_hints(self, allow: bool, *, source: Source, expected: int | None = None) -> Row:
        """Let players be shown good moves from here on, or no longer; a table begins without.

        :raises StaleCommand: there are rows that the person has not seen.
        """
        with self._lock:
            self._fresh(expected)
            text = "hints are allowed" if allow else "hints are no longer allowed"
            entry = Entry(self._now.line.note(), "hint", None, None, text, source, {"allow": allow})
            return self._write(entry, self.alert)

    def note_hint(self, seat: Seat, *, source: Source, expected: int | None = None) -> Row:
        """Note that a player is shown a good move; call it before anybody is told.

        :raises BadEvent: hints are not allowed at this table.
        :raises StaleCommand: the position is not the one that the move was found for.
        """
        with self._lock:
            self._fresh(expected)
            if not self.hints:
                raise BadEvent("Hints are not allowed at this table. Allow them first.")
            entry = Entry(self._now.line.note(), "hint", seat, None, "is shown a good move", source, {})
            return self._write(entry, self.alert)

    def _verdict(self, layout: Layout) -> Verdict:
        """What a reading shows, compared with the position and the latest earlier ones."""
        steps = self.steps()
        numbered = [(0, self._now.line.book.start), *((step.n, step.state) for step in steps)][-MEMORY - 1 : -1]
        verdict = self._judge(
            self.state,
            self._overruled.heed(layout),
            draws_unseen=self.header.draws == "unseen",
            history=[state for _, state in numbered],
            text=self.game.text,
        )
        return replace(verdict, to=numbered[verdict.to][0]) if isinstance(verdict, TakenBack) else verdict

    def _doubted(self, layout: Layout) -> Verdict | None:
        """The question about a roll that tower and camera tell differently; the camera reads twice to contradict."""
        heeded = self._overruled.heed(layout)
        question = self._contradicted(heeded) or doubted_roll(self.game, self._now.line, self._now.rows, heeded)
        again, self._doubt = question is not None and question != self._doubt, question
        if again:
            self._look_again()
            return Pending(LOOKING)
        return question

    def _contradicted(self, layout: Layout) -> Unclear | None:
        """The question about a roll that the camera read and that the tower told otherwise afterwards."""
        if self._contrary is None:
            return None
        return contradicted_roll(self.game, self._now.line, *self._contrary, layout)

    def _settle_roll(self, choice: int, source: Source) -> Row:
        """Answer the question between tower (0) and camera (1): the roll stands, or is corrected."""
        last = self._now.line.tip
        assert self._doubt is not None and last is not None
        right = self._doubt.choices[choice].events[0]
        self._doubt = None
        if right != last.event:
            who = ("tower", "camera")[choice]
            return self.correct(last.n, right, f"the {who} is right", source=source)
        text = f"the roll stands: {self.game.text(right)}"
        row = self._write(Entry(self._now.line.note(), "asked", None, None, text, source, {"answer": 0}), None)
        self._heard()
        return row

    def _let_stand(self, layout: Layout, frame: int) -> None:
        """Where the rules say that an illegal move stands once it was named, take the game on from it.

        It stands when the table does not show the position before it, but the position after it gone on, and by fewer
        events than legal ones from the position before it would take.
        """
        refused, rule = self._outstanding, self.game.left_stands
        if refused is None or rule is None:
            return
        put_back = self._verdict(layout)
        if isinstance(put_back, Same):
            return
        line = self._now.line
        try:
            for event in refused.before:
                line = line.tell(kind_of(event), event)
            line = line.tell("agreed", refused.event)
        except MoveError:
            return
        unseen = self.header.draws == "unseen"
        after = self._judge(line.state, self._overruled.heed(layout), draws_unseen=unseen, text=self.game.text)
        if isinstance(after, Same | OutOfStep | TakenBack) or not _is_shorter(after, put_back, len(refused.before)):
            return
        for event in refused.before:
            self._tell(kind_of(event), event, "camera", {"frame": frame})
        breaches = msgspec.to_builtins(refused.breaches)
        self._tell("agreed", refused.event, "camera", {"frame": frame, "rule": rule, "breaches": breaches})

    def _act(self, verdict: Verdict, frame: int | None) -> Verdict:
        """Carry a verdict out: rows for what is accepted, an alert for what is open."""
        if isinstance(verdict, Same):
            back, self._outstanding = self._outstanding, None
            self._show(None)
            return TakenBack(self.seq, back.event) if back is not None else verdict
        if isinstance(verdict, Accepted | Refused) and self._still_out_of_step(verdict):
            assert self.alert is not None
            return self.alert.verdict
        if isinstance(verdict, Accepted):
            more = {
                "frame": frame,
                "score": round(verdict.score, 3),
                "margin": round(verdict.margin, 3),
                "runner_up": [self.game.text(event) for event in verdict.runner_up],
            }
            for event in verdict.events:
                self._tell(kind_of(event), event, "camera", more)
            return verdict
        if isinstance(self.state.expects(), Over):
            self._show(None)
        elif self.alert is None or not same_matter(self.alert.verdict, verdict):
            alert = self._number(verdict, frame)
            if isinstance(verdict, Refused):
                self._refuse(verdict, alert, "camera", {"frame": frame})
            elif isinstance(verdict, Unclear):
                choices = [choice.text for choice in verdict.choices]
                more = {"frame": frame, "choices": choices}
                source: Source = "tower" if verdict == self._doubt else "camera"
                line, question = self._now.line.note(), " or ".join(choices)
                self._write(Entry(line, "asked", None, None, question, source, more), alert)
            else:
                self._show(alert)
        return verdict

    def _still_out_of_step(self, found: Accepted | Refused) -> bool:
        """Whether moves and accusations must wait: nothing explained the table, nor do these in every spot now."""
        if self.alert is None or not isinstance(self.alert.verdict, OutOfStep):
            return False
        line = self._now.line
        for event in found.events if isinstance(found, Accepted) else found.before:
            line = line.tell(kind_of(event), event)
        try:
            line = line if isinstance(found, Accepted) else line.tell("agreed", found.event)
        except MoveError:
            return True
        return bool(line.state.layout().differences(self._overruled.heed(self._seen)))

    def _refuse(self, refused: Refused, alert: Alert, source: Source, more: dict[str, Any]) -> Row:
        """Note a refusal and show it. One that is open already, behind a doubtful reading, is only shown again."""
        if self._outstanding is not None and same_matter(self._outstanding, refused):
            self._show(alert)
            return self._now.rows[-1]
        noted = {**more, "breaches": msgspec.to_builtins(refused.breaches)}
        line, text = self._now.line.note(), self.game.text(refused.event)
        row = self._write(Entry(line, "refused", refused.seat, refused.event, text, source, noted), alert)
        self._outstanding = refused
        return row

    def _tell(self, kind: Kind, event: Event, source: Source, more: dict[str, Any]) -> Row:
        seat = seat_of(self.state, event)
        line = self._now.line.tell(kind, event)
        row = self._write(Entry(line, kind, seat, event, self.game.text(event), source, more), None)
        self._outstanding = None
        self._looks.forget()
        return row

    def _write(self, entry: Entry, alert: Alert | None) -> Row:
        """Commit a row, then and only then let it be seen, together with the alert that follows from it."""
        row = entry.write(self._journal, self._clock())
        self._publish(replace(self._now, line=entry.line, rows=(*self._now.rows, row), alert=alert))
        return row

    def _number(self, verdict: Matter, frame: int | None) -> Alert:
        self._alerts += 1
        return Alert(self._alerts, verdict, frame)

    def _show(self, alert: Alert | None) -> None:
        """Show another alert, or none."""
        if alert is not self.alert:
            self._publish(replace(self._now, alert=alert))

    def _publish(self, now: _Now) -> None:
        self._now = replace(now, version=self._now.version + 1)
        self._lock.notify_all()
        self._changed()

    def _fresh(self, expected: int | None) -> None:
        if expected is not None and expected != self.seq:
            raise StaleCommand(
                f"The table has moved on to row {self.seq} since row {expected} was shown. Look again, then repeat it."
            )

    def _heard(self, spots: Container[Spot] | None = None) -> None:
        """A person has spoken: readings at `spots` (None: anywhere) that contradict the position are overruled."""
        self._outstanding = None
        self._contrary = None
        self._looks.forget()
        self._overruled.add(self.state.layout(), self._seen, spots)
        self._show(None)
        self._look_again()


def _is_shorter(after: Verdict, put_back: Verdict, more: int) -> bool:
    """Whether going on from an illegal move takes fewer events than putting it back first and playing on.

    :param more: legal events that came with the illegal one.
    """
    if not isinstance(put_back, Accepted):
        return True
    return isinstance(after, Accepted) and len(after.events) + more < len(put_back.events)

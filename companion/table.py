"""One game on one table: what the camera reads and what persons say becomes rows, or stays open.

Everything that changes the game passes through here, under the lock of its ledger. A person's word counts more than a
reading: where a reading contradicts it, that reading says nothing for as long as it stays the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

import msgspec

from companion.alert import Alert, Matter, open_refusal, same_matter
from companion.contract import Event, Game, Over, ToRoll
from companion.doubted_roll import contradicted_roll, doubted_roll
from companion.entry import Entry
from companion.errors import BadEvent, IllegalMove
from companion.journal import Header, Journal, Kind, Row, Source
from companion.layout import Layout, Spot
from companion.ledger import Ledger
from companion.line import kind_of
from companion.looks import LOOKING, Looks
from companion.matching import HISTORY, Doubt, Referee, Standpoint, match, seat_of
from companion.pieces import Die
from companion.standing import gone_on
from companion.verdict import (
    Accepted,
    Pending,
    Refused,
    Reread,
    Same,
    TakenBack,
    Unclear,
    Verdict,
    reread_words,
)


class Table(Ledger):
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
        trusting: bool = False,
        begun: bool = False,
    ) -> None:
        """As for `Ledger`.

        :param look_again: asks the eyes to read the next steady picture even if nothing moves.
        :param settled: tells the eyes the position that they read last: what moves from here on is news.
        :param judge: `companion.matching.match`, or `spell` to see what the rules are worth as a prior.
        :param begun: the game begins with what a picture showed, so pieces may have been misread from the start.
        :param trusting: nobody is there to answer: what later pictures show to have been misread is corrected at once.
        """
        super().__init__(game, header, journal, clock=clock, changed=changed)
        self.referee = Referee(
            game,
            judge,
            draws_unseen=header.draws == "unseen",
            trusting=trusting,
            origin="read" if begun else "told",
        )
        """What judges, and remembers the table; ask it under no lock but for what it says of itself."""
        self._look_again = look_again
        self._settled = settled
        self._alerts = 0
        self._looks = Looks()
        self._outstanding = open_refusal(game, self.rows())
        self._seen = Layout()
        self._doubt: Unclear | None = None
        self._contrary: tuple[int, tuple[Die, ...]] | None = None

    @property
    def seen(self) -> Layout:
        """The last steady reading, as it was read; empty before the first."""
        return self._seen

    def see(self, layout: Layout, frame: int, *, second: Layout | None = None) -> Verdict:
        """A steady reading came in: judge it, and take what is accepted into the journal.

        Refusals and questions rest on two readings that agree: the one before and this one, or `layout` and `second`.
        Until then they are `Pending`, and the eyes are asked to look again. What nothing explains holds nothing up: the
        next change is judged by itself.

        :param frame: number of the picture, for the alert and the journal.
        :param second: an independent second reading of the same picture, where there is only the one picture.
        :raises JournalError: an accepted move could not be written; the table stays as it was.
        """
        with self._lock:
            self._seen = layout
            doubt = self._doubted(layout)
            if doubt is not None:
                return self._act(doubt, frame)
            for one in self.referee.come_to_light(self._here(), layout):
                self._reread_row(one, "camera", {"frame": frame})
                self._looks.forget()
            self._let_stand(layout, frame)
            here = self._here()
            judged = self._looks.consider(lambda seen: self.referee.verdict(here, seen), self.state, layout, second)
            if judged.again:
                self._look_again()
            verdict = self._act(judged.verdict, frame)
            if not judged.again:
                before = self.doubts
                self.referee.remember(verdict, self._here(), layout)
                if self.doubts != before:
                    self._publish(self._now)
            if self._is_whole(layout):
                self._settled(self.state.layout())
            return verdict

    def play(self, event: Event, *, source: Source, expected: int | None = None) -> Row:
        """Take an event that somebody told.

        :param expected: number of the last row that the person saw.
        :raises IllegalMove: it breaks rules; what that costs by the rules is in the rows (`charged`).
        :raises BadEvent: the position does not expect it.
        :raises GameOver: the game has ended.
        :raises StaleCommand: there are rows that the person has not seen.
        :raises JournalError: it could not be written; nothing was changed.
        """
        with self._lock:
            self._fresh(expected)
            before = self.state.layout()
            try:
                row = self._tell(kind_of(event), event, source, {})
            except IllegalMove as refused:
                raise self.charged(event, refused, source=source) from refused
            self._heard([difference.spot for difference in before.differences(self.state.layout())])
            return row

    def charged(
        self, event: Event, refused: IllegalMove, *, source: Source, expected: int | None = None
    ) -> IllegalMove:
        """Tell what an illegal move costs, where the rules take it back and charge for it (UMO-5); an undo forgives it.

        :return: the same refusal, with a sentence about the cost if there is one.
        """
        with self._lock:
            self._fresh(expected)
            cost = self.state.cost(event) if hasattr(self.state, "cost") else None
            if cost is None:
                return refused
            shown = {"breaches": msgspec.to_builtins(self.state.view(None).explain(event))}
            seat, text = seat_of(self.state, event), self.game.text(event)
            self._write(Entry(self._now.line.note(), "refused", seat, event, text, source, shown), None)
            self._tell(kind_of(cost.event), cost.event, source, {})
            self._heard()
            return IllegalMove((*refused.breaches, cost.breach))

    def contradict(self, n: int, dice: Sequence[Die]) -> None:
        """The tower tells the roll of row `n`, which the camera read, otherwise: ask who is right.

        Nothing is asked if the game has gone on since.
        """
        with self._lock:
            self._contrary = n, tuple(dice)
            self._doubt = self._contradicted(self.referee.memory.seen(self._seen))
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
            line = self._now.line if chosen.given is None else self._now.line.reread(chosen.given.state)
            for event in chosen.events:
                line = line.tell(kind_of(event), event)
            if chosen.given is not None:
                self._reread_row(chosen.given, source, {})
            for event in chosen.events:
                row = self._tell(kind_of(event), event, source, more)
            self._heard()
            return row

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """Pieces that were read, hardly surely, and never confirmed; refereeing goes on meanwhile."""
        return self.referee.doubts(self.state)

    def settle(self, key: str, choice: int, *, source: Source, expected: int | None = None) -> None:
        """Say what a doubted piece is; `key` is its place, `choice` one of its options, 0 for what it is held for.

        :raises BadEvent: no such doubt is open any more, or it has no such option.
        """
        with self._lock:
            self._fresh(expected)
            doubt = next((one for one in self.doubts if one.key == key), None)
            if doubt is None or not 0 <= choice < len(doubt.options):
                raise BadEvent("That doubt is not open any more. Nothing was changed.")
            belief, piece = doubt.belief, doubt.options[choice]
            if piece != belief.piece:
                then = self.state.reread(belief.spot, belief.piece, piece)
                self._reread_row(Reread(belief.spot, belief.piece, piece, belief.row, then), source, {})
            self.referee.confirm(key, piece)
            self._publish(self._now)

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

    def _here(self) -> Standpoint:
        """Where the game stands, for the referee."""
        line, steps = self._now.line, self.steps()
        numbered = [(0, line.book.start), *((step.n, step.state) for step in steps)][-HISTORY - 1 : -1]
        return Standpoint(self.state, tuple(numbered), self.seq)

    def _doubted(self, layout: Layout) -> Verdict | None:
        """The question about a roll that tower and camera tell differently; the camera reads twice to contradict."""
        heeded = self.referee.memory.seen(layout)
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
        """Where the rules say that an illegal move stands once it was named, take the game on from it."""
        refused, rule = self._outstanding, self.game.left_stands
        if refused is None or rule is None:
            return

        def judged(state: Any) -> Verdict:
            return self.referee.compared(self._here()._replace(state=state), self.referee.memory, layout)

        if not gone_on(self._now.line, refused, judged(self.state), judged):
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
        if isinstance(verdict, Accepted):
            more = {
                "frame": frame,
                "score": round(verdict.score, 3),
                "margin": round(verdict.margin, 3),
                "runner_up": [self.game.text(event) for event in verdict.runner_up],
            }
            if verdict.given is not None:
                self._reread_row(verdict.given, "camera", {"frame": frame})
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
        self.referee.forget_accounts()
        self._looks.forget()
        return row

    def _reread_row(self, given: Reread, source: Source, more: dict[str, Any]) -> Row:
        """Write that a piece was something else all along."""
        told = {
            **more,
            "spot": given.spot,
            "of": given.row,
            "now": msgspec.to_builtins(given.now),
            "state": msgspec.to_builtins(given.state),
        }
        line = self._now.line.reread(given.state)
        return self._write(Entry(line, "reread", None, None, reread_words(given), source, told), None)

    def _number(self, verdict: Matter, frame: int | None) -> Alert:
        self._alerts += 1
        return Alert(self._alerts, verdict, frame)

    def _heard(self, spots: Container[Spot] | None = None) -> None:
        """A person has spoken: readings at `spots` (None: anywhere) that contradict the position are overruled."""
        self._outstanding = None
        self._contrary = None
        self._looks.forget()
        self.referee.overrule(self._here(), self._seen, spots)
        self._show(None)
        self._look_again()

"""One game on one table: what the camera reads and what persons say becomes rows, or stays open.

A table wires what each does alone: the session writes rows, the referee judges readings, alerts are what is open, and
readings that people would have to answer are looked at twice. Everything that changes the game passes through here,
under the session's lock. A person's word counts more than a reading: where a reading contradicts it, that reading says
nothing for as long as it stays the same. While table and record are apart (`companion.referee.agreement`), readings are
compared with the record and never judged.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

import msgspec

from companion.contract import Event, Over, ToRoll
from companion.errors import BadEvent, IllegalMove, StaleCommand
from companion.game import Game
from companion.journal import ChainedGames, Header, Kind, Row, Source
from companion.journal.timeline import kind_of
from companion.layout import Layout, Spot
from companion.matching import HISTORY, Doubt, Referee, Standpoint, match, seat_of
from companion.pieces import Die
from companion.referee.agreement import Agreement, Apart, Comparison, compare
from companion.referee.alerts import Alerts
from companion.referee.doubted_roll import RollDispute
from companion.referee.reading_debouncer import LOOKING, ReadingDebouncer
from companion.referee.session import GameSession
from companion.referee.standing import gone_on
from companion.verdict import Accepted, OutOfStep, Pending, Refused, Reread, Same, TakenBack, Unclear, Verdict

COMPARING = "The table does not look as the record has it. It is compared before anything is judged."


class Table:
    """A game in play and what judges it. Every method may be called from any thread."""

    def __init__(
        self,
        game: Game[Any],
        header: Header,
        journal: ChainedGames,
        *,
        clock: Callable[[], float] = time.time,
        changed: Callable[[], None] = lambda: None,
        look_again: Callable[[], None] = lambda: None,
        settled: Callable[[Layout], None] = lambda position: None,
        judge: Callable[..., Verdict] = match,
        trusting: bool = False,
        begun: bool = False,
        agreed: bool = True,
    ) -> None:
        """Continue the game of `header`, as `GameSession` does.

        :param changed: called after every row and every change of the alert.
        :param look_again: asks the eyes to read the next steady picture even if nothing moves.
        :param settled: tells the eyes the position that they read last: what moves from here on is news.
        :param judge: `companion.matching.match`, or `match_without_prior` to see what the rules are worth as a prior.
        :param begun: the game begins with what a picture showed, so pieces may have been misread from the start.
        :param trusting: nobody is there to answer: what later pictures show to have been misread is corrected at once,
            and a table that nothing explains holds nothing up.
        :param agreed: the table is known to stand as the record has it; False: nothing is judged until that is shown.
        """
        self.session = GameSession(game, header, journal, clock=clock, changed=changed)
        """The position and the history: everything that may be asked of the game."""
        self.referee = Referee(
            game, judge, draws_unseen=header.draws == "unseen", trusting=trusting, origin="read" if begun else "told"
        )
        """What judges, and remembers the table; ask it under no lock but for what it says of itself."""
        self.begun = begun
        """Whether the game began with what a picture showed."""
        self._alerts = Alerts(self.session)
        self._agreement = Agreement(agreed or trusting, clock)
        self._trusting = trusting
        self._look_again = look_again
        self._settled = settled
        self._debouncer = ReadingDebouncer()
        self._seen = Layout()
        self._dispute = RollDispute()

    @property
    def seen(self) -> Layout:
        """The last steady reading, as it was read; empty before the first."""
        return self._seen

    @property
    def apart(self) -> Apart | None:
        """What is seen while table and record are not known to agree; None: they agree, and the game is judged."""
        return self._agreement.apart

    def compare_afresh(self) -> None:
        """Something may have happened that nobody saw: judge nothing until table and record are shown to agree."""
        with self.session.lock:
            if self._trusting:
                return
            self._agreement.doubt()
            self._debouncer.forget()
            self.session.show(None)
            self._look_again()

    def rely_on_people(self) -> None:
        """Nobody looks at the table any more: the record is what people tell."""
        with self.session.lock:
            if self._agreement.apart is not None:
                self._agreement.settle()
                self.session.show(None)
                self.session.touch()

    def see(self, layout: Layout, frame: int, *, second: Layout | None = None) -> Verdict:
        """A steady reading came in: judge it, and take what is accepted into the journal.

        Refusals and questions rest on two readings that agree: the one before and this one, or `layout` and `second`.
        Until then they are `Pending`, and the eyes are asked to look again. A table that nothing explains, look after
        look, is apart from the record: then readings are only compared, until they agree or a person settles it.

        :param frame: number of the picture, for the alert and the journal.
        :param second: an independent second reading of the same picture, where there is only the one picture.
        :raises JournalError: an accepted move could not be written; the table stays as it was.
        """
        with self.session.lock:
            layout = self.referee.placed(self._here(), layout)
            second = None if second is None else self.referee.placed(self._here(), second)
            self._seen = layout
            if self._agreement.apart is not None:
                return self._compare(layout, frame)
            return self._judge(layout, frame, second)

    def _judge(self, layout: Layout, frame: int, second: Layout | None) -> Verdict:
        """Judge a reading of a table that agreed with the record until now."""
        if self._disputed(layout):
            self._look_again()
            return self._act(Pending(LOOKING), frame)
        if self._dispute.question is not None:
            return self._act(self._dispute.question, frame)
        self._let_stand(layout, frame)
        here = self._here()
        judged = self._debouncer.update(
            lambda seen: self.referee.verdict(here, seen),
            lambda seen: self.referee.verdict(here, seen, glance=True),
            self.session.state,
            layout,
            second,
        )
        if isinstance(judged.verdict, OutOfStep) and not self._trusting:
            return self._compare(layout, frame)
        self._agreement.clear()
        if judged.again:
            self._look_again()
        verdict = self._act(judged.verdict, frame)
        if not judged.again:
            before = self.doubts
            self.referee.remember(verdict, self._here(), layout)
            if self.doubts != before:
                self.session.touch()
        self._tell_whole(layout)
        return verdict

    def _compare(self, layout: Layout, frame: int) -> Verdict:
        """Compare a reading with the record, which nothing explains or which is not known to agree; judge nothing."""
        seen = self._agreement.look(layout, self._comparison)
        if seen is not None:
            return self._compared(seen, frame)
        self._look_again()
        comparing = Pending(LOOKING if self._agreement.apart is None else COMPARING)
        if self.session.alert is None and not self._comparison(layout).agrees:
            self._act(comparing, frame)
        return comparing

    def _compared(self, seen: Layout, frame: int | None) -> Verdict:
        """Go on where table and record agree; else show people how they differ.

        :param seen: what steady looks show together.
        """
        apart = self._agreement.apart
        if apart is not None:
            verdict = self._act(OutOfStep(apart.found.differences), frame)
            self.session.touch()
            return verdict
        dice = self._comparison(seen).dice
        verdict = self._act(Same(), frame)
        self.referee.remember(Same(), self._here(), seen)
        if dice:  # They lie there from before: only other dice are a roll.
            self.referee.overrule(self._here(), seen, dice)
        self._tell_whole(seen)
        self.session.touch()
        return verdict

    def _comparison(self, layout: Layout) -> Comparison:
        """How a reading differs from the record, as who remembers the table sees it."""
        memory = self.referee.memory
        return compare(self.session.state.layout(), memory.seen(layout), memory.away(layout))

    def begin_from(
        self,
        position: Mapping[str, Any],
        why: str,
        *,
        number: int | None = None,
        source: Source,
        expected: int | None = None,
    ) -> Row:
        """Begin, or go on, from the position that is seen, as a person has confirmed or corrected it.

        :param position: in the form of `docs/records.md`.
        :param number: of the `Apart` that the person saw; None: whichever is shown.
        :raises BadEvent: table and record are not apart, or the table was not looked at long enough.
        :raises BadRecord: the position contradicts itself.
        :raises StaleCommand: something else is seen by now, or there are rows that the person has not seen.
        """
        with self.session.lock:
            self.session.check_fresh(expected)
            apart = self._agreement.apart
            if apart is None or apart.seen is None:
                raise BadEvent("Table and record are not apart, so nothing is taken over. Correct the record by hand.")
            if number is not None and number != apart.number:
                raise StaleCommand("The table has changed since it was shown. Look again, then repeat it.")
            row = self.session.set_position(position, why, source=source)
            self._agreement.settle()
            self._heard()
            return row

    def play(self, event: Event, *, source: Source, expected: int | None = None) -> Row:
        """Take an event that somebody told.

        :param expected: number of the last row that the person saw.
        :raises IllegalMove: it breaks rules; what that costs by the rules is in the rows (`charged`).
        :raises BadEvent: the position does not expect it, or it tells cards that software deals.
        :raises GameOver: the game has ended.
        :raises StaleCommand: there are rows that the person has not seen.
        :raises JournalError: it could not be written; nothing was changed.
        """
        self.session.check_tellable(event)
        with self.session.lock:
            self.session.check_fresh(expected)
            before = self.session.state.layout()
            try:
                row = self._tell(kind_of(event), event, source, {})
            except IllegalMove as refused:
                raise self.charged(event, refused, source=source) from refused
            self._heard([difference.spot for difference in before.differences(self.session.state.layout())])
            return row

    def charged(
        self, event: Event, refused: IllegalMove, *, source: Source, expected: int | None = None
    ) -> IllegalMove:
        """Tell what an illegal move costs, where the rules take it back and charge for it (UMO-5); an undo forgives it.

        :return: the same refusal, with a sentence about the cost if there is one.
        """
        with self.session.lock:
            self.session.check_fresh(expected)
            state = self.session.state
            penalties = self.session.game.penalties
            cost = None if penalties is None else penalties.cost(state, event)
            if cost is None:
                return refused
            shown = {"breaches": msgspec.to_builtins(self.session.game.view(state, None).explain(event))}
            seat, text = seat_of(state, event), self.session.game.text(event)
            self.session.note("refused", text, source, shown, seat=seat, event=event, alert=None)
            self._tell(kind_of(cost.event), cost.event, source, {})
            self._heard()
            return IllegalMove((*refused.breaches, cost.breach))

    def contradict(self, n: int, dice: Sequence[Die]) -> None:
        """The tower tells the roll of row `n`, which the camera read, otherwise: ask who is right.

        Nothing is asked if the game has gone on since, or while table and record are apart.
        """
        with self.session.lock:
            if self._agreement.apart is not None:
                return
            self._dispute.claim(n, dice)
            self._disputed(self._seen)
            if self._dispute.question is not None:
                self._act(self._dispute.question, None)

    def agree(self, *, source: Source, expected: int | None = None) -> Row:
        """The illegal move of the alert stands: everybody at the table accepts it.

        :raises BadEvent: no illegal move is open, or it cannot be carried out.
        """
        with self.session.lock:
            self.session.check_fresh(expected)
            refused = self._alerts.refusal()
            line = self.session.timeline
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
        """What the alert rests on was misread: drop it. Where table and record are apart, it is as recorded.

        Spots that now read differently from the position say nothing until they read differently again.

        :raises BadEvent: no alert is open.
        """
        with self.session.lock:
            self.session.check_fresh(expected)
            if self.session.alert is None:
                raise BadEvent("No alert is open. Nothing was changed.")
            self._agreement.settle()
            self._heard()

    def answer(self, choice: int, *, source: Source, expected: int | None = None) -> Row:
        """Say which of the alert's choices happened; 0 is the first.

        Choosing an illegal one turns the question into a refusal, which then waits for its own answer.

        :raises BadEvent: no question is open, or it has no such choice.
        """
        with self.session.lock:
            self.session.check_fresh(expected)
            question = self._alerts.question(choice)
            if question == self._dispute.question:
                return self._settle_roll(question, choice, source)
            chosen = question.choices[choice]
            more = {"asked": [option.text for option in question.choices], "answer": choice}
            if chosen.breaches:
                *before, event = chosen.events
                alert, seat = self.session.alert, seat_of(self.session.state, event)
                refused = Refused(event, seat, chosen.breaches, 0.0, tuple(before))
                return self._alerts.refuse(refused, None if alert is None else alert.frame, source, more)
            line = self.session.timeline if chosen.undo is None else self.session.timeline.undo(chosen.undo)
            line = line if chosen.given is None else line.reread(chosen.given.state)
            for event in chosen.events:
                line = line.tell(kind_of(event), event)
            if chosen.undo is not None:
                self.session.undo(chosen.undo, "an earlier row was misread", source=source)
            if chosen.given is not None:
                self._reread(chosen.given, source, {})
            for event in chosen.events:
                self._tell(kind_of(event), event, source, more)
            self._heard()
            return self.session.rows()[-1]

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """Pieces that were read, hardly surely, and never confirmed; refereeing goes on meanwhile."""
        return () if self._agreement.apart is not None else self.referee.doubts(self.session.state)

    def answer_doubt(self, key: str, choice: int, *, source: Source, expected: int | None = None) -> None:
        """Say what a doubted piece is; `key` is its place, `choice` one of its options, 0 for what it is held for.

        :raises BadEvent: no such doubt is open any more, or it has no such option.
        """
        with self.session.lock:
            self.session.check_fresh(expected)
            doubt = next((one for one in self.doubts if one.key == key), None)
            if doubt is None or not 0 <= choice < len(doubt.options):
                raise BadEvent("That doubt is not open any more. Nothing was changed.")
            belief, piece = doubt.belief, doubt.options[choice]
            if piece != belief.piece:
                proposer = self.session.game.proposer
                assert proposer is not None and proposer.reread is not None
                then = proposer.reread(self.session.state, belief.spot, belief.piece, piece)
                self.session.reread(Reread(belief.spot, belief.piece, piece, belief.row, then), source, {})
            self.referee.confirm(key, piece)
            self.session.touch()

    def undo(self, to: int, why: str, *, source: Source, expected: int | None = None) -> Row:
        """Go back to the position after row `to`; see `GameSession.undo`.

        Where a position is undone that people had set up, the table is compared with the record afresh.
        """
        with self.session.lock:
            self.session.check_fresh(expected)
            counted = self.session.undone()
            row = self.session.undo(to, why, source=source)
            gone = self.session.undone() - counted
            if not self._trusting and any(self.session.rows()[n - 1].kind == "position" for n in gone):
                self._agreement.doubt()
            self._heard()
            return row

    def correct(self, n: int, event: Event, why: str, *, source: Source, expected: int | None = None) -> Row:
        """Row `n` really was `event`; see `GameSession.correct`."""
        with self.session.lock:
            self.session.check_fresh(expected)
            row = self.session.correct(n, event, why, source=source)
            self._heard()
            return row

    def set_position(
        self, position: Mapping[str, Any], why: str, *, source: Source, expected: int | None = None
    ) -> Row:
        """Set up any position; see `GameSession.set_position`."""
        with self.session.lock:
            self.session.check_fresh(expected)
            row = self.session.set_position(position, why, source=source)
            self._heard()
            return row

    def _tell_whole(self, layout: Layout) -> None:
        """Tell the eyes the position if a reading shows all of it."""
        if self._is_whole(layout):
            self._settled(self.session.state.layout())

    def _is_whole(self, layout: Layout) -> bool:
        """Whether a reading shows all of the position and nothing is in a hand, nor to be rolled."""
        if isinstance(self.session.state.expects(), ToRoll):
            return False
        table, seen = self.session.state.layout(), layout.heaps
        counted = all(len(seen[spot]) == len(heap) for spot, heap in table.heaps.items() if spot in seen)
        return counted and not table.differences(layout)

    def _here(self) -> Standpoint:
        """Where the game stands, for the referee."""
        line, steps = self.session.timeline, self.session.steps()
        numbered = [(0, line.book.start), *((step.n, step.state) for step in steps)][-HISTORY - 1 : -1]
        return Standpoint(self.session.state, tuple(numbered), self.session.seq)

    def _disputed(self, layout: Layout) -> bool:
        """Whether tower and camera begin to tell the last roll differently; the camera reads twice to contradict."""
        seen = self.referee.memory.seen(layout)
        return self._dispute.look(self.session.game, self.session.timeline, self.session.rows(), seen)

    def _settle_roll(self, question: Unclear, choice: int, source: Source) -> Row:
        """Answer the question between tower (0) and camera (1): the roll stands, or is corrected."""
        last = self.session.timeline.tip
        assert last is not None
        right = question.choices[choice].events[0]
        self._dispute.question = None
        if right != last.event:
            who = ("tower", "camera")[choice]
            return self.correct(last.n, right, f"the {who} is right", source=source)
        text = f"the roll stands: {self.session.game.text(right)}"
        row = self.session.note("asked", text, source, {"answer": 0}, alert=None)
        self._heard()
        return row

    def _let_stand(self, layout: Layout, frame: int) -> None:
        """Where the rules say that an illegal move stands once it was named, take the game on from it."""
        refused, rule = self._alerts.outstanding, self.session.game.left_stands
        if refused is None or rule is None:
            return

        def judged(state: Any) -> Verdict:
            return self.referee.compared(self._here()._replace(state=state), self.referee.memory, layout)

        if not gone_on(self.session.timeline, refused, judged(self.session.state), judged):
            return
        for event in refused.before:
            self._tell(kind_of(event), event, "camera", {"frame": frame})
        breaches = msgspec.to_builtins(refused.breaches)
        self._tell("agreed", refused.event, "camera", {"frame": frame, "rule": rule, "breaches": breaches})

    def _act(self, verdict: Verdict, frame: int | None) -> Verdict:
        """Carry a verdict out: rows for what is accepted, an alert for what is open."""
        if isinstance(verdict, Same):
            back = self._alerts.outstanding
            self._alerts.close()
            return TakenBack(self.session.seq, back.event) if back is not None else verdict
        if isinstance(verdict, Accepted):
            more = {
                "frame": frame,
                "score": round(verdict.score, 3),
                "margin": round(verdict.margin, 3),
                "runner_up": [self.session.game.text(event) for event in verdict.runner_up],
            }
            if verdict.given is not None:
                self._reread(verdict.given, "camera", {"frame": frame})
            for event in verdict.events:
                self._write(kind_of(event), event, "camera", more)
            return verdict
        if isinstance(self.session.state.expects(), Over):
            self.session.show(None)
        else:
            self._alerts.raise_(verdict, frame, "tower" if verdict == self._dispute.question else "camera")
        return verdict

    def _write(self, kind: Kind, event: Event, source: Source, more: dict[str, Any]) -> Row:
        """Write the row of an event that the last reading shows."""
        row = self.session.tell(kind, event, source, more)
        self._alerts.outstanding = None
        self._debouncer.forget()
        return row

    def _tell(self, kind: Kind, event: Event, source: Source, more: dict[str, Any]) -> Row:
        """Write the row of an event that a person told, or that stands by the rules."""
        row = self._write(kind, event, source, more)
        self.referee.advance(event, self._here())
        return row

    def _reread(self, given: Reread, source: Source, more: dict[str, Any]) -> None:
        """Write what was misread before."""
        for one in (*given.also, given):
            self.session.reread(one, source, more)

    def _heard(self, spots: Container[Spot] | None = None) -> None:
        """A person has spoken: readings at `spots` (None: anywhere) that contradict the position are overruled.

        While table and record are apart, nothing is overruled: the table is compared with what the record has now.
        """
        self._dispute.drop_claim()
        self._debouncer.forget()
        if self._agreement.apart is not None:
            seen = self._agreement.again(self._comparison)
            if seen is not None:
                self._compared(seen, None)
            self._look_again()
            return
        self.referee.overrule(self._here(), self._seen, spots)
        self._alerts.close()
        self._look_again()

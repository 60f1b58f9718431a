"""Handles the readings of one table: they become rows, open an alert, or are only compared with the record.

A reading goes one of two ways. While table and record agree, the referee judges it, and accepted events become rows.
While they disagree (`companion.referee.table.agreement`), the reading is only compared with the record.
`companion.referee.table.table.Table` passes on readings and the statements of people; all calls are made under the
session's lock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.core.contract import Event, Over, Rolled, ToRoll
from companion.core.foundation.errors import MoveError
from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import Card, Die, Special
from companion.core.verdict import (
    Accepted,
    Choice,
    Desynchronized,
    Pending,
    Refused,
    Reread,
    Same,
    TakenBack,
    Unclear,
    Verdict,
)
from companion.referee.journal import Kind, Row, Source
from companion.referee.journal.timeline import Timeline, kind_of
from companion.referee.matching import HISTORY, Doubt, Referee, Standpoint
from companion.referee.matching.covered_cards import fits_all
from companion.referee.matching.foresight import after_all
from companion.referee.matching.judging import ACCEPT_MARGIN
from companion.referee.session.session import GameSession
from companion.referee.table.agreement import Agreement, Comparison, compare
from companion.referee.table.alerts import Alerts
from companion.referee.table.doubted_roll import RollDispute
from companion.referee.table.reading_debouncer import LOOKING, ReadingDebouncer


def gone_on(timeline: Timeline, refused: Refused, put_back: Verdict, judged: Callable[[Any], Verdict]) -> bool | None:
    """True if the game has continued after an illegal move that was not put back; None if that is not sure: a legal
    continuation of it looks like a piece that was put back, or a piece that would show it is off the table.

    This is the case if the table does not show the position before the move, but a continuation of the position after
    it, with fewer events than legal ones from the position before it would take.

    Args:
        timeline: The events that count; the refused one is not among them.
        put_back: The verdict on the reading, compared with the position before the move.
        judged: Returns the verdict on the reading, compared with a position.
    """
    if isinstance(put_back, Same):
        return False
    try:
        for event in refused.before:
            timeline = timeline.tell(kind_of(event), event)
        before, timeline = timeline.state, timeline.tell("agreed", refused.event)
    except MoveError:
        return False
    after = judged(timeline.state)
    if isinstance(after, Same | Desynchronized | TakenBack):
        return False
    if isinstance(after, Pending):
        return None
    if not isinstance(put_back, Accepted):
        goes_on = True
    else:
        goes_on = isinstance(after, Accepted) and len(after.events) + len(refused.before) < len(put_back.events)
    if goes_on and isinstance(after, Accepted) and _is_put_back(before, timeline.state, after):
        return None
    return goes_on


def _is_put_back(before: Any, stands: Any, after: Accepted) -> bool:
    """True if events would bring a piece to the heap from which the refused event took such a piece.

    Args:
        before: The position before the refused event; `stands`: the position after it.
        after: The verdict on the reading, compared with the position after it.
    """
    try:
        later = after_all(stands if after.given is None else after.given.state, after.events)
    except MoveError:
        return False
    tables = (before.layout(), stands.layout(), later.layout())
    for spot in tables[0].heaps:
        was, stood, now = (Counter(one.piece for one in table.heaps.get(spot, ())) for table in tables)
        if (was - stood) & (now - stood):
            return True
    return False


COMPARING = "The table does not look as the record has it. It is compared before anything is judged."


class ReadingJudge:
    """Judges or compares the readings of one table. Callers hold the session's lock."""

    def __init__(
        self,
        session: GameSession,
        referee: Referee,
        agreement: Agreement,
        *,
        look_again: Callable[[], None],
        settled: Callable[[Layout], None],
        trusting: bool,
    ) -> None:
        """The parameters are those of `companion.referee.table.table.Table`."""
        self.alerts = Alerts(session)
        self.agreement = agreement
        self.dispute = RollDispute()
        self.seen = Layout()
        """The last steady reading; empty before the first."""
        self.look_again = look_again
        self._session = session
        self._referee = referee
        self._settled = settled
        self._trusting = trusting
        self._debouncer = ReadingDebouncer()
        self._may_stand = False
        """True if the game may have continued legally from a refused move that looks put back."""
        self._missed = False
        """True if cards may have been played that the record lacks."""
        self._put_back: Event | None = None
        """The refused event that was last taken back, if nothing has happened since."""
        self._visits: dict[Spot, int] = {}
        """By zone of cards: how often something was over it since its cards were last seen and explained."""
        self._unexplained: dict[Spot, tuple[Detection, ...]] = {}
        """By heap: the cards in steady pictures that no event explained, since the last explained picture."""
        self._is_first = True
        """True until a reading was judged, or was seen to agree with the record."""

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """The pieces that were read with low confidence and never confirmed; none while judging is stopped."""
        return () if self.agreement.apart is not None else self._referee.doubts(self._session.state)

    def see(self, layout: Layout, frame: int, further: Sequence[Layout]) -> Verdict:
        """Takes in a steady reading; see `companion.referee.table.table.Table.see`."""
        visited = frozenset(layout.visits)
        layout = self._with_past(layout)
        layout = self._referee.placed(self.here(), layout)
        further = [self._referee.placed(self.here(), other) for other in further]
        self.seen = layout
        if self.agreement.apart is not None:
            return self._compare(layout, frame)
        return self._judge(layout, frame, further, visited)

    def _with_past(self, layout: Layout) -> Layout:
        """Returns a reading with all visits to zones of cards, and all unexplained cards, since each zone was last
        explained.
        """
        if not layout.again:
            self._visits = dict(Counter(self._visits) + Counter(layout.visits))
        return replace(layout, visits=self._visits, unexplained=self._unexplained)

    def compare_afresh(self) -> None:
        """Stops judging until table and record are known to agree, and drops the open question."""
        self.agreement.doubt()
        self._debouncer.forget()
        self._session.show(None)
        self.look_again()

    def rely_on_people(self) -> None:
        """Relies on the record alone, because there is no camera any more."""
        if self.agreement.apart is not None:
            self.agreement.settle()
            self._session.show(None)
            self._session.touch()

    def contradict(self, n: int, dice: Sequence[Die]) -> None:
        """Records that the tower reports another roll than row `n`, which the camera read."""
        if self.agreement.apart is not None:
            return
        self.dispute.claim(n, dice)
        self._is_disputed(self.seen)
        if self.dispute.question is not None:
            self.act(self.dispute.question, None)

    def _judge(self, layout: Layout, frame: int, further: Sequence[Layout], visited: frozenset[Spot]) -> Verdict:
        """Judges a reading of a table that has agreed with the record until now.

        Args:
            visited: The zones over which something was since the previous reading.
        """
        if self._is_disputed(layout):
            self.look_again()
            return self.act(Pending(LOOKING), frame)
        if self.dispute.question is not None:
            return self.act(self.dispute.question, frame)
        self._let_stand(layout, frame)
        here = self.here()
        judged = self._debouncer.update(
            lambda seen: self._referee.verdict(here, seen),
            lambda seen: self._referee.verdict(here, seen, glance=True),
            self._session.state,
            layout,
            further,
        )
        if isinstance(judged.verdict, Desynchronized) and not self._trusting:
            return self._compare(layout, frame)
        self.agreement.clear()
        corrected = isinstance(judged.verdict, Accepted) and not judged.verdict.events  # Now the rest can be judged.
        if judged.again or corrected:
            self.look_again()
        verdict = self.act(self._excused(judged.verdict, judged.seen), frame)
        if isinstance(verdict, Same) and not layout.again:
            verdict = self._visited(visited, frame)
        if not judged.again:
            half_made = self._is_half_made(verdict, judged.seen)
            self._missed = not half_made and self._has_missed(verdict)
            self._unexplained = self._still_unexplained(judged.seen) if half_made or self._missed else {}
        if isinstance(verdict, Same | Accepted | TakenBack):
            unseen = self._session.state.layout().heaps.keys() - judged.seen.heaps.keys()
            self._visits = {spot: count for spot, count in self._visits.items() if spot in unseen}
        if not judged.again and not half_made:
            before = self.doubts
            self._referee.remember(verdict, self.here(), judged.seen)
            if self.doubts != before:
                self._session.touch()
        rolled = isinstance(verdict, Accepted) and any(isinstance(event, Rolled) for event in verdict.events)
        self._tell_whole(layout, lie=rolled or self._is_first)
        self._is_first = False
        return verdict

    def _compare(self, layout: Layout, frame: int) -> Verdict:
        """Compares a reading with the record, without judging it, if it is unexplained or agreement is unknown."""
        seen = self.agreement.look(layout, self._comparison)
        if seen is not None:
            return self._compared(seen, frame)
        self.look_again()
        comparing = Pending(LOOKING if self.agreement.apart is None else COMPARING)
        if self._session.alert is None and not self._comparison(layout).agrees:
            self.act(comparing, frame)
        return comparing

    def _compared(self, seen: Layout, frame: int | None) -> Verdict:
        """Continues the game if table and record agree; otherwise it shows people the differences.

        Args:
            seen: The combined reading of steady looks.
        """
        apart = self.agreement.apart
        if apart is not None:
            verdict = self.act(Desynchronized(apart.found.differences), frame)
            self._session.touch()
            return verdict
        dice = self._comparison(seen).dice
        verdict = self.act(Same(), frame)
        self._referee.remember(Same(), self.here(), seen)
        if dice:  # These dice were there before; only other dice would be a roll.
            self._referee.overrule(self.here(), seen, dice)
        self._tell_whole(seen, lie=True)
        self._is_first = False
        self._session.touch()
        return verdict

    def _comparison(self, layout: Layout) -> Comparison:
        """Returns the differences between a reading, supplemented by the memory of the table, and the record."""
        memory = self._referee.memory
        return compare(self._session.state.layout(), memory.seen(layout), memory.away(layout))

    def _tell_whole(self, layout: Layout, *, lie: bool) -> None:
        """Confirms the position to the eyes if a reading shows all of it.

        Args:
            lie: True if the dice in the reading are known to be those of the record. Otherwise, while a roll
                is due, they may be that roll with equal faces.
        """
        if (lie or not isinstance(self._session.state.expects(), ToRoll)) and self._is_whole(layout):
            self._settled(self._session.state.layout())

    def _is_whole(self, layout: Layout) -> bool:
        """True if a reading shows the whole position, and no piece is in a hand."""
        table, seen = self._session.state.layout(), layout.heaps
        counted = all(len(seen[spot]) == len(heap) for spot, heap in table.heaps.items() if spot in seen)
        return counted and not table.differences(layout)

    def here(self) -> Standpoint:
        """Returns the present position and the recent ones, for the referee."""
        line, steps = self._session.timeline, self._session.steps()
        numbered = [(0, line.book.start), *((step.n, step.state) for step in steps)][-HISTORY - 1 : -1]
        return Standpoint(self._session.state, tuple(numbered), self._session.seq)

    def _is_disputed(self, layout: Layout) -> bool:
        """True if tower and camera have just begun to disagree about the last roll; the camera then reads again."""
        seen = self._referee.memory.seen(layout)
        return self.dispute.look(self._session.game, self._session.timeline, self._session.rows(), seen)

    def _let_stand(self, layout: Layout, frame: int) -> None:
        """Continues from an illegal move that was left on the table, if the rules let such a move stand."""
        refused, rule = self.alerts.outstanding, self._session.game.left_stands
        self._may_stand = False
        if refused is None or rule is None:
            return

        def judged(state: Any) -> Verdict:
            return self._referee.compared(self.here()._replace(state=state), self._referee.memory, layout)

        put_back = judged(self._session.state)
        apart = self._session.state.layout().differences(layout)
        if isinstance(put_back, Pending) and any(one.spot in layout.obscured for one in apart):
            return  # A part of it is put back; the rest may lie under what covers the heap.
        goes_on = gone_on(self._session.timeline, refused, put_back, judged)
        self._may_stand = goes_on is None
        if not goes_on:
            return
        for event in refused.before:
            self.tell(kind_of(event), event, "camera", {"frame": frame})
        breaches = msgspec.to_builtins(refused.breaches)
        self.tell("agreed", refused.event, "camera", {"frame": frame, "rule": rule, "breaches": breaches})

    def act(self, verdict: Verdict, frame: int | None) -> Verdict:
        """Carries a verdict out: it writes rows for accepted events, or an alert for an open matter."""
        if isinstance(verdict, Same):
            back = self.alerts.outstanding
            self.alerts.close()
            if back is None:
                return verdict
            self._put_back = back.event
            return TakenBack(self._session.seq, back.event)
        if isinstance(verdict, Accepted):
            more = {
                "frame": frame,
                "score": round(verdict.score, 3),
                "margin": round(verdict.margin, 3),
                "runner_up": [self._session.game.text(event) for event in verdict.runner_up],
            }
            if verdict.given is not None:
                self.reread(verdict.given, "camera", {"frame": frame})
            for event in verdict.events:
                self._write(kind_of(event), event, "camera", more)
            return verdict
        if isinstance(self._session.state.expects(), Over):
            self._session.show(None)
        else:
            self.alerts.raise_(verdict, frame, "tower" if verdict == self.dispute.question else "camera")
        return verdict

    def _excused(self, verdict: Verdict, seen: Layout) -> Verdict:
        """Returns the verdict, or a question instead, if cards may have been played that the record lacks, or if a
        refused move may stand and the game may have continued legally from it.
        """
        if (self._missed or self._may_stand) and isinstance(verdict, Refused):
            events = (*verdict.before, verdict.event)
            return Unclear((Choice(events, self._session.game.told(events), verdict.breaches, 0.0),))
        if not isinstance(verdict, Accepted):
            return verdict
        stands = self._may_stand and not self._referee.is_put_back(self.here(), seen)
        if stands or (self._missed and not fits_all(self._session.state, verdict, seen)):
            return Unclear((Choice(verdict.events, self._session.game.told(verdict.events), (), 0.0, confirm=True),))
        return verdict

    def _is_half_made(self, verdict: Verdict, seen: Layout) -> bool:
        """True if the game waits for the rest of a move with cards of which the reading shows a part."""
        proposer = self._session.game.proposer
        prompt = None if proposer is None else proposer.pending_prompt
        if prompt is None or not isinstance(verdict, Pending) or not self._has_cards():
            return False
        return verdict.text == prompt(self._session.state, seen)

    def _still_unexplained(self, seen: Layout) -> dict[Spot, tuple[Detection, ...]]:
        """Returns, by heap, the cards that the position does not have there, from this picture and the ones before."""
        found = dict(self._unexplained)
        expected = self._session.state.layout().heaps
        for spot, heap in seen.heaps.items():
            held = {one.piece for one in (*expected.get(spot, ()), *found.get(spot, ()))}
            if new := tuple(one for one in heap if isinstance(one.piece, Card | Special) and one.piece not in held):
                found[spot] = (*found.get(spot, ()), *new)
        return found

    def _has_missed(self, verdict: Verdict) -> bool:
        """True if the table may show played cards that the record lacks."""
        if isinstance(verdict, Refused):
            return self._missed
        behind = isinstance(verdict, Pending | Unclear | Desynchronized)
        return (behind or (isinstance(verdict, TakenBack) and verdict.event is None)) and self._has_cards()

    def _has_cards(self) -> bool:
        """True if the position has face-up cards, on which others may be played."""
        heaps = self._session.state.layout().heaps.values()
        return any(isinstance(one.piece, Card | Special) for heap in heaps for one in heap)

    def _visited(self, visited: frozenset[Spot], frame: int | None) -> Verdict:
        """Judges a hand that left the table as it was: a draw, or the penalty for a play that was put back.

        If people can answer, the table asks them.

        Args:
            visited: The zones over which the hand was since the previous reading.
        """
        game, state = self._session.game, self._session.state
        visit = None if game.proposer is None else game.proposer.visit
        event = None if visit is None or not visited else visit(state, visited)
        if event is None:
            return Same()
        if self._put_back is not None and game.penalties is not None:
            cost = game.penalties.cost(state, self._put_back)
            event = event if cost is None else cost.event
        if state.violations(event):
            return Same()
        if self._trusting:
            return self.act(Accepted((event,), 0.0, ACCEPT_MARGIN), frame)
        return self.act(Unclear((Choice((event,), game.text(event), (), 0.0, confirm=True),)), frame)

    def _write(self, kind: Kind, event: Event, source: Source, more: dict[str, Any]) -> Row:
        """Writes the row of an event that the last reading shows."""
        row = self._session.tell(kind, event, source, more)
        self.alerts.outstanding = self._put_back = None
        self._debouncer.forget()
        return row

    def tell(self, kind: Kind, event: Event, source: Source, more: dict[str, Any]) -> Row:
        """Writes the row of an event that a person entered, or that stands by the rules."""
        row = self._write(kind, event, source, more)
        self._referee.advance(event, self.here())
        return row

    def reread(self, given: Reread, source: Source, more: dict[str, Any]) -> None:
        """Writes the row of an earlier misreading."""
        for one in (*given.also, given):
            self._session.reread(one, source, more)

    def heard(self, spots: Container[Spot] | None = None) -> None:
        """Overrules readings at `spots` (None: anywhere) that contradict the position, because a person has decided.

        While table and record disagree, the table is compared with the new record instead.
        """
        self.dispute.drop_claim()
        self._debouncer.forget()
        if self.agreement.apart is not None:
            seen = self.agreement.again(self._comparison)
            if seen is not None:
                self._compared(seen, None)
            self.look_again()
            return
        self._referee.overrule(self.here(), self.seen, spots)
        self.alerts.close()
        self.look_again()

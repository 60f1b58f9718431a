"""One game on one table: readings and the statements of people become rows, or stay open.

A table connects its parts: the session writes rows, the referee judges readings, alerts hold open matters, and
`companion.referee.table.reading_judge` takes in readings. Everything that changes the game passes through here, under
the session's lock. A person's statement has priority over a reading: a reading that contradicts it is ignored until it
changes.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from companion.core.contract import Event, Seat
from companion.core.foundation.errors import BadEvent, IllegalMove, StaleCommand
from companion.core.game import Game
from companion.core.layout import Layout
from companion.core.pieces import Die
from companion.core.verdict import Refused, Reread, Unclear, Verdict
from companion.referee.journal import ChainedGames, Header, Row, Source
from companion.referee.journal.timeline import kind_of
from companion.referee.matching import Doubt, Referee, match, seat_of
from companion.referee.session.session import GameSession
from companion.referee.table.agreement import Agreement, Apart
from companion.referee.table.reading_judge import ReadingJudge


class Table:
    """A game in play and its referee. Every method may be called from any thread."""

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
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        """Continues the game of `header`, as `GameSession` does.

        Args:
            changed: A function that is called after every row and every change of the alert.
            look_again: A function that asks the eyes to read the next steady picture even if nothing moves.
            settled: A function that confirms the last read position to the eyes, so that later movements are new.
            judge: `companion.referee.matching.match`, or another function for comparison.
            begun: True if the game begins with a read position, so that pieces may have been misread from the start.
            trusting: True if no person can answer: misreadings that later pictures reveal are corrected at once, and an
                unexplained table stops no game.
            random_bytes: Draws the secret seed by which software rolls and draws on demand.
            agreed: True if table and record are known to agree; otherwise judging waits until they do.
        """
        self.session = GameSession(game, header, journal, clock=clock, changed=changed, random_bytes=random_bytes)
        """The position and the history of the game."""
        self.referee = Referee(
            game, judge, draws_unseen=header.draws == "unseen", trusting=trusting, origin="read" if begun else "told"
        )
        """The referee with its memory of the table; without the session's lock, use only its own data."""
        self.begun = begun
        """True if the game began with a read position."""
        self._trusting = trusting
        self._judge = ReadingJudge(
            self.session,
            self.referee,
            Agreement(agreed or trusting, clock),
            look_again=look_again,
            settled=settled,
            trusting=trusting,
        )

    @property
    def seen(self) -> Layout:
        """The last steady reading; empty before the first."""
        return self._judge.seen

    @property
    def apart(self) -> Apart | None:
        """The reading while table and record may disagree; None: they agree, and the game is judged."""
        return self._judge.agreement.apart

    def compare_afresh(self) -> None:
        """Stops judging until table and record are known to agree, because an event may have been missed."""
        with self.session.lock:
            if not self._trusting:
                self._judge.compare_afresh()

    def rely_on_people(self) -> None:
        """Relies on the record alone, because there is no camera any more."""
        with self.session.lock:
            self._judge.rely_on_people()

    def see(self, layout: Layout, frame: int, *, further: Sequence[Layout] = ()) -> Verdict:
        """Judges a steady reading, and writes accepted events to the journal.

        Refusals and questions need three readings of one steady table: the previous ones and this one, or `layout` and
        `further`. Until then they are `Pending`, and the eyes are asked to look again. If a table stays unexplained,
        table and record disagree: readings are then only compared, until they agree or a person decides.

        Args:
            frame: The number of the picture, for the alert and the journal.
            further: Further readings of the same picture, if there is only one picture.

        Raises:
            JournalError: An accepted move could not be written; the table stays as it was.
        """
        with self.session.lock:
            return self._judge.see(layout, frame, further)

    def begin_from(
        self,
        position: Mapping[str, Any],
        why: str,
        *,
        number: int | None = None,
        source: Source,
        expected: int | None = None,
    ) -> Row:
        """Begins, or goes on, from the position in the reading, as a person has confirmed or corrected it.

        Args:
            position: The position in the form of `docs/records.md`.
            number: The number of the `Apart` that the person saw; None: the present one.

        Raises:
            BadEvent: Table and record agree, or the table was not looked at long enough.
            BadRecord: The position contradicts itself.
            StaleCommand: Another reading is shown by now, or there are rows that the person has not seen.
        """
        with self.session.lock:
            self.session.check_fresh(expected)
            apart = self._judge.agreement.apart
            if apart is None or apart.seen is None:
                raise BadEvent("Table and record are not apart, so nothing is taken over. Correct the record by hand.")
            if number is not None and number != apart.number:
                raise StaleCommand("The table has changed since it was shown. Look again, then repeat it.")
            row = self.session.set_position(position, why, source=source)
            self._judge.agreement.settle()
            self._judge.heard()
            return row

    def play(self, event: Event, *, source: Source, expected: int | None = None) -> Row:
        """Takes an event that a person entered.

        Args:
            expected: The number of the last row that the person saw.

        Raises:
            IllegalMove: The event breaks rules; the penalty, if any, is in the rows (`charged`).
            BadEvent: The position does not expect the event, or it enters cards that software deals.
            GameOver: The game has ended.
            StaleCommand: There are rows that the person has not seen.
            JournalError: The row could not be written; the game is unchanged.
        """
        self.session.check_tellable(event)
        with self.session.lock:
            self.session.check_fresh(expected)
            before = self.session.state.layout()
            try:
                row = self._judge.tell(kind_of(event), event, source, {})
            except IllegalMove as refused:
                raise self.charged(event, refused, source=source) from refused
            self._judge.heard([difference.spot for difference in before.differences(self.session.state.layout())])
            return row

    def let_chance_decide(self, seat: Seat | None = None, *, expected: int | None = None) -> Row:
        """Rolls the due dice or draws the due pieces by software; the row records the seed of the outcome.

        Args:
            seat: The seat that draws, where several may; None: the one whose turn it is.
            expected: The number of the last row that the person saw.

        Raises:
            BadEvent: No chance event is due, or this seat may not draw.
            StaleCommand: There are rows that the person has not seen.
            JournalError: The row could not be written; the game is unchanged.
        """
        with self.session.lock:
            self.session.check_fresh(expected)
            event, seed = self.session.chance(seat)
            row = self._judge.tell(kind_of(event), event, "software", {"seed": seed.hex()})
            self._judge.heard()
            return row

    def charged(
        self, event: Event, refused: IllegalMove, *, source: Source, expected: int | None = None
    ) -> IllegalMove:
        """Writes the penalty for an illegal move, if the rules charge one for a move that is taken back (UMO-5). An
        undo removes the penalty.

        Returns:
            The same refusal, with a sentence about the penalty if there is one.
        """
        with self.session.lock:
            self.session.check_fresh(expected)
            state = self.session.state
            penalties = self.session.game.penalties
            cost = None if penalties is None else penalties.cost(state, event)
            if cost is None:
                return refused
            shown = {"breaches": msgspec.to_builtins(self.session.game.view(state, None).violations(event))}
            seat, text = seat_of(state, event), self.session.game.text(event)
            self.session.note("refused", text, source, shown, seat=seat, event=event, alert=None)
            self._judge.tell(kind_of(cost.event), cost.event, source, {})
            self._judge.heard()
            return IllegalMove((*refused.breaches, cost.breach))

    def contradict(self, n: int, dice: Sequence[Die]) -> None:
        """Asks about the roll of row `n`, which the camera read and the tower contradicts.

        It does not ask if the game has gone on since, or while table and record disagree.
        """
        with self.session.lock:
            self._judge.contradict(n, dice)

    def agree(self, *, source: Source, expected: int | None = None) -> Row:
        """Lets the illegal move of the alert stand, because everybody at the table accepts it.

        Raises:
            BadEvent: No illegal move is open, or the move cannot be carried out.
        """
        with self.session.lock:
            self.session.check_fresh(expected)
            refused = self._judge.alerts.refusal()
            line = self.session.timeline
            for event in refused.before:
                line = line.tell(kind_of(event), event)
            line.tell("agreed", refused.event)
            for event in refused.before:
                self._judge.tell(kind_of(event), event, "camera", {})
            breaches = msgspec.to_builtins(refused.breaches)
            row = self._judge.tell("agreed", refused.event, source, {"breaches": breaches})
            self._judge.heard()
            return row

    def misread(self, *, source: Source, expected: int | None = None) -> None:
        """Drops the alert, because its reading was wrong.

        If table and record disagree, the record counts as right. Readings that differ from the position are ignored
        until they change.

        Raises:
            BadEvent: No alert is open.
        """
        with self.session.lock:
            self.session.check_fresh(expected)
            if self.session.alert is None:
                raise BadEvent("No alert is open. Nothing was changed.")
            self._judge.agreement.settle()
            self._judge.heard()

    def answer(self, choice: int, *, source: Source, expected: int | None = None) -> Row:
        """Records which of the alert's choices happened; 0 is the first.

        Choosing an illegal one turns the question into a refusal, which then waits for its own answer.

        Raises:
            BadEvent: No question is open, or it has no such choice.
        """
        with self.session.lock:
            self.session.check_fresh(expected)
            question = self._judge.alerts.question(choice)
            if question == self._judge.dispute.question:
                return self._settle_roll(question, choice, source)
            chosen = question.choices[choice]
            more = {"asked": [option.text for option in question.choices], "answer": choice}
            if chosen.breaches:
                *before, event = chosen.events
                alert, seat = self.session.alert, seat_of(self.session.state, event)
                refused = Refused(event, seat, chosen.breaches, 0.0, tuple(before))
                return self._judge.alerts.refuse(refused, None if alert is None else alert.frame, source, more)
            stood = self.session.state.layout()
            line = self.session.timeline if chosen.undo is None else self.session.timeline.undo(chosen.undo)
            line = line if chosen.given is None else line.reread(chosen.given.state)
            for event in chosen.events:
                line = line.tell(kind_of(event), event)
            if chosen.undo is not None:
                self.session.undo(chosen.undo, "an earlier row was misread", source=source)
            if chosen.given is not None:
                self._judge.reread(chosen.given, source, {})
            for event in chosen.events:
                self._judge.tell(kind_of(event), event, source, more)
            self._judge.heard([difference.spot for difference in stood.differences(self.session.state.layout())])
            return self.session.rows()[-1]

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """The pieces that were read with low confidence and never confirmed; refereeing goes on meanwhile."""
        return self._judge.doubts

    def answer_doubt(self, key: str, choice: int, *, source: Source, expected: int | None = None) -> None:
        """Records what a doubted piece is. `key` is its place and `choice` the index of an option; option 0 is the
        present reading.

        Raises:
            BadEvent: No such doubt is open any more, or it has no such option.
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
        """Goes back to the position after row `to`; see `GameSession.undo`.

        If the undo removes a position that people had set up, table and record are compared afresh.
        """
        with self.session.lock:
            self.session.check_fresh(expected)
            counted = self.session.undone()
            row = self.session.undo(to, why, source=source)
            gone = self.session.undone() - counted
            looked = not self._trusting and self._judge.seen != Layout()
            if looked and any(self.session.rows()[n - 1].kind == "position" for n in gone):
                self._judge.agreement.doubt()
            self._judge.heard()
            return row

    def correct(self, n: int, event: Event, why: str, *, source: Source, expected: int | None = None) -> Row:
        """Corrects row `n` to `event`; see `GameSession.correct`."""
        with self.session.lock:
            self.session.check_fresh(expected)
            row = self.session.correct(n, event, why, source=source)
            self._judge.heard()
            return row

    def set_position(
        self, position: Mapping[str, Any], why: str, *, source: Source, expected: int | None = None
    ) -> Row:
        """Sets up any position; see `GameSession.set_position`."""
        with self.session.lock:
            self.session.check_fresh(expected)
            row = self.session.set_position(position, why, source=source)
            self._judge.heard()
            return row

    def _settle_roll(self, question: Unclear, choice: int, source: Source) -> Row:
        """Carries out the answer to a question between tower (0) and camera (1): the roll stands, or is corrected."""
        last = self.session.timeline.tip
        assert last is not None
        right = question.choices[choice].events[0]
        self._judge.dispute.question = None
        if right != last.event:
            who = ("tower", "camera")[choice]
            return self.correct(last.n, right, f"the {who} is right", source=source)
        text = f"the roll stands: {self.session.game.text(right)}"
        row = self.session.note("asked", text, source, {"answer": 0}, alert=None)
        self._judge.heard()
        return row

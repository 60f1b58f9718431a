"""The referee: from a reading and the memory of a table to a verdict.

A reading is compared with the record's position (`match`) and with every open account of earlier pictures: unanswered
questions, rivals of the rows that were written, pieces that may have been misread or hidden all along. Explanations,
legal and illegal, compete by cost, in nats. An explanation is taken only if it is clearly ahead; an accusation is made
only if it holds in every account. Everything else is a question. The referee writes no rows and shows no alerts; the
table does.

The constants are chosen, not fitted; recorded games, as they are and made harder, check them
(`python -m bench.recordings`, `python -m bench.hardships`).
"""

from __future__ import annotations

from collections.abc import Callable, Container
from functools import partial
from typing import Any

from msgspec.structs import replace

from companion.core.contract import Event, named_seat
from companion.core.game import Game
from companion.core.layout import Layout, Spot
from companion.core.pieces import Piece
from companion.core.verdict import Accepted, Choice, Desynchronized, Refused, Same, TakenBack, Unclear, Verdict
from companion.referee.matching.accounts import UNRECORDED, UNTOLD, Account, Standpoint, against, is_plain
from companion.referee.matching.alternatives import BEHIND, Alternatives, brought_to, other_ways
from companion.referee.matching.came_to_light import (
    UNASKED,
    CameToLight,
    came_earlier,
    may_have_come_otherwise,
    taken_under,
)
from companion.referee.matching.covered_cards import unseen_play
from companion.referee.matching.evidence import Evidence
from companion.referee.matching.glimpses import LOOKS, fewest_looks, is_glimpse
from companion.referee.matching.guided import is_rereadable
from companion.referee.matching.hypotheses import EXPLAINED, ILLEGAL, SECOND_MOVE
from companion.referee.matching.judging import ACCEPT_MARGIN
from companion.referee.matching.memory import Memory, Origin
from companion.referee.matching.movers import is_unseen_chain
from companion.referee.matching.open_question import FAR, FARTHER, OpenAccounts, OpenQuestion, followed_by, within
from companion.referee.matching.out_of_sight import shown_in
from companion.referee.matching.record_doubts import RecordDoubts
from companion.referee.matching.rereading import Doubt, doubted_pieces
from companion.referee.matching.stood_unseen import StoodUnseen
from companion.referee.matching.stories import CHOICES, Stories, accusation_of, question

HISTORY = 16
"""The number of earlier positions with which a picture is compared to recognize moves that were taken back."""
CLEARLY = 1.5
"""Nats by which one reading of the past must lead every other to be proposed."""
TURNS = 2
"""The number of turns beyond which an explanation is asked about, however well it fits: so much is rarely
overlooked."""
REREAD_MARGIN = 2.5
"""Nats (12 to 1) by which a misread piece must be likelier than a broken rule to be corrected without a question, if no
person can answer."""


class Referee:
    """The judge of the readings of one table, with a memory of the table."""

    def __init__(
        self, game: Game[Any], judge: Callable[..., Verdict], *, draws_unseen: bool, trusting: bool, origin: Origin
    ) -> None:
        """
        Args:
            judge: `companion.referee.matching.match`, or another function to measure it against.
            draws_unseen: True if due draws happen at once and unseen.
            trusting: True if no person can answer: then misreadings that later pictures reveal are corrected at once.
            origin: The source of the first position.
        """
        self.memory = Memory()
        """The memory of the table."""
        self._game = game
        self._judge = judge
        self._draws_unseen = draws_unseen
        self._trusting = trusting
        self._origin = origin
        self._question: Unclear | None = None
        """The last question, if it is still open."""
        self._ahead: tuple[Account, ...] = ()
        """Accounts of pictures that the record does not contain yet, because a question is open or they have no
        explanation."""
        self._rivals: tuple[Account, ...] = ()
        """Accounts in which the last rows of the record did not happen."""
        self._told: tuple[Event, ...] = ()
        """Events since the last row that all open accounts share, and that were therefore written."""
        self._unread = True
        self._doubts = RecordDoubts()
        self._tales = Stories(game, draws_unseen)

    def placed(self, here: Standpoint, layout: Layout) -> Layout:
        """Returns the reading, with pieces on a line between zones in the zone that the position, or a legal event,
        gives them.

        Returns it unchanged if it is explained as it is, or not at all.
        """
        if not layout.elsewhere:
            return layout
        read = self.compared(here, self.memory, layout)
        if isinstance(read, Same):
            return layout
        others = [(one, self.compared(here, self.memory, one.layout, lawful=True)) for one in other_ways(layout)]
        settled = [one for one, verdict in others if isinstance(verdict, Same)]
        if not settled and not isinstance(read, Accepted | Refused | TakenBack):
            settled = [one for one, verdict in others if isinstance(verdict, Accepted)]
        return min(settled, key=lambda one: one.cost).layout if settled else layout

    def verdict(self, here: Standpoint, layout: Layout, *, glance: bool = False) -> Verdict:
        """Returns the verdict on a reading, with pieces that become known; the module says how.

        Args:
            glance: True if there will be another look before an accusation. Excuses are not searched yet then: they
                take many times as long as all else.
        """
        layout = self._doubts.still_uncovered(layout)
        verdict = self._well_seen(here, self._judged(here, layout, glance), layout)
        if not isinstance(verdict, Same | Accepted) or (isinstance(verdict, Accepted) and verdict.given is not None):
            return verdict
        events = verdict.events if isinstance(verdict, Accepted) else ()
        state = self._tales.after(here.state, Choice(events, "", (), 0.0))
        shown = () if state is None else tuple(shown_in(self._game, state, layout))
        if not shown:
            return verdict
        return Accepted(shown, 0.0, UNTOLD) if isinstance(verdict, Same) else replace(verdict, events=(*events, *shown))

    def _well_seen(self, here: Standpoint, verdict: Verdict, layout: Layout) -> Verdict:
        """Returns a verdict, or a question if only glimpsed things speak for a move."""
        if not isinstance(verdict, Accepted) or verdict.given is not None:
            return verdict
        after = self._tales.after(here.state, Choice(verdict.events, "", (), 0.0))
        if after is None:
            return verdict
        tables = here.state.layout(), after.layout()
        asked = any(account.says_something for account in self._ahead)
        doubted = may_have_come_otherwise(
            *tables, self.memory, layout, self._doubts, asked=asked, unseen=verdict.unseen
        ) or came_earlier(here.state, verdict.events, self.memory, layout)
        if doubted or (is_rereadable(self._game) and is_unseen_chain(here.state, verdict.events, layout.heaps)):
            return self._to_confirm(verdict)
        if not is_glimpse(layout, self.memory, *tables):
            return verdict
        read = Choice(verdict.events, self._game.told(verdict.events), (), verdict.cost)
        return question([read, *(one for one in verdict.rivals if one.events)])

    def _judged(self, here: Standpoint, layout: Layout, glance: bool) -> Verdict:
        """Returns the verdict on the actions that a reading shows."""
        read = self.compared(here, self.memory, layout)
        if isinstance(read, Same | TakenBack):
            return read
        if any(account.says_something for account in self._ahead):
            answered = self._open(here, layout).verdict(self.memory, read, glance=glance)
            if answered is not None:
                return self._unless_by_another(here, answered, layout)
        lit = self._came_to_light(here, layout)
        hidden = lit.explanations(lawful=False)
        if hidden and hidden[0].score <= self._cost(here, read, layout) - UNASKED:
            best, *others = hidden
            if others and others[0].score < best.score + UNASKED:
                return question(hidden)
            return Accepted(best.events, 0.0, UNASKED, cost=best.score, given=best.given)
        if isinstance(read, Refused) and read.before and any(not one.events for one in hidden):
            read = lit.without_them(read)
        verdict = self._alone(here, read, layout, glance)
        if isinstance(verdict, Accepted) and not self._trusting and self._is_long(here, verdict):
            return self._to_confirm(verdict)
        verdict = self._unless_by_another(here, verdict, layout)
        if isinstance(verdict, Accepted) and verdict.given is None:
            took = list(taken_under(self.compared, here, self.memory, layout, verdict, self._doubts.foreign))
            if took:
                answers = (verdict.events, *took)
                return question(Choice(events, self._game.told(events), (), verdict.cost) for events in answers)
        if hidden and isinstance(verdict, Accepted):
            if hidden[0].score < verdict.cost + ACCEPT_MARGIN:
                told = self._game.told(verdict.events)
                return question([Choice(verdict.events, told, (), verdict.cost, verdict.given), *hidden])
            return replace(verdict, rivals=(*verdict.rivals, *hidden))
        return verdict

    def _unless_by_another(self, here: Standpoint, verdict: Verdict, layout: Layout) -> Verdict:
        """Returns a verdict, or a question if another player may have made the accepted events."""
        if not isinstance(verdict, Accepted):
            return verdict
        after = self._tales.after(here.state, Choice(verdict.events, "", (), 0.0, verdict.given))
        lacks_a_turn = after is not None and self._alternatives(here, layout).lack_a_turn(verdict.events, after)
        return self._to_confirm(verdict) if lacks_a_turn or self._hides_a_turn(here, verdict, layout) else verdict

    def _hides_a_turn(self, here: Standpoint, accepted: Accepted, layout: Layout) -> bool:
        """Returns true if another player may have made the accepted events, after a turn out of sight.

        That turn came in an earlier picture without news, or in this one under something that has just been laid there.
        """
        new = layout.obscured if self._doubts.quiet else layout.obscured - self._doubts.foreign
        if not new and not self._doubts.quiet:
            return False
        return self._alternatives(here, replace(layout, obscured=new)).may_be_by_another(accepted.events)

    def _to_confirm(self, accepted: Accepted) -> Unclear:
        """Returns the question whether legal events happened that only a person can confirm."""
        choice = Choice(accepted.events, self._game.told(accepted.events), (), 0.0, accepted.given, confirm=True)
        rest = tuple(replace(one, score=one.score - accepted.cost) for one in accepted.rivals if one.events)
        return Unclear((choice,), accepted.cost, rest=rest)

    def compared(self, here: Standpoint, memory: Memory, layout: Layout, *, lawful: bool = False) -> Verdict:
        """Returns the verdict on a reading for a position and a memory.

        Args:
            lawful: True to search only legal explanations.
        """
        verdict = self._judge(
            self._game,
            here.state,
            memory.seen(layout),
            draws_unseen=self._draws_unseen,
            history=[earlier for _, earlier in here.history],
            absent=memory.away(layout),
            fresh=memory.fresh(layout),
            veiled=memory.veiled(layout),
            lawful=lawful,
        )
        return replace(verdict, to=here.history[verdict.to][0]) if isinstance(verdict, TakenBack) else verdict

    def is_put_back(self, here: Standpoint, layout: Layout) -> bool:
        """Returns true if a reading is explained where the pieces of the last refused move have new places again."""
        back = [one.memory for one in self._ahead if not one.says_something]
        return any(isinstance(self.compared(here, one, layout, lawful=True), Same | Accepted) for one in back)

    def remember(self, verdict: Verdict, here: Standpoint, layout: Layout) -> None:
        """Takes a reading into the memory: what it shows, or the accounts that may explain it.

        Args:
            here: The state of the game after the verdict was carried out.
        """
        layout = self._doubts.still_uncovered(layout)
        table = here.state.layout()
        first, self._unread = self._unread, False
        question = self._question if any(account.says_something for account in self._ahead) else None
        self._doubts = self._doubts.after(verdict, here, self.memory, layout, first=first, question=question)
        origin: Origin = self._origin if first else "event"
        if isinstance(verdict, TakenBack):
            self._rivals = ()
        if isinstance(verdict, Same):
            against_record = against(self.memory, here.state, layout)
            self._ahead, self._rivals = (
                within([one.seen(layout, here.row, against_record=against_record) for one in accounts])
                for accounts in ([one for one in self._ahead if one.says_something], self._rivals)
            )
            self.memory = self.memory.taken(table, layout, here.row, origin)
        elif isinstance(verdict, Accepted):
            told = self._doubts.last_told
            self._rivals = self._opening.rivals(verdict, self._rivals, told and told[0], here, layout)
            self._ahead, self._told = (), ()
            taken = self.memory.taken(table, layout, here.row, origin)
            self.memory = taken if verdict.events else taken.without_unexplained(self.memory)
        else:
            unmoved = self.memory.taken(table, layout, here.row, self._origin)
            if first and self._origin == "read" and not isinstance(verdict, Refused):
                self.memory = unmoved
            else:
                self._ahead = self._open_after(verdict, here, layout, unmoved)
                self._told += verdict.common if isinstance(verdict, Unclear) else ()

    def advance(self, event: Event, here: Standpoint, layout: Layout | None = None) -> None:
        """Follows a row that was written without a picture: each rival account continues with it, or ends.

        Args:
            here: The state of the game after the row.
            layout: The reading that already shows the row; None if no reading does yet.
        """
        followed = (followed_by(one, event, here, layout) for one in self._rivals)
        self._rivals, self._ahead, self._told = tuple(one for one in followed if one is not None), (), ()

    def overrule(self, here: Standpoint, layout: Layout, spots: Container[Spot] | None = None) -> None:
        """Overrules a reading by a person's statement: contradictions to the position are ignored.

        Args:
            spots: The spots of the statement; None for the whole table.
        """
        self.memory = self.memory.overruled(here.state.layout(), layout, here.row, spots)
        self._ahead, self._told = (), ()
        if spots is None:
            self._rivals, self._doubts = (), RecordDoubts()

    def confirm(self, key: str, piece: Piece | None) -> None:
        """Notes that a person has identified the piece in a doubtful place."""
        self.memory = self.memory.confirmed(key, piece)

    def doubts(self, state: Any) -> tuple[Doubt, ...]:
        """Returns the pieces that were never surely read, the most doubtful one first; refereeing goes on meanwhile."""
        return doubted_pieces(self._game, self.memory, state)

    def _alone(self, here: Standpoint, read: Verdict, layout: Layout, glance: bool) -> Verdict:
        """Returns the verdict on a reading if no question is open."""
        if isinstance(read, Accepted):
            return self._either(here, read, layout)
        if isinstance(read, Refused):
            return read if glance else self._accused(here, read, layout)
        verdict = self._reread(here, read, layout)
        if isinstance(verdict, Desynchronized):
            verdict = self._stood_unseen(here, layout).question() or verdict
        settled = isinstance(verdict, Accepted) or (isinstance(verdict, Unclear) and not verdict.only_accuses)
        if len(self._ahead) != 1 or settled:
            return verdict
        (account,) = self._ahead
        then = self.compared(here._replace(state=account.state), account.memory, layout)
        if isinstance(then, Accepted):
            seated = any(named_seat(event) is not None for event in then.events)
            return self._to_confirm(then) if seated and isinstance(self._doubts.behind, Desynchronized) else then
        if isinstance(then, Refused) and not isinstance(verdict, Unclear):
            return then if glance else self._accused(here, then, layout, account)
        return verdict

    def _cost(self, here: Standpoint, verdict: Verdict, layout: Layout) -> float:
        """Returns the total cost of the explanation of a verdict, or, if it names none, of the record, in nats."""
        if isinstance(verdict, Accepted | Refused):
            return verdict.cost
        if isinstance(verdict, Unclear) and verdict.cost is not None:
            return verdict.cost
        return against(self.memory, here.state, layout)

    def _open(self, here: Standpoint, layout: Layout) -> OpenQuestion:
        """Returns the open question, at a reading."""
        accused = partial(self._accused, here, layout=layout)
        return OpenQuestion(self._tales, self.compared, accused, here, layout, self._question, self._ahead, self._told)

    def _came_to_light(self, here: Standpoint, layout: Layout) -> CameToLight:
        """Returns the explanations in which pieces that came to light had been in their places all along."""
        covered = self._doubts.covered or frozenset()
        if self._unread:
            layout, covered = replace(layout, uncovered={}), frozenset()
        return CameToLight(self._game, self.compared, here, self.memory, layout, covered, agreed=self._origin == "told")

    def _stood_unseen(self, here: Standpoint, layout: Layout) -> StoodUnseen:
        """Returns the explanations in which a piece had stood unseen before an illegal move."""
        unseen = dict.fromkeys(self._doubts.blind, BEHIND) | dict.fromkeys(self._doubts.covered or (), 0.0)
        return StoodUnseen(self._game, self.compared, here, self.memory, layout, unseen)

    def _alternatives(self, here: Standpoint, layout: Layout) -> Alternatives:
        """Returns the other legal explanations, by the present memory."""
        return Alternatives(self._game, partial(self.compared, lawful=True), here, self.memory, layout)

    def _accused(self, here: Standpoint, refused: Refused, layout: Layout, behind: Account | None = None) -> Verdict:
        """Returns an accusation if it has no legal alternative; else the legal events, or a question; see `accounts`.

        Args:
            behind: The account of the picture before on which the accusation rests; None if that picture was explained,
                or is explained together with this one.
        """
        others = self._alternatives(here, layout)
        accounts = (*(one for one in self._ahead if not one.illegal), *self._rivals)
        legal = [
            *others.instead_of(refused, accounts, layout.blind | self._doubts.blind, agreed=self._origin == "told"),
            *self._came_to_light(here, layout).explanations(lawful=True),
        ]
        legal.sort(key=lambda choice: choice.score)
        stood = here if behind is None or behind.given is None else here._replace(state=behind.given.state)
        unrecorded = list(self._doubts.costs(self._game, self.memory, stood, refused, layout))
        if behind is not None and not behind.events:  # the account does not include the picture before
            unrecorded.append(UNRECORDED)
        costs = [choice.score for choice in legal]
        if (unseen := unseen_play(self._game, here.state, refused, layout)) is not None:
            unrecorded.append(unseen)
        if others._replace(here=stood).may_be_by_another((*refused.before, refused.event)):
            unrecorded.append(UNRECORDED + (0.0 if self._doubts.quiet else SECOND_MOVE))
        looks = fewest_looks(layout, self.memory, brought_to(here.state, refused))
        if looks >= LOOKS and is_plain(refused.cost, [refused.cost + refused.margin, *costs, *unrecorded]):
            hid = self._stood_unseen(stood, layout)
            other = hid.by_another(refused, ACCEPT_MARGIN) if refused.cost > ILLEGAL + EXPLAINED else None
            if other is not None:
                return question([accusation_of(self._game, refused), other])
            return replace(hid.without_draws(refused, ACCEPT_MARGIN), looks=looks if layout.looks else 0)
        best = next(iter(legal), None)
        given = None if best is None else best.given
        reread = given is not None and given.was is not None
        vanished = given is not None and reread and given.now is None
        enough = UNASKED if vanished else REREAD_MARGIN
        if best is not None and reread and self._trusting and best.score < refused.cost - enough:
            rivals = [choice for choice in legal if choice.events != best.events]
            if not rivals or rivals[0].score >= best.score + CLEARLY:
                return Accepted(best.events, 0.0, refused.cost - best.score, cost=best.score, given=best.given)
        likely = [choice for choice in legal if choice.score < refused.cost + FARTHER]
        distinct = list({(choice.events, choice.undo): choice for choice in reversed(likely)}.values())[::-1]
        return question([*distinct[: CHOICES - 1], accusation_of(self._game, refused)])

    def _either(self, here: Standpoint, accepted: Accepted, layout: Layout) -> Verdict:
        """Returns the accepted events, or a question if a piece on a line gives another event on the other side of the
        line.
        """
        others = [
            one
            for one in self._alternatives(here, layout).elsewhere()
            if one.events != accepted.events and one.score < accepted.cost + FARTHER
        ]
        if not others:
            return accepted
        read = Choice(accepted.events, self._game.told(accepted.events), (), accepted.cost, accepted.given)
        return question({one.events: one for one in (*others, read)}.values())

    def _reread(self, here: Standpoint, verdict: Verdict, layout: Layout) -> Verdict:
        """Returns an explanation of an unexplained picture in which a moved piece was misread, or else the verdict as
        it is.
        """
        found = sorted(self._alternatives(here, layout).misread_before(), key=lambda pair: pair[0].score)
        if not found:
            return verdict
        given, then = found[0]
        nothing = Evidence(self.memory.seen(layout), self.memory.away(layout)).total(here.state.layout())
        if given.score > nothing - CLEARLY:
            return verdict  # It is likelier that nothing has happened, and that the piece there reads a little wrong.
        if isinstance(verdict, Unclear) and verdict.cost is not None and given.score > verdict.cost - CLEARLY:
            return verdict
        rivals = [other.score for other, _ in found[1:] if other.events != given.events]
        if rivals and rivals[0] < given.score + CLEARLY:
            return verdict
        # That a known piece never was one is written down only where somebody says so.
        surely = (
            self._trusting and given.score <= ACCEPT_MARGIN and given.given is not None and given.given.now is not None
        )
        if surely:
            return replace(then, given=given.given)
        vanished = given.given is not None and given.given.now is None
        return Unclear((replace(given, confirm=vanished),))

    def _open_after(self, verdict: Verdict, here: Standpoint, layout: Layout, unmoved: Memory) -> tuple[Account, ...]:
        """Returns the accounts that are open after a reading that was not settled.

        Args:
            unmoved: The memory if nothing has happened.
        """
        if isinstance(verdict, Unclear):
            self._question = verdict
            return self._opening.answers(verdict, self._ahead, here, layout, unmoved)
        if any(account.says_something for account in self._ahead):
            return self._ahead  # A half-made move does not settle a question.
        return (Account((), here.state, unmoved, FAR),)

    @property
    def _opening(self) -> OpenAccounts:
        """Returns the function object that opens accounts with the present memory of the table."""
        return OpenAccounts(self._tales, partial(self.compared, lawful=True), self.memory)

    def _is_long(self, here: Standpoint, accepted: Accepted) -> bool:
        """Returns true if a picture shows so many turns that people are asked about them."""
        state = here.state if accepted.given is None else accepted.given.state
        return self._tales.turns(state, accepted.events) > TURNS

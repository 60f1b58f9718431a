"""The referee: from what eyes tell of a table, and what is remembered of it, to a verdict.

A look goes through three steps. What is seen is held against the position as who remembers the table sees it
(`match`). If that leaves a doubt, pieces that moved are held for what else they may have been (`alternatives`). If the
picture before was not explained either, each account of that one is followed, so that what has changed since is judged
by itself. Nothing here writes a row or shows an alert; that is for the table.

The constants are chosen, not fitted; recorded games, as they are and made harder, hold them
(`python -m bench.recordings`, `python -m bench.hardships`).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from functools import partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.contract import Event, ToMove
from companion.errors import MoveError
from companion.game import Game
from companion.layout import Layout, Spot
from companion.matching.accusing import UNRECORDED, is_plain
from companion.matching.alternatives import Alternatives
from companion.matching.elsewhere import other_ways
from companion.matching.evidence import Evidence
from companion.matching.excuses import rolled_by_next
from companion.matching.false_alarm import FalseAlarm, suspected
from companion.matching.foresight import after
from companion.matching.memory import Belief, Memory, Origin
from companion.matching.nested_draws import unseen_draws
from companion.matching.rolls import LostRolls
from companion.matching.standpoint import Account, Standpoint
from companion.matching.turn_proof import TurnProof
from companion.pieces import Piece
from companion.verdict import Accepted, Choice, OutOfStep, Pending, Refused, Reread, Same, TakenBack, Unclear, Verdict

HISTORY = 16
"""How many earlier positions a picture is compared with, to see moves taken back."""
FAR = 50.0
"""Cost of the account that nothing happened behind a picture that was asked about: it is followed last."""
CHOICES = 3
"""A question has no more answers than this."""
FARTHER = 2.0
"""Nats by which a legal account may be less likely than an accusation to be offered as an answer beside it."""
CLEARLY = 1.5
"""Nats by which one reading of the past must beat every other to be proposed."""
DOUBTFUL = 0.9
"""What was read less surely than this when it came is a doubt that people may settle."""


class Doubt(NamedTuple):
    """A piece that was never surely read; refereeing goes on with what it most likely is."""

    key: str
    """Its place."""
    belief: Belief
    options: tuple[Piece | None, ...]
    """What it may be, what it is held for first; None: nothing of the game."""


class Referee:
    """Judges the readings of one table, and remembers it."""

    def __init__(
        self, game: Game[Any], judge: Callable[..., Verdict], *, draws_unseen: bool, trusting: bool, origin: Origin
    ) -> None:
        """
        :param judge: `companion.matching.match`, or `match_without_prior` to see what the rules are worth as a prior.
        :param draws_unseen: draws that fall due happen at once and unseen.
        :param trusting: nobody is there to answer: what later pictures show to have been misread is corrected at once.
        :param origin: how the position is known in which the game begins.
        """
        self.memory = Memory()
        """What is remembered of the table."""
        self._game = game
        self._judge = judge
        self._draws_unseen = draws_unseen
        self._trusting = trusting
        self._origin = origin
        self._accounts: tuple[Account, ...] = ()
        self._unread = True
        self._behind: Verdict | None = None
        """What was said of the last picture, if something happened in it that the record lacks."""
        self._rolls = LostRolls()
        self._last_told: tuple[Any, tuple[Event, ...]] | None = None
        """What the last picture with a change was taken for, and the position before; None: not for legal events."""
        self._false_alarm: FalseAlarm | None = None
        """That what was taken last never happened; None: it did by far, or more than one piece would be misread."""
        self._turn_proof = TurnProof()

    def placed(self, here: Standpoint, layout: Layout) -> Layout:
        """The same reading, with things on a line between zones where the position has them, or a legal event has.

        As it was read if that explains it, or if nothing does.
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
        """What a reading shows; see the module.

        :param glance: the table is looked at once more before anybody is accused, so nothing is held against an
            accusation yet: what may excuse somebody takes many times as long to find as all else.
        """
        verdict = self.compared(here, self.memory, layout)
        if isinstance(verdict, Accepted):
            return self._either(here, verdict, layout)
        if isinstance(verdict, Same | TakenBack):
            return verdict
        if isinstance(verdict, Refused):
            return verdict if glance else self._accused(here, verdict, layout)
        verdict = self._reread(here, verdict, layout)
        if not self._accounts or isinstance(verdict, Accepted):
            return verdict
        followed = [
            (account, self.compared(here._replace(state=account.state), account.memory, layout))
            for account in self._accounts
        ]
        told = [(account, one) for account, one in followed if isinstance(one, Accepted | Refused)]
        if not told or any(isinstance(one, Same) for _, one in followed):
            return verdict
        account, one = min(told, key=lambda pair: pair[0].cost)
        if isinstance(one, Accepted):
            return replace(one, events=(*account.events, *one.events), given=account.given)
        accused = replace(one, before=(*account.events, *one.before))
        return accused if glance else self._accused(here, accused, layout, account)

    def compared(self, here: Standpoint, memory: Memory, layout: Layout, *, lawful: bool = False) -> Verdict:
        """What a reading shows to who believes in a position and remembers the table so.

        :param lawful: look for legal explanations alone.
        """
        verdict = self._judge(
            self._game,
            here.state,
            memory.seen(layout),
            draws_unseen=self._draws_unseen,
            history=[earlier for _, earlier in here.history],
            absent=memory.away(layout),
            fresh=memory.fresh(layout),
            lawful=lawful,
        )
        return replace(verdict, to=here.history[verdict.to][0]) if isinstance(verdict, TakenBack) else verdict

    def remember(self, verdict: Verdict, here: Standpoint, layout: Layout) -> None:
        """Take a reading in: what it shows, or how it may be understood where it was not explained.

        :param here: where the game stands after the verdict was acted on.
        """
        table = here.state.layout()
        first, self._unread = self._unread, False
        lacking = self._behind is not None
        self._behind = verdict if _leaves_behind(verdict) else None
        if isinstance(verdict, Same | Accepted):
            self._rolls = self._rolls.explained(verdict.events if isinstance(verdict, Accepted) else ())
        elif isinstance(verdict, TakenBack):
            self._rolls, self._last_told, self._false_alarm = LostRolls(lost=self._rolls.lost), None, None
        elif not isinstance(verdict, Refused):
            self._rolls = self._rolls.unexplained(table, layout)
        if isinstance(verdict, Same | Accepted):
            if isinstance(verdict, Accepted):
                before = self._last_told = _before(verdict, here)
                stood = before and before[0]
                guessed = verdict.unseen or lacking
                self._turn_proof = self._turn_proof.told(verdict.events, stood, here.state, guessed=guessed)
                self._false_alarm = before and suspected(before[0], verdict, self.memory, here, layout)
            elif self._false_alarm is not None:
                self._false_alarm = self._false_alarm.followed(self.memory, here, layout)
            origin: Origin = self._origin if first else "event"
            self.memory, self._accounts = self.memory.taken(table, layout, here.row, origin), ()
            return
        unmoved = self.memory.taken(table, layout, here.row, self._origin)
        if first and self._origin == "read" and not isinstance(verdict, Refused):
            self.memory = unmoved
            return
        accounts = [Account((), here.state, unmoved, FAR)]
        for choice in verdict.choices if isinstance(verdict, Unclear) else ():
            state = None if choice.breaches else self._after(here.state, choice)
            if state is not None:
                memory = self.memory.taken(state.layout(), layout, here.row, "event")
                accounts.append(Account(choice.events, state, memory, choice.score, choice.given))
        self._accounts = tuple(accounts)

    def forget_accounts(self) -> None:
        """A row was written: what was not explained is settled, or will not be understood any more."""
        self._accounts = ()

    def overrule(self, here: Standpoint, layout: Layout, spots: Container[Spot] | None = None) -> None:
        """A person has spoken: what a reading says against the position counts for nothing.

        :param spots: what the person spoke of; None: all of the table.
        """
        self.memory = self.memory.overruled(here.state.layout(), layout, here.row, spots)
        self._accounts, self._false_alarm = (), None
        if spots is None:
            self._behind, self._rolls, self._turn_proof, self._last_told = None, LostRolls(), TurnProof(), None

    def confirm(self, key: str, piece: Piece | None) -> None:
        """A person has said what a doubted place is."""
        self.memory = self.memory.confirmed(key, piece)

    def doubts(self, state: Any) -> tuple[Doubt, ...]:
        """Pieces that were read, hardly surely, and never confirmed; the most doubtful one first."""
        reread = None if self._game.proposer is None else self._game.proposer.reread
        if reread is None:
            return ()
        found = []
        for key, belief in self.memory.doubted(DOUBTFUL):
            listed = [one.piece for one in belief.read.candidates if one.piece not in (None, belief.piece)]
            others = [piece for piece in listed if reread(state, belief.spot, belief.piece, piece) is not None]
            nothing = [None] if belief.piece is not None else []
            options: list[Piece | None] = [belief.piece, *others[: CHOICES - 1], *nothing]
            if len(options) > 1:
                found.append(Doubt(key, belief, tuple(options)))
        return tuple(found)

    def come_to_light(self, here: Standpoint, layout: Layout) -> tuple[Reread, ...]:
        """What something foreign lay over until now: it was there all along, and no player did anything.

        A hand lies over a piece that it puts down, too. So nothing of the kind is said where the position explains the
        table without it, or where more has changed and a legal event explains everything.
        """
        found = tuple(self._come_to_light(here, layout))
        if not found:
            return ()
        without = self.compared(here, self.memory, layout, lawful=True)
        if isinstance(without, Same):
            return ()
        then = self.compared(here._replace(state=found[-1].state), self.memory, layout, lawful=True)
        return () if isinstance(without, Accepted) and not isinstance(then, Same | Accepted) else found

    def _come_to_light(self, here: Standpoint, layout: Layout) -> Iterator[Reread]:
        """Each piece that is there now and may have been covered before, with the position in which it was there."""
        reread = None if self._game.proposer is None else self._game.proposer.reread
        if self._unread or reread is None:
            return
        state = here.state
        for spot, heap in layout.heaps.items():
            for sighting in heap:
                known = sighting.place not in layout.uncovered or sighting.piece in self.memory.absent.get(spot, ())
                if known or sighting.piece is None or sighting.place in self.memory.places:
                    continue
                then = reread(state, spot, None, sighting.piece)
                if then is not None:
                    yield Reread(spot, None, sighting.piece, 0, then)
                    state = then

    def _alternatives(self, here: Standpoint, layout: Layout) -> Alternatives:
        """What else may have happened by the rules, as the table is remembered now."""
        return Alternatives(self._game, partial(self.compared, lawful=True), here, self.memory, layout)

    def _accused(self, here: Standpoint, refused: Refused, layout: Layout, behind: Account | None = None) -> Verdict:
        """An accusation, if nothing legal may have led to it; else what is legal, or a question; see `accusing`.

        :param behind: the account of the picture before by which it is one; None: that picture was explained, or is
            explained together with this one.
        """
        others, alarm = self._alternatives(here, layout), self._false_alarm
        legal = [
            *(choice for choice, _ in others.misread_before()),
            *others.misread_now(),
            *others.as_read(),
            *others.after(self._accounts),
            *others.after([alarm.account] if alarm is not None and alarm.told == here.state else []),
            *others.elsewhere(),
            *self._if_nested(here, refused, layout),
        ]
        legal.sort(key=lambda choice: choice.score)
        stood = here if behind is None else here._replace(state=behind.state)
        unrecorded = list(self._if_unrecorded(stood, refused, layout))
        if behind is not None and not behind.events:  # what the picture before showed is no part of it
            unrecorded.append(UNRECORDED)
        costs = [choice.score for choice in legal]
        if is_plain(refused.cost, [refused.cost + refused.margin, *costs, *unrecorded]):
            return refused
        best = next(iter(legal), None)
        if best is not None and best.given is not None and self._trusting and best.score < refused.cost - CLEARLY:
            rivals = [choice for choice in legal if choice.events != best.events]
            if not rivals or rivals[0].score >= best.score + CLEARLY:
                return Accepted(best.events, 0.0, refused.cost - best.score, cost=best.score, given=best.given)
        likely = [choice for choice in legal if choice.score < refused.cost + FARTHER]
        distinct = list({choice.events: choice for choice in reversed(likely)}.values())[::-1]
        answers = [*distinct[: CHOICES - 1], self._illegal(refused)]
        least = min(answer.score for answer in answers)
        return Unclear(tuple(replace(answer, score=answer.score - least) for answer in answers))

    def _either(self, here: Standpoint, accepted: Accepted, layout: Layout) -> Verdict:
        """What was accepted, or a question where a thing on a line tells another event from the other side of it."""
        others = [
            one
            for one in self._alternatives(here, layout).elsewhere()
            if one.events != accepted.events and one.score < accepted.cost + FARTHER
        ]
        if not others:
            return accepted
        read = Choice(accepted.events, self._game.told(accepted.events), (), accepted.cost, accepted.given)
        answers = sorted({one.events: one for one in (*others, read)}.values(), key=lambda one: one.score)[:CHOICES]
        least = answers[0].score
        return Unclear(tuple(replace(one, score=one.score - least) for one in answers))

    def _if_unrecorded(self, here: Standpoint, refused: Refused, layout: Layout) -> Iterator[float]:
        """Costs of accounts in which the record lacks a row, so that who acts is on turn and what is done is due."""
        due = here.state.expects()
        on_turn = isinstance(due, ToMove) and refused.seat in due.seats
        if self._behind and not (isinstance(self._behind, OutOfStep) and on_turn):
            yield UNRECORDED
        if (self._rolls.lost and not on_turn) or LostRolls(self._rolls.shown).explained(refused.before, layout).lost:
            yield UNRECORDED
        if self._last_told and rolled_by_next(self._game, *self._last_told, (*refused.before, refused.event)):
            yield UNRECORDED
        if (doubt := self._turn_proof.doubt(refused.event, on_turn=on_turn)) is not None:
            yield doubt

    def _if_nested(self, here: Standpoint, refused: Refused, layout: Layout) -> Iterator[Choice]:
        """Legal answers with draws that nobody saw, since what was drawn stands in another piece now."""
        row, began = here.turn_began
        then, now = began.layout().heaps, here.state.layout().heaps
        opened = {spot for spot in now if now[spot] != then.get(spot)} | self.memory.moved(layout, row)
        evidence = Evidence(self.memory.seen(layout), self.memory.away(layout))
        events = (*refused.before, refused.event)
        for way in unseen_draws(self._game, here.state, events, evidence, opened):
            yield Choice(way, self._game.told(way), (), UNRECORDED)

    def _illegal(self, refused: Refused) -> Choice:
        """An accusation as an answer to a question."""
        events = (*refused.before, refused.event)
        return Choice(events, self._game.told(events), refused.breaches, refused.cost)

    def _reread(self, here: Standpoint, verdict: Verdict, layout: Layout) -> Verdict:
        """Whether a picture that nothing explains makes sense if a piece that moved in it was misread."""
        found = sorted(self._alternatives(here, layout).misread_before(), key=lambda pair: pair[0].score)
        if not found:
            return verdict
        given, then = found[0]
        nothing = Evidence(self.memory.seen(layout), self.memory.away(layout)).total(here.state.layout())
        if given.score > nothing - CLEARLY:
            return verdict  # Rather, nothing has happened, and what stands there reads a little wrong.
        if isinstance(verdict, Unclear) and verdict.cost is not None and given.score > verdict.cost - CLEARLY:
            return verdict
        rivals = [other.score for other, _ in found[1:] if other.events != given.events]
        if rivals and rivals[0] < given.score + CLEARLY:
            return verdict
        return replace(then, given=given.given) if self._trusting else Unclear((given,))

    def _after(self, state: Any, choice: Choice) -> Any | None:
        """The position after the legal events of an answer; None if the rules refuse one."""
        state = state if choice.given is None else choice.given.state
        try:
            for event in choice.events:
                state = after(state, event, self._draws_unseen)
        except MoveError:
            return None
        return state


def _before(accepted: Accepted, here: Standpoint) -> tuple[Any, tuple[Event, ...]] | None:
    """What was accepted, with the position before it; None if that is not remembered.

    :param here: where the game stands after it.
    """
    if accepted.given is not None:
        return accepted.given.state, accepted.events
    row = here.row - len(accepted.events)
    state = next((earlier for number, earlier in reversed(here.history) if number <= row), None)
    return None if state is None else (state, accepted.events)


def _leaves_behind(verdict: Verdict) -> bool:
    """Whether something has happened that the record lacks and that no answer to a question would add."""
    if isinstance(verdict, Unclear):
        return all(choice.breaches for choice in verdict.choices)
    return isinstance(verdict, OutOfStep) or (isinstance(verdict, Pending) and verdict.behind)

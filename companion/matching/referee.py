"""The referee: from what eyes tell of a table, and what is remembered of it, to a verdict.

A look goes through three steps. What is seen is held against the position as who remembers the table sees it
(`match`). If that leaves a doubt, pieces that moved are held for what else they may have been (`rereadings`). If the
picture before was not explained either, each account of that one is followed, so that what has changed since is judged
by itself. Nothing here writes a row or shows an alert; that is for the table.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.contract import Drawn, Event, ToMove
from companion.errors import MoveError
from companion.game import Game
from companion.layout import Layout, Spot
from companion.matching.evidence import Evidence
from companion.matching.foresight import after
from companion.matching.memory import Belief, Memory, Origin
from companion.matching.rereading import least_share, rereadings
from companion.matching.rolls import LostRolls
from companion.pieces import Piece
from companion.verdict import (
    Accepted,
    Choice,
    OutOfStep,
    Pending,
    Refused,
    Reread,
    Same,
    TakenBack,
    Unclear,
    Verdict,
    reread_words,
)

HISTORY = 16
"""How many earlier positions a picture is compared with, to see moves taken back."""
FAR = 50.0
"""Cost of the account that nothing happened behind a picture that was asked about: it is followed last."""
HELD = 0.5
"""Nobody is accused because of a piece that is less likely than this what it is held for."""
CHOICES = 3
"""A question has no more answers than this."""
DOUBTED = 1.0
"""Nats: an accusation stands only if no misread piece explains the picture nearly as well."""
CLEARLY = 1.5
"""Nats by which one reading of the past must beat every other to be proposed."""
CONFIRMING = 2
"""So many draws that pictures show must be as the record says, after a row that no picture shows or a picture that no
row explains, before whose turn it is counts as known again."""
DOUBTFUL = 0.9
"""What was read less surely than this when it came is a doubt that people may settle."""


class Standpoint(NamedTuple):
    """Where a game stands when a reading comes in."""

    state: Any
    history: tuple[tuple[int, Any], ...]
    """Earlier positions, oldest first, each with the number of the row after which it stood; 0 is the start."""
    row: int
    """Number of the last row."""


class Doubt(NamedTuple):
    """A piece that was never surely read; refereeing goes on with what it most likely is."""

    key: str
    """Its place."""
    belief: Belief
    options: tuple[Piece | None, ...]
    """What it may be, what it is held for first; None: nothing of the game."""


class Account(NamedTuple):
    """One way to understand a picture that was not judged."""

    events: tuple[Event, ...]
    """What happened behind it."""
    state: Any
    """The position then."""
    memory: Memory
    """What is remembered then."""
    cost: float
    """What speaks against it beside the others, in nats."""
    given: Reread | None = None
    """What must have been misread before."""


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
        self._unconfirmed = 0
        """So many draws must still confirm whose turn it is."""

    def verdict(self, here: Standpoint, layout: Layout) -> Verdict:
        """What a reading shows; see the module."""
        verdict = self.compared(here, self.memory, layout)
        if isinstance(verdict, Same | Accepted | TakenBack):
            return verdict
        verdict = self._reread(here, verdict, layout)
        if isinstance(verdict, Refused):
            return self._as_read(here, verdict, layout) or self._doubted(here, verdict, layout)
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
        return replace(one, before=(*account.events, *one.before))

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
            self._rolls = LostRolls(lost=self._rolls.lost)
        elif not isinstance(verdict, Refused):
            self._rolls = self._rolls.unexplained(table, layout)
        if isinstance(verdict, Same | Accepted):
            if isinstance(verdict, Accepted):
                self._confirm_turn(verdict, lacking)
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
        self._accounts = ()
        if spots is None:
            self._behind, self._rolls, self._unconfirmed = None, LostRolls(), 0

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

    def _doubted(self, here: Standpoint, refused: Refused, layout: Layout) -> Refused | Unclear:
        """An accusation, or a question where the record may lack what makes it legal."""
        found = []
        for account in self._accounts:
            if account.events:
                one = self.compared(here._replace(state=account.state), account.memory, layout, lawful=True)
                if isinstance(one, Accepted):
                    events = (*account.events, *one.events)
                    words = ", ".join(map(self._game.text, events))
                    found.append(Choice(events, words, (), account.cost, account.given))
        due = here.state.expects()
        on_turn = isinstance(due, ToMove) and refused.seat in due.seats
        behind = self._behind and not (isinstance(self._behind, OutOfStep) and on_turn)
        lost = (self._rolls.lost and not on_turn) or LostRolls(self._rolls.shown).explained(refused.before, layout).lost
        turn = self._unconfirmed and (not on_turn or isinstance(refused.event, Drawn))
        if not found and not behind and not lost and not turn:
            return refused
        found.sort(key=lambda choice: choice.score)
        return Unclear((*found[: CHOICES - 1], self._illegal(refused)))

    def _as_read(self, here: Standpoint, refused: Refused, layout: Layout) -> Unclear | None:
        """The question whether pieces are what they now read as, where the event is legal then; None if it is not."""
        other = self.memory.as_read(layout)
        if other is self.memory:
            return None
        one = self.compared(here, other, layout, lawful=True)
        if not isinstance(one, Accepted):
            return None
        words = ", ".join(map(self._game.text, one.events))
        return Unclear((Choice(one.events, words, (), 0.0), self._illegal(refused)))

    def _confirm_turn(self, accepted: Accepted, lacking: bool) -> None:
        """Note whether a row rests on what no picture shows, such as a draw that may never have been.

        :param lacking: the picture before showed something that no event explained.
        """
        if accepted.unseen or lacking:
            self._unconfirmed = CONFIRMING
        elif any(isinstance(event, Drawn) for event in accepted.events):
            self._unconfirmed = max(0, self._unconfirmed - 1)

    def _illegal(self, refused: Refused) -> Choice:
        """An accusation as an answer to a question."""
        events = (*refused.before, refused.event)
        return Choice(events, ", ".join(map(self._game.text, events)), refused.breaches, 0.0)

    def _reread(self, here: Standpoint, verdict: Verdict, layout: Layout) -> Verdict:
        """Whether a picture makes sense if a piece that moved in it was misread; in doubt it is asked."""
        found: list[tuple[float, Reread, Accepted]] = []
        for one in rereadings(self._game, here.state, self.memory, layout):
            then = self.compared(here._replace(state=one.state), one.memory, layout, lawful=True)
            if isinstance(then, Accepted):
                given = Reread(one.spot, one.was, one.now, one.row, one.state)
                found.append((one.cost + then.cost, given, then))
        if isinstance(verdict, Refused) and least_share(self.memory, layout) < HELD:
            return self._which(verdict, found)
        if not found:
            return verdict
        found.sort(key=lambda item: item[0])
        total, given, then = found[0]
        nothing = Evidence(self.memory.seen(layout), self.memory.away(layout)).total(here.state.layout())
        if total > nothing - CLEARLY:
            return verdict  # Rather, nothing has happened, and what stands there reads a little wrong.
        if isinstance(verdict, Unclear) and verdict.cost is not None and total > verdict.cost - CLEARLY:
            return verdict
        if isinstance(verdict, Refused):
            if total > verdict.cost + DOUBTED:
                return verdict
            if total > verdict.cost - CLEARLY:
                return self._which(verdict, found[:1])
        rivals = [cost for cost, _, other in found[1:] if other.events != then.events]
        if rivals and rivals[0] < total + CLEARLY:
            return verdict
        return replace(then, given=given) if self._trusting else Unclear((self._given(given, then),))

    def _which(self, refused: Refused, found: Sequence[tuple[float, Reread, Accepted]]) -> Unclear:
        """The question whether an illegal event happened, or one that is legal if a piece was misread before."""
        likely = sorted(found, key=lambda item: item[0])[: CHOICES - 1]
        return Unclear((*[self._given(given, then) for _, given, then in likely], self._illegal(refused)))

    def _given(self, given: Reread, then: Accepted) -> Choice:
        """What happened if a piece was misread before, as an answer to a question."""
        text = f"{', '.join(map(self._game.text, then.events))} ({reread_words(given)})"
        return Choice(then.events, text, (), 0.0, given)

    def _after(self, state: Any, choice: Choice) -> Any | None:
        """The position after the legal events of an answer; None if the rules refuse one."""
        state = state if choice.given is None else choice.given.state
        try:
            for event in choice.events:
                state = after(state, event, self._draws_unseen)
        except MoveError:
            return None
        return state


def _leaves_behind(verdict: Verdict) -> bool:
    """Whether something has happened that the record lacks and that no answer to a question would add."""
    if isinstance(verdict, Unclear):
        return all(choice.breaches for choice in verdict.choices)
    return isinstance(verdict, OutOfStep) or (isinstance(verdict, Pending) and verdict.behind)

"""Accounts: other ways to understand what the table has shown, each with its cost.

A picture seldom proves what happened. So beside the record, the referee keeps every account that the pictures allow:
answers to a question that has not been answered, a rival of the row that was written, a piece that may have been
misread. An account is kept until a person answers, a picture contradicts it or the game ends; no account closes only
because time passes. An account that explains everything since the record's last row is a story.

A player is accused only if all legal accounts together explain the reading far worse. They come from many sources: the
same picture, pieces that were misread when they came or just now, the picture before, rows that the record may lack,
and, always, an unknown event. Each has a cost in nats, as the accusation has. So one rule covers every kind of doubt:

    sum over legal accounts of exp(cost(accusation) - cost(account)) <= MOST_DOUBT
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import exp
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.core.contract import Event, Seat, named_seat
from companion.core.foundation.errors import MoveError
from companion.core.game import Game
from companion.core.layout import Layout, Spot
from companion.core.pieces import Card, Piece, Special
from companion.core.verdict import Accepted, Choice, Refused, Reread, Unclear, Verdict
from companion.referee.matching.evidence import Evidence
from companion.referee.matching.foresight import after
from companion.referee.matching.guided import history_key_of
from companion.referee.matching.hypotheses import seat_of
from companion.referee.matching.memory import Memory

MOST_ACCOUNTS = 8
"""The largest number of accounts that are followed at once, as many as three questions with two answers each make.
Chosen."""


class Standpoint(NamedTuple):
    """Where a game stands when a reading comes in."""

    state: Any
    history: tuple[tuple[int, Any], ...]
    """Earlier positions, oldest first, each with the number of the row after which it stood; 0 stands for the start of
    the game."""
    row: int
    """The number of the last row."""

    @property
    def turn_began(self) -> tuple[int, Any]:
        """Returns the earliest position since which the same event has been due, with the number of its row."""
        began = self.row, self.state
        for earlier in reversed(self.history):
            if earlier[1].expects() != self.state.expects():
                break
            began = earlier
        return began


class Account(NamedTuple):
    """One way to understand what the table has shown."""

    events: tuple[Event, ...]
    """The events since the record's position, or since the row `undo`."""
    state: Any
    """The position after them."""
    memory: Memory
    """The memory of the table after them."""
    cost: float
    """The cost beyond that of the record or the best answer, in nats."""
    given: Reread | None = None
    """The piece that must have been misread before the events, if the account is true; None if it needs no
    misreading."""
    undo: int | None = None
    """The row after which the record is wrong if the account is true; None if the account only adds to the record."""
    confirm: bool = False
    """True if only a person may say that the account is true."""
    illegal: bool = False
    """True if the last event breaks a rule and its result is still on the table. Such an account may excuse later
    events, but it is never written as a row."""

    @property
    def says_something(self) -> bool:
        """True if the account differs from the record."""
        return bool(self.events) or self.given is not None

    def seen(self, layout: Layout, row: int, *, against_record: float) -> Account:
        """Returns the same account after a reading without news.

        Args:
            row: The number of the record's last row.
            against_record: The cost of the reading for the record's position, in nats.
        """
        cost = self.cost + against(self.memory, self.state, layout) - against_record
        return self._replace(memory=self.memory.taken(self.state.layout(), layout, row, "event"), cost=max(0.0, cost))


def against(memory: Memory, state: Any, layout: Layout) -> float:
    """Returns the total cost of a reading for a position, in nats, with this memory of the table."""
    table = state.layout()
    seen, fresh = memory.seen(layout), memory.fresh(layout)
    evidence = Evidence(seen, memory.away(layout), fresh=fresh, before=table, veiled=memory.veiled(layout))
    return evidence.total(table)


def one_misread(before: Any, since: Any, row: int) -> Reread | None:
    """Returns the piece that was misread if a position is in fact unchanged; None unless `since` differs from it in
    exactly one piece.

    Args:
        row: The number of the row after which the position stood.
    """
    then, now = before.layout(), since.layout()
    if then.cells != now.cells:
        return None
    found: list[tuple[Spot, Piece | None, Piece | None]] = []
    for spot in {**then.heaps, **now.heaps}:
        was, there = (Counter(one.piece for one in table.heaps.get(spot, ())) for table in (then, now))
        found += [(spot, piece, None) for piece in (there - was).elements()]
        found += [(spot, None, piece) for piece in (was - there).elements()]
    # Without a known piece, one more and one fewer look the same.
    if len(found) != 1 or found[0][1] is found[0][2]:
        return None
    return Reread(*found[0], row, before)


MOST_DOUBT = 0.135
"""The largest odds of all legal accounts together, against the accusation, at which the accusation is still made. They
are 2 nats, which is also the lead that a legal move of measured pieces needs. An illegal move has a prior of ln 50
against it, so a player who keeps the rules is accused about once in 370 times. `python -m simulation.drawn.games`
checks the value."""
UNTOLD = 10.0
"""Nats (22,000 to 1) against an unknown event. An explanation with a higher cost is not accepted, legal or not.
Chosen."""
UNRECORDED = 2.3
"""Nats (10 to 1) against a row that the record lacks, after an unexplained reading. Chosen."""


def is_plain(cost: float, legal: Iterable[float]) -> bool:
    """Returns true if a player may be accused.

    Args:
        cost: The cost of the accusation, in nats; `legal`: the cost of each legal account.
    """
    return sum(exp(cost - one) for one in (UNTOLD, *legal)) <= MOST_DOUBT


def shows_cards(layout: Layout) -> bool:
    """Returns true if cards were read.

    A deck has 168 of them, and those that look alike are confused by the dozen, so the answers of a question about
    cards are never all of them. What follows from these answers is asked about and accuses nobody.
    """
    read = [*layout.cells.values(), *(one for pile in layout.heaps.values() for one in pile)]
    return any(isinstance(one.piece, Card | Special) for one in read)


CHOICES = 3
"""The largest number of answers to a question."""


class Story(NamedTuple):
    """One explanation of everything since the record's last row."""

    choice: Choice
    """The explanation as an answer; its score is its total cost in nats."""
    new: tuple[Event, ...]
    """Those of its events that the last picture shows."""
    seat: Seat
    """The seat of its last event."""
    account: Account
    """The account of earlier pictures that it continues."""
    excused: bool = False
    """True if the explanation is illegal, but an event without a trace may have made it legal, or nothing may have
    happened."""


class Stories(NamedTuple):
    """The means to turn verdicts into stories, for one game."""

    game: Game[Any]
    draws_unseen: bool
    """True if draws that fall due happen at once and unseen."""

    def told_by(self, account: Account, then: Verdict) -> Iterator[Story]:
        """Yields the explanations that continue an account."""
        told: list[tuple[tuple[Event, ...], Choice]] = []
        if isinstance(then, Accepted):
            told.append((then.events, Choice(then.events, "", (), then.cost, then.given)))
            told += [(rival.events, rival) for rival in then.rivals]
        elif isinstance(then, Refused):
            told.append(((*then.before, then.event), Choice((), "", then.breaches, then.cost)))
        elif isinstance(then, Unclear):
            told += [
                (choice.events, replace(choice, score=choice.score + (then.cost or 0.0))) for choice in then.choices
            ]
        # If all answers are illegal, it is also possible that nothing happened.
        asked = isinstance(then, Unclear) and (then.cost is None or all(one.breaches for one in then.choices))
        for new, choice in told:
            if not new or (choice.given is not None and account.given is not None):
                continue
            given, events = choice.given or account.given, (*account.events, *new)
            answer = Choice(
                events,
                self.game.told(events),
                choice.breaches,
                account.cost + choice.score,
                given,
                confirm=account.confirm or choice.confirm,
            )
            seat = then.seat if isinstance(then, Refused) else seat_of(account.state, new[-1])
            yield Story(answer, new, seat, account, asked and bool(choice.breaches))

    def differ(self, here: Standpoint, one: Story, other: Story) -> bool:
        """Returns true if two explanations say different things to people."""
        if bool(one.choice.breaches) != bool(other.choice.breaches) or one.choice.given != other.choice.given:
            return True
        if one.choice.breaches and (one.seat, one.choice.events[-1]) != (other.seat, other.choice.events[-1]):
            return True
        states = [self.after(here.state, _lawful(story.choice)) for story in (one, other)]
        if states[0] is None or states[0] != states[1]:
            return True
        keys = [history_key_of(self.game, here.state, _lawful(story.choice).events) for story in (one, other)]
        return keys[0] != keys[1]

    def turns(self, state: Any, events: Sequence[Event]) -> int:
        """Returns the number of turns that a sequence of legal events spans."""
        seats = []
        for event in events:
            seats.append(seat_of(state, event))
            state = after(state, event, self.draws_unseen)
        return sum(one != other for one, other in pairwise(seats)) + 1

    def forced(self, state: Any, choice: Choice) -> Any | None:
        """Returns the position after an answer whose last event is illegal and stays on the table; None if it cannot
        stay.
        """
        if self.game.left_stands is None:
            return None
        before = self.after(state, _lawful(choice))
        return None if before is None else carried_out(before, choice.events[-1])

    def after(self, state: Any, choice: Choice) -> Any | None:
        """Returns the position after the legal events of an answer; None if the rules forbid one of them."""
        state = state if choice.given is None else choice.given.state
        try:
            for event in choice.events:
                state = after(state, event, self.draws_unseen)
        except MoveError:
            return None
        return state


def _lawful(choice: Choice) -> Choice:
    """Returns an answer without the illegal event at its end."""
    return replace(choice, events=choice.events[:-1]) if choice.breaches else choice


def question(answers: Iterable[Choice]) -> Unclear:
    """Returns the question which of several explanations is true; each answer's score is its cost beyond the likeliest
    one's.
    """
    ranked = sorted(answers, key=lambda choice: choice.score)
    least = ranked[0].score
    scored = [replace(choice, score=choice.score - least) for choice in ranked]
    return Unclear(tuple(scored[:CHOICES]), least, rest=tuple(scored[CHOICES:]))


def distinct(stories: Iterable[Story]) -> list[Story]:
    """Returns the likeliest one of each group of equal explanations, the likeliest first."""
    known: dict[Any, Story] = {}
    for story in sorted(stories, key=lambda one: one.choice.score):
        known.setdefault((story.choice.events, bool(story.choice.breaches)), story)
    return list(known.values())


def common_end(ways: Sequence[tuple[Event, ...]]) -> tuple[Event, ...]:
    """Returns the last events that all sequences share."""
    shared = min(map(len, ways), default=0)
    while shared and len({way[len(way) - shared :] for way in ways}) > 1:
        shared -= 1
    return ways[0][len(ways[0]) - shared :] if shared else ()


def common_turns(ways: Sequence[tuple[Event, ...]]) -> tuple[Event, ...]:
    """Returns the last events that all sequences share, without those of the turn in which the sequences differ.

    The rest of that turn may depend on the event in question, as a move of Spectrum depends on the usage of the roll.
    So the result begins with the first event of the next player.
    """
    shared = common_end(ways)
    open_ = {named_seat(one[-len(shared) - 1]) for one in ways if len(one) > len(shared)}
    while shared and named_seat(shared[0]) in {None, *open_}:
        shared = shared[1:]
    return shared


def carried_out(state: Any, event: Event) -> Any | None:
    """Returns the position after an event, legal or not; None if it cannot be carried out."""
    try:
        return state.apply_unchecked(event)
    except MoveError:
        return None

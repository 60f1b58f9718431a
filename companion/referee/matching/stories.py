"""Explanations of everything since the record's last row ("stories"), and the key that distinguishes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.core.contract import Event, Seat, named_seat
from companion.core.foundation.errors import MoveError
from companion.core.game import Game
from companion.core.verdict import Accepted, Choice, Refused, Unclear, Verdict
from companion.referee.matching.accounts import Account, Standpoint
from companion.referee.matching.foresight import after
from companion.referee.matching.guided import history_key_of
from companion.referee.matching.hypotheses import seat_of

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


def accusation_of(game: Game[Any], refused: Refused) -> Choice:
    """Returns an accusation as an answer."""
    events = (*refused.before, refused.event)
    return Choice(events, game.told(events), refused.breaches, refused.cost)


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

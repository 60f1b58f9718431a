"""Games at random: any game, number of players and options, and what happens in it."""

from __future__ import annotations

from functools import cache
from itertools import islice
from random import Random
from typing import Any

from companion.core.contract import Event, Over, Rolled, ToMove, ToRoll
from companion.core.pieces import FACES, Die
from companion.games import GAMES
from companion.testing.cases import Case, cases
from simulation.play import game_of

FEW = 30
"""Moves of which one is chosen."""


@cache
def begun(place: int) -> Any:
    """The first position of a case."""
    case = CASES[place]
    return case.game.start(case.seats, case.options)


CASES = [case for game in GAMES.values() for case in cases(game)]
"""Every game with every number of seats and every option."""


def any_case(rng: Random) -> tuple[Case, Any]:
    """A game with its first position."""
    place = rng.randrange(len(CASES))
    return CASES[place], begun(place)


def next_event(state: Any, rng: Random) -> Event | None:
    """Something that may happen now; None when the game is over."""
    due = state.expects()
    if isinstance(due, Over):
        return None
    if isinstance(due, ToMove):
        # Some lists are long and made as they are walked through, so only the first of them are chosen from.
        moves = state.legal_moves()
        return next(islice(moves, rng.randrange(min(len(moves), FEW)), None))
    if isinstance(due, ToRoll):
        return Rolled(tuple(Die(kind, rng.choice(FACES[kind])) for kind in due.dice))
    events, weights = zip(*game_of(state).outcomes(state), strict=True)
    return rng.choices(events, weights)[0]


def some_events(state: Any, rng: Random, most: int) -> tuple[list[Event], list[Any]]:
    """Events in a row, and the positions before each of them and after the last."""
    events, states = [], [state]
    for _ in range(rng.randrange(most + 1)):
        event = next_event(state, rng)
        if event is None:
            break
        state = state.apply(event)
        events.append(event)
        states.append(state)
    return events, states

"""Random games with every number of seats and every option, for the conformance suite of games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.inspect import Field, Metadata, StructType, type_info

from companion.core.contract import Event, Over, Rolled, Seat, ToMove, ToRoll
from companion.core.foundation.errors import BadOptions
from companion.core.game import Game
from companion.core.layout import Spot
from companion.core.pieces import FACES, Die, Piece

STEPS_OF_SEVERAL = 90
"""The least number of steps of all games of a case together, because one short game may miss a place of the board."""

STEPS_LOOKED_AT = 9
"""The number of positions of each game that are examined closely, spread evenly."""

UNDONE = 0.05
"""The share of moves that a random player makes although the game lists them as moves that undo progress."""


class Case(NamedTuple):
    """One game to play: its number of seats and its options."""

    game: Game[Any]
    seats: int
    options: Struct

    def __str__(self) -> str:
        changed = [
            f"{field}={getattr(self.options, field)}"
            for field in self.options.__struct_fields__
            if getattr(self.options, field) != getattr(self.game.Options(), field)
        ]
        return "-".join((self.game.name, str(self.seats), *changed))


def values(field: Any) -> tuple[Any, ...]:
    """Returns the possible values of an option: each choice of a switch or a list, the bounds of a number."""
    kind = type(field).__name__
    if kind == "BoolType":
        return (False, True)
    if kind == "LiteralType":
        return tuple(field.values)
    if kind == "IntType":
        return tuple(bound for bound in (field.ge, field.le) if bound is not None)
    return ()


def option_fields(game: Game[Any]) -> tuple[Field, ...]:
    """Returns the options of a game."""
    options = type_info(game.Options)
    assert isinstance(options, StructType)
    return options.fields


def option_sets(game: Game[Any]) -> Iterator[Struct]:
    """Yields the defaults, then each option changed alone."""
    default = game.Options()
    yield default
    for field in option_fields(game):
        for value in values(field.type.type if isinstance(field.type, Metadata) else field.type):
            if value != getattr(default, field.name):
                yield msgspec.structs.replace(default, **{field.name: value})


def cases(game: Game[Any]) -> Iterator[Case]:
    """Yields a case for every number of seats, with the defaults if they allow it, and one for each changed option,
    with the numbers of seats in turn.
    """
    default, *changed = option_sets(game)
    for seats in game.seats:
        fitting = next((options for options in (default, *changed) if starts(game, seats, options)), None)
        if fitting is not None:
            yield Case(game, seats, fitting)
    for turn, options in enumerate(changed):
        order = [*game.seats[turn % len(game.seats) :], *game.seats[: turn % len(game.seats)]]
        yield from [Case(game, seats, options) for seats in order if starts(game, seats, options)][:1]


def starts(game: Game[Any], seats: int, options: Struct) -> bool:
    """True if the game allows these options with this number of seats."""
    try:
        game.start(seats, options)
    except BadOptions:
        return False
    return True


class WorkedGame(NamedTuple):
    """A game as a person plays it, from its beginning or from a position, to its end."""

    game: str
    """The name of the game."""
    lines: tuple[str, ...]
    """The events in the form of records."""
    places: tuple[tuple[Seat, ...], ...]
    """The ranking: the seats by place."""
    shows: Mapping[Spot, Piece | None] = {}
    """The contents of some cells after the game."""
    position: Mapping[str, Any] | None = None
    """The position at which the game begins, in the form of records; None: the usual beginning."""
    seats: int | None = None
    """The number of seats; None: the smallest possible number."""


class PlayedStep(NamedTuple):
    """A position, and the event that came next."""

    state: Any
    event: Event


class PlayedGame(NamedTuple):
    """A random game."""

    steps: list[PlayedStep]
    end: Any

    def looked_at(self) -> list[PlayedStep]:
        """Returns a few steps, spread over the game."""
        stride = max(len(self.steps) // STEPS_LOOKED_AT, 1)
        return self.steps[::stride]


def next_event(game: Game[Any], state: Any, rng: Random) -> Event:
    """Returns a random move, a roll of the due dice, or a random chance event by its weight."""
    due = state.expects()
    if isinstance(due, ToMove):
        undoing = () if game.heuristics is None else game.heuristics.undoing
        moves = list(state.legal_moves())
        if not undoing:
            return rng.choice(moves)
        # If half of all turns undid others, no game would ever end.
        return rng.choice([move for move in moves if not isinstance(move, undoing) or rng.random() < UNDONE] or moves)
    if isinstance(due, ToRoll):
        # Nine dice have half a million outcomes, so dice are rolled and not picked from a list.
        return Rolled(tuple(Die(kind, rng.choice(FACES[kind])) for kind in due.dice))
    events, weights = zip(*game.outcomes(state), strict=True)
    return rng.choices(events, weights)[0]


@cache
def played(case: Case, number: int = 0) -> PlayedGame:
    """Returns one random game, which is always the same for a case."""
    rng = Random(f"{case} {number}" if number else str(case))
    state = case.game.start(case.seats, case.options)
    limit = case.game.bound(state)
    steps = []
    while not isinstance(state.expects(), Over):
        event = next_event(case.game, state, rng)
        steps.append(PlayedStep(state, event))
        state = state.apply(event)
        assert len(steps) <= limit, "the game is longer than its bound"
    return PlayedGame(steps, state)


def several(case: Case) -> list[PlayedGame]:
    """Returns the random game of a case, and further ones if the game is short."""
    games = [played(case)]
    while sum(len(game.steps) for game in games) < STEPS_OF_SEVERAL:
        games.append(played(case, len(games)))
    return games


def shown_by_others(case: Case) -> bool:
    """True if games with fewer and with more players show the same, so that this case runs only with `-m slow`."""
    return case.seats in case.game.seats[1:-1] and str(case) == f"{case.game.name}-{case.seats}"

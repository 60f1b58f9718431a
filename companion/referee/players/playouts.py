"""Playing on from a position with a greedy policy, as far as what follows still says something about the move before.

Two playouts with the same luck see the same cards and dice as long as their seats draw and roll as often: each seat has
a sequence of its own, apart from the choices, so that most of the luck cancels when two moves are compared.
"""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.capabilities import Horizon
from companion.core.contract import Move, Over, Seat, ToDraw, ToMove, ToRoll
from companion.core.game import Game
from companion.referee.players.player import mover, moves_of
from companion.referee.players.worth import WON, worth

_TRIED = 6
"""Moves that a choice within a playout compares."""
_EVENTS = 12
"""Events to a choice at most: where seats have one move for ever, a playout ends."""


_USUAL = Horizon()


def horizon_of(game: Game[Any]) -> Horizon:
    """The horizon of a game's playouts."""
    return _USUAL if game.heuristics is None or game.heuristics.horizon is None else game.heuristics.horizon


class Luck:
    """Everything that will be drawn and rolled."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._of: dict[Seat, Random] = {}

    def of(self, seat: Seat) -> Random:
        """The draws and rolls of this seat, whatever the others do."""
        if seat not in self._of:
            self._of[seat] = Random(self._seed << 8 | seat)
        return self._of[seat]


def played(game: Game[Any], state: Any, move: Move, seat: Seat, seed: int, depth: int) -> float:
    """The worth of a position for a seat after `move` and a playout of `depth` choices at most.

    :param seed: of all luck, and of the choices between equal moves.
    """
    horizon = horizon_of(game)
    end = played_on(game, state.apply(move), seat, horizon, Luck(seed), Random(seed), depth)
    value = worth(game, end, seat)
    places = round(value / WON)
    return value - places * (WON - horizon.decided)


def played_on(game: Game[Any], state: Any, last: Seat, horizon: Horizon, luck: Luck, random: Random, depth: int) -> Any:
    """The position in which a playout ends.

    :param last: the seat that has moved.
    """
    routine = None if game.heuristics is None else game.heuristics.routine
    left, turns, hand = min(horizon.choices, depth), horizon.turns, horizon.hand(state)
    for _ in range(left * _EVENTS):
        expects = state.expects()
        if left <= 0 or isinstance(expects, Over) or horizon.hand(state) != hand:
            break
        if isinstance(expects, ToDraw | ToRoll):
            state = state.apply(game.sample(state, luck.of(expects.seat)))
            continue
        assert isinstance(expects, ToMove)
        one = mover(state, random)
        if one != last:
            last, turns = one, turns - 1
            if turns <= 0:
                break
        if routine is not None:
            left -= 1
            state = state.apply(routine(state, one, random))
            continue
        moves = moves_of(state, one)
        left -= len(moves) > 1
        state = state.apply(_quick(game, state, moves, one, random))
    return state


def _quick(game: Game[Any], state: Any, moves: list[Move], seat: Seat, random: Random) -> Move:
    """The move of a few after which the position stands best."""
    if len(moves) == 1:
        return moves[0]
    some = random.sample(moves, min(len(moves), _TRIED))
    return max(some, key=lambda move: worth(game, state.apply(move), seat))

"""Playing on from a position with a greedy policy, as far as what follows still says something about the move before.

Two playouts with the same luck see the same cards and dice as long as their seats draw and roll as often: each seat has
a sequence of its own, apart from the choices, so that most of the luck cancels when two moves are compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from msgspec import Struct

from companion.contract import Move, Over, Seat, ToDraw, ToMove, ToRoll
from companion.players.player import fallen, mover, moves_of
from companion.players.routines import ROUTINES
from companion.players.worth import WON, worth

DEPTH = 12
"""Choices of a playout at most, unless its horizon says something else."""
WHOLE = 60
"""The same where a hand or a game is played to its end; more than any has."""
POINTS, LIFE = 10.0, 200.0
"""What a place at the end of a game counts in a playout beside the lead: where points decide, so little that they still
matter, since a few playouts tell more by them; where estimates are large while the game goes on, more than these."""
_TRIED = 6
"""Moves that a choice within a playout compares."""
_EVENTS = 12
"""Events to a choice at most: where seats have one move for ever, a playout ends."""


def _nothing(_: Any) -> object:
    return None


class Horizon(Struct, frozen=True):
    """Where a playout is cut off, because what happens later says more about luck than about the choice."""

    choices: int = DEPTH
    """Choices at most; who has one move chooses nothing."""
    turns: float = math.inf
    """How often another seat may come to move."""
    hand: Callable[[Any], object] = _nothing
    """Of a position: something that stays the same until the hand is over."""
    decided: float = POINTS
    """What a place ahead at the end of the game counts."""
    sure: float = 1.0
    """Standard errors by which a move that stands worse at once must do better later: more where luck is wild."""


HORIZONS: Mapping[str, Horizon] = {
    "CribbageState": Horizon(WHOLE, hand=lambda state: state.dealer),
    "IceStalksState": Horizon(turns=4),
    "RegenbogenState": Horizon(decided=LIFE),
    "RollState": Horizon(turns=1),
    "SpectrangleState": Horizon(turns=3),
    "SpectrumoState": Horizon(4, sure=3.0),
    "SpectrumpState": Horizon(WHOLE, hand=lambda state: (len(state.rounds), state.session, state.playing)),
}
"""State class name to its horizon, where it is not the usual one."""
_USUAL = Horizon()


def horizon_of(state: Any) -> Horizon:
    """The horizon of a game's playouts."""
    return HORIZONS.get(type(state).__name__, _USUAL)


class Luck:
    """Everything that will be drawn and rolled."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._of: dict[Seat, Random] = {}

    def of(self, seat: Seat) -> Random:
        """What this seat draws and rolls, whatever the others do."""
        if seat not in self._of:
            self._of[seat] = Random(self._seed << 8 | seat)
        return self._of[seat]


def played(state: Any, move: Move, seat: Seat, seed: int, depth: int) -> float:
    """What a position is worth to a seat after `move` and a playout of `depth` choices at most.

    :param seed: of all luck, and of the choices between equal moves.
    """
    horizon = horizon_of(state)
    end = played_on(state.apply(move), seat, horizon, Luck(seed), Random(seed), depth)
    value = worth(end, seat)
    places = round(value / WON)
    return value - places * (WON - horizon.decided)


def played_on(state: Any, last: Seat, horizon: Horizon, luck: Luck, random: Random, depth: int) -> Any:
    """The position in which a playout ends.

    :param last: the seat that has moved.
    """
    routine = ROUTINES.get(type(state).__name__)
    left, turns, hand = min(horizon.choices, depth), horizon.turns, horizon.hand(state)
    for _ in range(left * _EVENTS):
        expects = state.expects()
        if left <= 0 or isinstance(expects, Over) or horizon.hand(state) != hand:
            break
        if isinstance(expects, ToDraw | ToRoll):
            state = state.apply(fallen(state, luck.of(expects.seat)))
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
        state = state.apply(_quick(state, moves, one, random))
    return state


def _quick(state: Any, moves: list[Move], seat: Seat, random: Random) -> Move:
    """The move of a few after which the position stands best."""
    if len(moves) == 1:
        return moves[0]
    some = random.sample(moves, min(len(moves), _TRIED))
    return max(some, key=lambda move: worth(state.apply(move), seat))

"""Looks ahead: it fills in hidden information at random, plays on from each promising move, and chooses the best one.

It uses determinized rollouts of a greedy policy (Bertsekas, Tesauro and Wu 1997), distributed by sequential halving
(Karnin, Koren and Somekh 2013): the moves with the best positions get the same number of playouts, the worse half is
dropped, and so on until the time is up. Moves are compared on the same hidden cards and the same luck.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from random import Random
from typing import Any

from companion.core.capabilities import WHOLE, Horizon
from companion.core.contract import Move, Over, Seat, ToDraw, ToMove, ToRoll
from companion.core.game import Game
from companion.referee.players.player import WON, mover, moves_of, worth

# Playouts continue from a position with a greedy policy, as long as later events still depend on the first move.
#
# Two playouts with the same luck see the same cards and dice as long as their seats draw and roll equally often: each
# seat has its own sequence, independent of the choices, so that most of the luck cancels when two moves are compared.

_TRIED = 6
"""The number of moves that a choice within a playout compares."""
_EVENTS = 12
"""The largest number of events per choice; it ends a playout in which seats never have more than one move."""


_USUAL = Horizon()


def horizon_of(game: Game[Any]) -> Horizon:
    """Returns the horizon of a game's playouts."""
    return _USUAL if game.heuristics is None or game.heuristics.horizon is None else game.heuristics.horizon


class Luck:
    """The future draws and rolls of all seats."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._of: dict[Seat, Random] = {}

    def of(self, seat: Seat) -> Random:
        """Returns the random source for the draws and rolls of a seat, independent of the other seats."""
        if seat not in self._of:
            self._of[seat] = Random(self._seed << 8 | seat)
        return self._of[seat]


def played(game: Game[Any], state: Any, move: Move, seat: Seat, seed: int, depth: int) -> float:
    """Returns the worth of a position for a seat after `move` and a playout of at most `depth` choices.

    Args:
        seed: The seed of all luck and of the choices between equal moves.
    """
    horizon = horizon_of(game)
    end = played_on(game, state.apply(move), seat, horizon, Luck(seed), Random(seed), depth)
    value = worth(game, end, seat)
    places = round(value / WON)
    return value - places * (WON - horizon.decided)


def played_on(game: Game[Any], state: Any, last: Seat, horizon: Horizon, luck: Luck, random: Random, depth: int) -> Any:
    """Returns the position in which a playout ends.

    Args:
        last: The seat that moved last.
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
    """Returns the move with the best position right after it, from a small random sample."""
    if len(moves) == 1:
        return moves[0]
    some = random.sample(moves, min(len(moves), _TRIED))
    return max(some, key=lambda move: worth(game, state.apply(move), seat))


BUDGET_S = 0.1
"""The number of seconds for one choice."""
FIELD = 8
"""The number of moves that are searched: those with the best positions right after them."""
WIDE_FIELD = 24
"""The same limit if more moves are equally good."""
MOST_MOVES = 240
"""The largest number of moves, chosen at random, from which the field is selected."""


class _Tried:
    """A move, the worth of the position after it, and the results of its playouts relative to the first move of the
    field.
    """

    __slots__ = ("count", "move", "squares", "total", "worth")

    def __init__(self, move: Move, worth: float) -> None:
        self.move, self.worth, self.count, self.total, self.squares = move, worth, 0, 0.0, 0.0

    def add(self, lead: float) -> None:
        """Adds the result of one playout."""
        self.count += 1
        self.total += lead
        self.squares += lead * lead

    @property
    def mean(self) -> float:
        """The mean advantage over the first move of the field."""
        return self.total / max(self.count, 1)

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        if self.count < 2:
            return math.inf
        return math.sqrt(max(self.squares / self.count - self.mean**2, 0.0) / (self.count - 1))


class Searching:
    """Searches until its time budget or its number of playouts is used up, whichever comes first."""

    name = "search"

    def __init__(
        self,
        budget_s: float = BUDGET_S,
        playouts: int = 1_000_000,
        depth: int = WHOLE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.budget_s, self.playouts, self.depth, self._clock = budget_s, playouts, depth, clock

    def choose(self, game: Game[Any], state: Any, seat: Seat, random: Random) -> Move:
        """Returns the move that did best in playouts."""
        begin = self._clock()
        moves = moves_of(state, seat)
        if len(moves) == 1:
            return moves[0]
        known = game.view(state, seat)
        field = self._field(game, known, moves, seat, random)
        first = field[0]
        left = self.playouts
        rounds = math.ceil(math.log2(len(field)))
        for number in range(1, rounds + 1):
            until = begin + self.budget_s * number / rounds
            left -= self._compare(game, known, field, seat, random, left // (rounds - number + 1), until)
            field.sort(key=lambda one: one.mean, reverse=True)
            field = field[: (len(field) + 1) // 2]
            field = [first, *[one for one in field if one is not first]]
        best = max(field, key=lambda one: one.mean)
        if best.worth < first.worth and best.mean <= horizon_of(game).sure * best.error:
            return first.move
        return best.move

    def _field(self, game: Game[Any], known: Any, moves: list[Move], seat: Seat, random: Random) -> list[_Tried]:
        """Returns the most promising moves, the best first; equal ones in random order."""
        some = random.sample(moves, min(len(moves), MOST_MOVES))
        tried = sorted(
            (_Tried(move, worth(game, known.apply(move), seat)) for move in some), key=lambda one: -one.worth
        )
        least = tried[:FIELD][-1].worth
        return [one for one in tried[:WIDE_FIELD] if one.worth >= least]

    def _compare(
        self, game: Game[Any], known: Any, field: list[_Tried], seat: Seat, random: Random, most: int, until: float
    ) -> int:
        """Plays on from every move of the field in rounds until `until` (in seconds of the clock); returns the number
        of playouts.

        A round that could not be finished in time does not count, because it would favor some moves.
        """
        made = 0
        while made + len(field) <= most and self._clock() < until:
            guess, seed = game.determinize(known, random), random.getrandbits(32)
            values = []
            for one in field:
                values.append(played(game, guess, one.move, seat, seed, self.depth))
                if self._clock() > until:
                    break
            made += len(values)
            if len(values) < len(field):
                break
            for one, value in zip(field, values, strict=True):
                one.add(value - values[0])
        return made

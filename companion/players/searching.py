"""Looks ahead: fills in what is hidden as it might be, plays on from each promising move, and keeps what does best.

Determinized rollouts of a greedy policy (Bertsekas, Tesauro and Wu 1997), shared out by sequential halving (Karnin,
Koren and Somekh 2013): the moves after which the position stands best get as many playouts each, the worse half is
dropped, and so on until the time is up. Moves are compared on the same hidden cards and the same luck.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from companion.contract import Move, Over, Seat, ToMove
from companion.players.player import fallen, mover, moves_of
from companion.players.worth import WON, worth

BUDGET_S = 0.1
"""Time for one choice."""
DEPTH = 12
"""Choices of a playout at most."""
TURNS: Mapping[str, int] = {"RollState": 1, "SpectrangleState": 3}
"""State class name to the number of times that another seat may come to move in a playout, where what happens later
says more about luck than about the choice."""
FIELD = 16
"""Moves that are looked into: those after which the position stands best at once."""
MOST_MOVES = 240
"""So many moves, picked by lot, are tried for that at most."""
_TRIED = 12
"""Moves that a choice within a playout compares."""
_CARELESS = 0.1
"""Share of a playout's choices that are made by lot."""
_DECIDED = 200.0
"""What a finished game counts in a playout: more than a few points, and not so much that it drowns them."""


class _Tried:
    """A move and what came of it so far."""

    __slots__ = ("count", "move", "total")

    def __init__(self, move: Move) -> None:
        self.move, self.count, self.total = move, 0, 0.0


class Searching:
    """Answers within its budget, or after `playouts` playouts, whichever comes first."""

    name = "search"

    def __init__(
        self,
        budget_s: float = BUDGET_S,
        playouts: int = 1_000_000,
        depth: int = DEPTH,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.budget_s, self.playouts, self.depth, self._clock = budget_s, playouts, depth, clock

    def choose(self, state: Any, seat: Seat, random: Random) -> Move:
        """See Player."""
        begin = self._clock()
        moves = moves_of(state, seat)
        if len(moves) == 1:
            return moves[0]
        known = state.view(seat)
        field = self._field(known, moves, seat, random)
        left = self.playouts
        rounds = math.ceil(math.log2(len(field)))
        for number in range(1, rounds + 1):
            until = begin + self.budget_s * number / rounds
            most = left // (rounds - number + 1)
            left -= self._compare(known, field, seat, random, most, until)
            field.sort(key=lambda one: one.total / max(one.count, 1), reverse=True)
            field = field[: (len(field) + 1) // 2]
        return field[0].move

    def _field(self, known: Any, moves: list[Move], seat: Seat, random: Random) -> list[_Tried]:
        """The most promising moves, the best first; equal ones by lot."""
        some = random.sample(moves, min(len(moves), MOST_MOVES))
        worths = {at: worth(known.apply(move), seat) for at, move in enumerate(some)}
        best = sorted(worths, key=worths.__getitem__, reverse=True)[:FIELD]
        return [_Tried(some[at]) for at in best]

    def _compare(self, known: Any, field: list[_Tried], seat: Seat, random: Random, most: int, until: float) -> int:
        """Play on from every move of the field by turns while there is time; the number of playouts.

        A turn that could not be finished in time does not count: it would favor some.
        """
        made = 0
        while made + len(field) <= most and self._clock() < until:
            guess, luck = known.guess(random), random.getrandbits(32)
            values = []
            for one in field:
                values.append(self._played(guess, one.move, seat, Random(luck)))
                if self._clock() > until:
                    break
            made += len(values)
            if len(values) < len(field):
                break
            for one, value in zip(field, values, strict=True):
                one.count += 1
                one.total += value
        return made

    def _played(self, state: Any, move: Move, seat: Seat, random: Random) -> float:
        """The worth after a playout."""
        state = state.apply(move)
        choices, last, turns = 0, seat, TURNS.get(type(state).__name__, self.depth)
        while choices < self.depth:
            expects = state.expects()
            if isinstance(expects, Over):
                break
            if isinstance(expects, ToMove):
                one = mover(state, random)
                if one != last:
                    last, turns = one, turns - 1
                    if turns <= 0:
                        break
                state = state.apply(self._quick(state, one, random))
                choices += 1
            else:
                state = state.apply(fallen(state, random))
        value = worth(state, seat)
        return value if abs(value) < WON / 2 else math.copysign(_DECIDED, value) + value % WON / WON

    def _quick(self, state: Any, seat: Seat, random: Random) -> Move:
        moves = moves_of(state, seat)
        if len(moves) == 1 or random.random() < _CARELESS:
            return random.choice(moves)
        some = random.sample(moves, min(len(moves), _TRIED))
        return max(some, key=lambda move: worth(state.apply(move), seat))

"""Looks ahead: fills in what is hidden as it might be, plays on from each move, and takes what does best on the mean.

Determinized Monte Carlo search with UCB1 at the root (Auer et al. 2002). Playouts choose greedily or at random and
stop after some events, so that long games can be searched in a short time.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from random import Random
from typing import Any

from companion.contract import Move, Over, Seat, ToMove
from companion.players.player import fallen, mover, moves_of
from companion.players.worth import WON, worth

BUDGET_S = 0.1
"""Time for one choice."""
DEPTH = 24
"""Events of a playout."""
_CURIOUS = 1.0
"""How much seldom tried moves are favored."""
_GREEDY_SHARE = 0.5
"""Share of a playout's moves that look at the scores."""
_TRIED = 12
"""Moves that such a choice compares."""
MOST_MOVES = 60
"""Moves at the root that are looked into: the best by scores and others by lot."""


class Searching:
    """Answers within its budget, or after `playouts` playouts, whichever comes first."""

    name = "search"

    def __init__(
        self,
        budget_s: float = BUDGET_S,
        playouts: int = 100_000,
        depth: int = DEPTH,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.budget_s, self.playouts, self.depth, self._clock = budget_s, playouts, depth, clock

    def choose(self, state: Any, seat: Seat, random: Random) -> Move:
        """See Player."""
        end = self._clock() + self.budget_s
        known = state.view(seat)
        moves = self._candidates(moves_of(state, seat), known.guess(random), seat, random)
        if len(moves) == 1:
            return moves[0]
        counts, sums = [0] * len(moves), [0.0] * len(moves)
        low, high = math.inf, -math.inf
        for tried in range(self.playouts):
            if tried >= len(moves) and self._clock() > end:
                break
            at = self._next(counts, sums, tried, low, high)
            value = self._played(known.guess(random), moves[at], seat, random)
            counts[at] += 1
            sums[at] += value
            low, high = min(low, value), max(high, value)
        return moves[max(range(len(moves)), key=lambda i: (sums[i] / max(counts[i], 1), counts[i]))]

    def _candidates(self, moves: list[Move], state: Any, seat: Seat, random: Random) -> list[Move]:
        if len(moves) <= MOST_MOVES:
            return moves
        some = random.sample(moves, min(len(moves), 6 * MOST_MOVES))
        return sorted(some, key=lambda move: -worth(state.apply(move), seat))[:MOST_MOVES]

    def _next(self, counts: list[int], sums: list[float], tried: int, low: float, high: float) -> int:
        if tried < len(counts):
            return tried
        spread = max(high - low, 1e-9)
        curious = _CURIOUS * math.sqrt(math.log(tried))
        return max(
            range(len(counts)), key=lambda i: (sums[i] / counts[i] - low) / spread + curious / math.sqrt(counts[i])
        )

    def _played(self, state: Any, move: Move, seat: Seat, random: Random) -> float:
        """The worth after a playout, a finished game's flattened so that it does not drown the points."""
        state = state.apply(move)
        for _ in range(self.depth):
            expects = state.expects()
            if isinstance(expects, Over):
                break
            if isinstance(expects, ToMove):
                state = state.apply(self._quick(state, mover(state, random), random))
            else:
                state = state.apply(fallen(state, random))
        value = worth(state, seat)
        return value if abs(value) < WON / 2 else math.copysign(200.0, value) + value % WON / WON

    def _quick(self, state: Any, seat: Seat, random: Random) -> Move:
        moves = moves_of(state, seat)
        if random.random() >= _GREEDY_SHARE or len(moves) == 1:
            return random.choice(moves)
        some = random.sample(moves, min(len(moves), _TRIED))
        return max(some, key=lambda move: worth(state.apply(move), seat))

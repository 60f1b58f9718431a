"""Two players against each other, seats exchanged from game to game, with an interval for how strong they are."""

from __future__ import annotations

import math
from collections.abc import Mapping
from random import Random
from typing import Any

from msgspec import Struct

from companion.core.contract import Over, ToMove
from companion.core.game import Game
from companion.referee.players.player import Player, mover, worth

Z95 = 1.959964
"""Two-sided 95 percent of a normal distribution."""


class PlayerStrength(Struct, frozen=True):
    """The result of some games: wins, and draws as half."""

    games: int
    points: float

    @property
    def share(self) -> float:
        """Of the games that the first player won."""
        return self.points / self.games if self.games else 0.5

    def interval(self) -> tuple[float, float]:
        """95 percent Wilson score interval of the share (Wilson 1927)."""
        n = max(self.games, 1)
        middle = (self.share + Z95**2 / (2 * n)) / (1 + Z95**2 / n)
        reach = Z95 / (1 + Z95**2 / n) * math.sqrt(self.share * (1 - self.share) / n + Z95**2 / (4 * n * n))
        return middle - reach, middle + reach


def played(game: Game[Any], options: Struct, players: Mapping[int, Player], random: Random) -> Any:
    """A whole game; `players` by seat. Returns its last position."""
    state = game.start(len(players), options)
    limit = game.bound(state)
    for _ in range(limit):
        expects = state.expects()
        if isinstance(expects, Over):
            break
        if isinstance(expects, ToMove):
            seat = mover(state, random)
            state = state.apply(players[seat].choose(game, state, seat, random))
        else:
            state = state.apply(game.sample(state, random))
    return state


def duel(game: Game[Any], options: Struct, first: Player, second: Player, number: int, seed: int) -> float:
    """Game `number` between two: 1 if the first wins, 0.5 for a draw.

    Games come in pairs with exchanged seats. A game for one is played by both with the same luck, and the totals count.
    """
    luck = Random(f"{seed} {number // 2}")
    if 2 not in game.seats:
        totals = []
        for player in (first, second):
            end = played(game, options, {0: player}, Random(f"{seed} {number}"))
            totals.append(worth(game, end, 0))
        return 0.5 + 0.5 * ((totals[0] > totals[1]) - (totals[0] < totals[1]))
    at = number % 2
    end = played(game, options, {at: first, 1 - at: second}, luck)
    own, other = worth(game, end, at), worth(game, end, 1 - at)
    return 0.5 + 0.5 * ((own > other) - (own < other))

"""The move after which the scores stand best, without looking further."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.contract import Move, Seat
from companion.core.game import Game
from companion.referee.players.player import moves_of, worth

MOST_MOVES = 400
"""So many moves, picked by lot, are tried at most: some positions have thousands."""


class Greedy:
    """Takes the most points at once; among equals, any."""

    name = "greedy"

    def choose(self, game: Game[Any], state: Any, seat: Seat, random: Random) -> Move:
        """See Player."""
        moves = moves_of(state, seat)
        if len(moves) > MOST_MOVES:
            moves = random.sample(moves, MOST_MOVES)
        if len(moves) == 1:
            return moves[0]
        known = game.view(state, seat)
        worths = [worth(game, known.apply(move), seat) for move in moves]
        best = max(worths)
        return random.choice([move for move, value in zip(moves, worths, strict=True) if value == best])

"""Any legal move: the measure of all others."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.contract import Move, Seat
from companion.core.game import Game
from companion.referee.players.player import moves_of


class RandomPlayer:
    """Every legal move is as likely."""

    name = "random"

    def choose(self, game: Game[Any], state: Any, seat: Seat, random: Random) -> Move:
        """See Player."""
        return random.choice(moves_of(state, seat))

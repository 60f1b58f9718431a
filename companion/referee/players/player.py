"""The protocol of a player, and the course of a game between its choices."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Protocol

from companion.core.contract import Move, Seat, ToMove, named_seat
from companion.core.game import Game


class Player(Protocol):
    """Chooses moves for a seat."""

    name: str

    def choose(self, game: Game[Any], state: Any, seat: Seat, random: Random) -> Move:
        """A legal move of `seat`, which is to move in `state`."""


def moves_of(state: Any, seat: Seat) -> list[Move]:
    """The legal moves that are this seat's; where several seats may move, a move names its seat."""
    moves: Sequence[Move] = state.legal_moves()
    expects = state.expects()
    if isinstance(expects, ToMove) and len(expects.seats) > 1:
        return [move for move in moves if named_seat(move) in (None, seat)]
    return list(moves)


def mover(state: Any, random: Random) -> Seat:
    """The next seat to move; if several may, a random one of those that can."""
    seats: tuple[Seat, ...] = state.expects().seats
    if len(seats) == 1:
        return seats[0]
    able = [seat for seat in seats if moves_of(state, seat)]
    return random.choice(able or list(seats))

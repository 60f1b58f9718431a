"""The protocol of a player, and the course of a game between its choices."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Protocol

from companion.core.capabilities import Heuristics
from companion.core.contract import Move, Seat, ToMove, named_seat
from companion.core.game import Game

# The worth of a position for a seat, from its scores and prospects: greedy and searching players use it.
#
# A finished game counts for more than any score. In games where points are penalties the sign turns. If scores are
# empty until the very end, the sums that a game keeps on its way (stars, escapes, stones laid) are its scores; if
# even those are missing, `prospects` estimates the position.

_NOTHING: Heuristics[Any] = Heuristics()
WON = 10_000.0
"""A place ahead of another seat at the end of the game."""


def worth(game: Game[Any], state: Any, seat: Seat) -> float:
    """Own total less the best other one, and prospects; at the end, the difference in places."""
    known = game.heuristics or _NOTHING
    sign = -1.0 if game.lead == "fewest" else 1.0
    totals = [sign * float(score.total) for score in state.scores()]
    own = totals[seat] if seat < len(totals) else totals[seat % len(totals)]
    others = [total for at, total in enumerate(totals) if at != seat % len(totals)]
    lead = own - max(others) if others else own
    outcome = state.outcome()
    if outcome is None:
        return lead if known.prospects is None else lead + known.prospects(state, seat)
    if not others:
        return lead
    place = {one: at for at, seats in enumerate(outcome.places) for one in seats}
    if len(place) < 2 or seat not in place:
        return lead + (WON if outcome.places and seat in place else 0.0)
    behind = sum(place[seat] < at for one, at in place.items() if one != seat)
    ahead = sum(place[seat] > at for one, at in place.items() if one != seat)
    return lead + WON * (behind - ahead)


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


class RandomPlayer:
    """Every legal move is as likely."""

    name = "random"

    def choose(self, game: Game[Any], state: Any, seat: Seat, random: Random) -> Move:
        """See Player."""
        return random.choice(moves_of(state, seat))

"""The protocol of a player, and the course of a game between its choices."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Protocol

from msgspec import Struct

from companion.core.capabilities import Heuristics
from companion.core.contract import Move, Over, Seat, ToMove, named_seat
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

"""The protocol of a computer player, and the course of a game between such players."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Protocol

from msgspec import Struct

from companion.core.capabilities import Heuristics
from companion.core.contract import Move, Over, Seat, ToMove, named_seat
from companion.core.game import Game

# The worth of a position for a seat, computed from its scores and prospects, guides greedy and searching players.
#
# A finished game counts for more than any score. In games where points are penalties the sign turns. If scores are
# empty until the very end, the sums that a game keeps on its way (stars, escapes, stones laid) are its scores; if
# even those are missing, `prospects` estimates the position.

_NOTHING: Heuristics[Any] = Heuristics()
WON = 10_000.0
"""The value of each place ahead of another seat at the end of the game."""


def worth(game: Game[Any], state: Any, seat: Seat) -> float:
    """Returns the seat's total minus the best other total, plus prospects; at the end of a game, also the places."""
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
    """A strategy that chooses moves for a seat."""

    name: str

    def choose(self, game: Game[Any], state: Any, seat: Seat, random: Random) -> Move:
        """Returns a legal move of `seat`, which is to move in `state`."""


def moves_of(state: Any, seat: Seat) -> list[Move]:
    """Returns the legal moves of this seat; where several seats may move, a move names its seat."""
    moves: Sequence[Move] = state.legal_moves()
    expects = state.expects()
    if isinstance(expects, ToMove) and len(expects.seats) > 1:
        return [move for move in moves if named_seat(move) in (None, seat)]
    return list(moves)


def mover(state: Any, random: Random) -> Seat:
    """Returns the seat that moves next; if several may move, a random one of those that have a move."""
    seats: tuple[Seat, ...] = state.expects().seats
    if len(seats) == 1:
        return seats[0]
    able = [seat for seat in seats if moves_of(state, seat)]
    return random.choice(able or list(seats))


class RandomPlayer:
    """Chooses every legal move with equal probability."""

    name = "random"

    def choose(self, game: Game[Any], state: Any, seat: Seat, random: Random) -> Move:
        """Returns a random legal move."""
        return random.choice(moves_of(state, seat))


Z95 = 1.959964
"""The two-sided 95 percent quantile of the normal distribution."""


class PlayerStrength(Struct, frozen=True):
    """The result of a number of games: wins, with each draw as half a win."""

    games: int
    points: float

    @property
    def share(self) -> float:
        """The share of games that the first player won."""
        return self.points / self.games if self.games else 0.5

    def interval(self) -> tuple[float, float]:
        """Returns the 95 percent Wilson score interval of the share (Wilson 1927)."""
        n = max(self.games, 1)
        middle = (self.share + Z95**2 / (2 * n)) / (1 + Z95**2 / n)
        reach = Z95 / (1 + Z95**2 / n) * math.sqrt(self.share * (1 - self.share) / n + Z95**2 / (4 * n * n))
        return middle - reach, middle + reach


def played(game: Game[Any], options: Struct, players: Mapping[int, Player], random: Random) -> Any:
    """Returns the last position of a whole game between `players`, given by seat."""
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
    """Returns the result of game `number` between two players: 1 if the first wins, 0.5 for a draw.

    Games come in pairs with exchanged seats. In a game for one seat both players play with the same luck, and their
    totals are compared.
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
"""The largest number of moves that are tried, chosen at random; some positions have thousands."""


class Greedy:
    """Takes the move with the best position right after it; among equal moves it chooses at random."""

    name = "greedy"

    def choose(self, game: Game[Any], state: Any, seat: Seat, random: Random) -> Move:
        """Returns a move that leads to the position of the highest worth."""
        moves = moves_of(state, seat)
        if len(moves) > MOST_MOVES:
            moves = random.sample(moves, MOST_MOVES)
        if len(moves) == 1:
            return moves[0]
        known = game.view(state, seat)
        worths = [worth(game, known.apply(move), seat) for move in moves]
        best = max(worths)
        return random.choice([move for move, value in zip(moves, worths, strict=True) if value == best])

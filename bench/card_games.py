"""How fast the rules of the card games are: random play with the full list of legal moves at every turn.

Cards come from a shuffled deck, a whole draw at a time; they are chance, applied in between and not counted as moves.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from statistics import median
from typing import Any

from bench.figure import Figure, Workload, rates
from companion.contract import Drawn, ToDraw, ToMove
from companion.games.casino import CASINO
from companion.games.cribbage import CRIBBAGE
from companion.games.deck import NUMBER_CARDS, PIECES
from companion.games.five_hundred import FIVE_HUNDRED
from companion.games.poker import POKER
from companion.games.poker.odds import signatures
from companion.pieces import Piece

_ROUNDS = 7
_GAMES = {"casino": 25, "cribbage": 30, "five-hundred": 15, "poker": 400}
_SEATS = {"casino": (2, 4), "cribbage": (2, 4), "five-hundred": (2, 4, 8), "poker": (4, 8)}
_MARK = 50_000
_DECK: tuple[Piece, ...] = PIECES[:NUMBER_CARDS]


def play(game: Any, seats: int, rng: random.Random) -> int:
    """Play one random game; the number of moves, draws not counted."""
    state = game.start(seats, game.Options())
    chance = rng.random
    moves = 0
    deck = list(_DECK)
    while True:
        due = state.expects()
        if type(due) is ToMove:
            legal = state.legal_moves()
            state = state.apply(legal[int(chance() * len(legal))])
            moves += 1
        elif type(due) is ToDraw:
            if len(deck) < due.count:
                deck = list(state.unseen())
            state = state.apply(Drawn(due.seat, tuple([taken(deck, chance()) for _ in range(due.count)])))
        else:
            return moves


def taken(deck: list[Piece], at: float) -> Piece:
    """A card out of the deck, at a part of its length from 0 to 1."""
    place = int(at * len(deck))
    deck[place], deck[-1] = deck[-1], deck[place]
    return deck.pop()


def round_of(game: Any, seats: int) -> Workload:
    """Random games, the same ones in the same round."""

    def workload(number: int) -> int:
        rng = random.Random(number)
        return sum(play(game, seats, rng) for _ in range(_GAMES[game.name]))

    return workload


def figures() -> Iterator[Figure]:
    """Moves a second of random play, and the time of one table of poker odds."""
    for game in (CASINO, CRIBBAGE, FIVE_HUNDRED, POKER):
        contestants = {str(seats): round_of(game, seats) for seats in _SEATS[game.name]}
        for warm_up in range(1000, 1003):
            for workload in contestants.values():
                workload(warm_up)
        found = rates(contestants, _ROUNDS)
        for seats in contestants:
            yield Figure(f"{game.title}, {seats} players, random play", median(found[seats]), "moves/s", _MARK)
    yield Figure("Poker, all 481,008,528 hands by category", _seconds_of_odds(), "s", at_most=10.0)


def _seconds_of_odds() -> float:
    began = time.process_time()
    signatures()
    return time.process_time() - began

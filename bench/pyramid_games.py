"""How fast the rules of the pyramid games are: random play with the full list of legal moves at every turn.

A drawn piece or rock is chance: it is applied in between, like the dice of other games, and not counted as a move.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from statistics import median
from typing import Any

from bench.figure import Figure, Workload, rates
from companion.contract import ToDraw, ToMove
from companion.games.ice_stalks import ICE_STALKS
from companion.games.spectra import SPECTRA

_ROUNDS = 9
_GAMES = {"spectra": 15, "ice-stalks": 120}
_MARK = 25_000


def play(game: Any, seats: int, rng: random.Random) -> int:
    """Play one random game; the number of moves, draws not counted."""
    state = game.start(seats, game.Options())
    chance = rng.random
    moves = 0
    while True:
        due = state.expects()
        if type(due) is ToMove:
            legal = state.legal_moves()
            state = state.apply(legal[int(chance() * len(legal))])
            moves += 1
        elif type(due) is ToDraw:
            events, weights = zip(*state.chances(), strict=True)
            state = state.apply(rng.choices(events, weights)[0])
        else:
            return moves


def round_of(game: Any, seats: int) -> Workload:
    """Random games, the same ones in the same round."""

    def workload(number: int) -> int:
        rng = random.Random(number)
        return sum(play(game, seats, rng) for _ in range(_GAMES[game.name]))

    return workload


def figures() -> Iterator[Figure]:
    """Moves a second of random play."""
    for game in (SPECTRA, ICE_STALKS):
        for warm_up in range(1000, 1003):
            round_of(game, 2)(warm_up)
        contestants = {seats: round_of(game, seats) for seats in (2, 4)}
        found = rates({str(seats): workload for seats, workload in contestants.items()}, _ROUNDS)
        for seats in contestants:
            name = f"{game.title}, {seats} players, random play"
            yield Figure(name, median(found[str(seats)]), "moves/s", _MARK)

"""How fast the rules are: random play with the full list of legal moves at every turn.

Spectrangle is measured against OpenSpiel's backgammon, a C++ game driven from Python with the same loop: list all legal
moves, pick one at random, apply it; chance (a drawn tile, two dice) is applied in between and not counted as a move.
OpenSpiel lists the outcomes of the dice and leaves the choice to the caller; `random.choices` picks among them here,
which takes less time than the numpy call of OpenSpiel's own examples.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from statistics import median
from typing import Any

from bench.figure import Figure, Workload, median_ratio, rates
from companion.contract import Drawn, ToDraw, ToMove
from companion.games.spectrangle.game import SPECTRANGLE
from companion.games.spectrangle.options import Options
from companion.pieces import TILES

_ROUNDS = 9
_GAMES = 120
_BACKGAMMON_GAMES = 12


def spectrangle(rng: random.Random, options: Options, seats: int = 2) -> int:
    """Play one random game; the number of placements, exchanges and passes."""
    chance = rng.random
    bag = sorted(TILES, key=lambda tile: chance())
    state = SPECTRANGLE.start(seats, options)
    moves = 0
    while True:
        due = state.expects()
        if type(due) is ToMove:
            move = rng.choice(state.legal_moves())
            state = state.apply(move)
            moves += 1
            if state.aside is not None:
                drawn = bag.pop()
                bag.insert(int(chance() * len(bag)), move.tile)
                state = state.apply(Drawn(state.turn, (drawn,)))
        elif type(due) is ToDraw:
            state = state.apply(Drawn(due.seat, (bag.pop(),)))
            if len(bag) != state.bag:  # tiles of a tied start went back
                bag = sorted(state.unseen(), key=lambda tile: chance())
        else:
            return moves


def spectrangle_round(options: Options, seats: int = 2) -> Workload:
    """Random games of Spectrangle, the same ones in the same round."""

    def play(number: int) -> int:
        rng = random.Random(number)
        return sum(spectrangle(rng, options, seats) for _ in range(_GAMES))

    return play


def backgammon(game: Any, rng: random.Random) -> int:
    """Play one random game of OpenSpiel's backgammon; the number of moves, dice not counted."""
    state = game.new_initial_state()
    moves = 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(actions, weights)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            moves += 1
    return moves


def backgammon_round() -> Workload | None:
    """Random games of backgammon, or None where OpenSpiel is not installed (extra `bench`)."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("backgammon")

    def play(number: int) -> int:
        rng = random.Random(number)
        return sum(backgammon(game, rng) for _ in range(_BACKGAMMON_GAMES))

    return play


def figures() -> Iterator[Figure]:
    """Moves a second of random play, and the ratio to backgammon."""
    contestants: dict[str, Workload] = {"spectrangle": spectrangle_round(Options())}
    peer = backgammon_round()
    if peer is not None:
        contestants["backgammon"] = peer
    for warm_up in range(1000, 1006):
        contestants["spectrangle"](warm_up)
    found = rates(contestants, _ROUNDS)
    yield Figure("Spectrangle, 2 players, random play", median(found["spectrangle"]), "moves/s", 55_000)
    if peer is not None:
        yield Figure("OpenSpiel backgammon, random play", median(found["backgammon"]), "moves/s")
        ratio = median_ratio(found["spectrangle"], found["backgammon"])
        yield Figure("Spectrangle to backgammon, round by round", ratio, "times", 1.25)
    others = {
        "4 players": spectrangle_round(Options(), 4),
        "edges: all": spectrangle_round(Options(edges="all")),
    }
    for name, found_rates in rates(others, 3).items():
        yield Figure(f"Spectrangle, {name}", median(found_rates), "moves/s")

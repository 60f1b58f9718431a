"""Measures how fast the rules are: random play through nothing but the contract, the full list of legal moves at
every turn.

Every game is played by the same loop: make the list of all legal moves, pick one at random, `apply` it; a chance event
that is due is one of `Game.sample` and is not counted as a move. Some games answer `legal_moves()` with a sequence that
makes each move when it is asked for; `list` makes all of them, as OpenSpiel does. Every game is measured against
OpenSpiel's backgammon, a C++ game driven from Python with the same loop, in alternating rounds. OpenSpiel lists the
outcomes of the dice and leaves the choice to the caller; `random.choices` picks among them here, which takes less time
than the numpy call of OpenSpiel's own examples.

What only ends a game is not played: nobody gives Solitaire up while something else can be done or offers a draw.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from statistics import median
from typing import Any, NamedTuple

from bench.figure import Figure, Workload, median_ratio, rates
from companion.core.contract import Over, ToMove
from companion.core.game import Game
from companion.games import GAMES
from companion.games.regenbogen.moves import OfferDraw
from companion.games.solitaire.moves import Concede

ROUNDS, FEW_ROUNDS = 7, 3
LONGEST = 1000
"""Cards of Solitaire may go to and fro for ever: then the game is left."""
_BACKGAMMON_GAMES = 12


class PlayedMoves(NamedTuple):
    """The timed play of a game."""

    games: int
    """Of one round."""
    seats: tuple[int, ...]
    mark: float
    """Moves a second of processor time that are asked for."""
    ratio: float = 0.8
    """Moves for each move of backgammon that are asked for."""
    variants: Mapping[str, Mapping[str, Any]] = {}
    """Options that are timed without a mark, with the least number of players."""
    quits: type | None = None
    """The move that only ends a game; it is listed last."""


PLAYED: Mapping[str, PlayedMoves] = {
    "spectrangle": PlayedMoves(120, (2, 4), 100_000, 1.5, {"edges: all": {"edges": "all"}}),
    "spectra": PlayedMoves(15, (2, 4), 30_000, 1.2),
    "ice-stalks": PlayedMoves(120, (2, 4), 30_000, 1.2),
    "regenbogen": PlayedMoves(20, (2,), 30_000, quits=OfferDraw),
    "spectrum": PlayedMoves(
        4,
        (2, 4),
        50_000,
        variants={
            "own pawns jumped and captured": {"self_capture": True, "self_jump": True},
            "twelve-sided dice": {"dice": "d12"},
            "parts in any order": {"special_order": "free"},
            "cards as dice": {"cards_as_dice": True},
            "portals": {"portals": True},
        },
    ),
    "escape": PlayedMoves(12, (2, 4), 30_000),
    "roll-and-color": PlayedMoves(30, (2, 4), 30_000),
    "solitaire": PlayedMoves(10, (1,), 30_000, quits=Concede),
    "casino": PlayedMoves(25, (2, 4), 50_000),
    "spectrumo": PlayedMoves(3, (2, 4, 8), 30_000),
    "spectrump": PlayedMoves(8, (2, 4, 8), 30_000),
    "cribbage": PlayedMoves(30, (2, 4), 50_000),
    "five-hundred": PlayedMoves(15, (2, 4, 8), 50_000),
    "poker": PlayedMoves(400, (4, 8), 30_000),
}


def play(game: Game[Any], options: Any, seats: int, rng: random.Random) -> int:
    """Play one random game; the number of moves."""
    state = game.start(seats, options)
    chance, quits = rng.random, PLAYED[game.name].quits
    moves = 0
    while moves < LONGEST or game.name != "solitaire":
        due = state.expects()
        if type(due) is ToMove:
            legal = list(state.legal_moves())
            last = len(legal)
            if last > 1 and type(legal[-1]) is quits:
                last -= 1
            state = state.apply(legal[int(chance() * last)])
            moves += 1
        elif type(due) is Over:
            break
        else:
            state = state.apply(game.sample(state, rng))
    return moves


def round_of(game: Game[Any], options: Any, seats: int, games: int) -> Workload:
    """Random games, the same ones in the same round."""

    def workload(number: int) -> int:
        rng = random.Random(number)
        return sum(play(game, options, seats, rng) for _ in range(games))

    return workload


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

    def workload(number: int) -> int:
        rng = random.Random(number)
        return sum(backgammon(game, rng) for _ in range(_BACKGAMMON_GAMES))

    return workload


def figures() -> Iterator[Figure]:
    """Yields moves a second of random play, and the ratio to backgammon."""
    peer = backgammon_round()
    for name, played in PLAYED.items():
        game = GAMES[name]
        contestants = {
            f"{seats} {'player' if seats == 1 else 'players'}": round_of(game, game.Options(), seats, played.games)
            for seats in played.seats
        }
        first = next(iter(contestants))
        for warm_up in range(1000, 1003):
            contestants[first](warm_up)
        found = rates(contestants if peer is None else {**contestants, "backgammon": peer}, ROUNDS)
        for what in contestants:
            yield Figure(f"{game.title}, {what}, random play", median(found[what]), "moves/s", played.mark)
        if peer is not None:
            yield Figure("OpenSpiel backgammon, random play", median(found["backgammon"]), "moves/s")
            ratio = median_ratio(found[first], found["backgammon"])
            yield Figure(f"{game.title} to backgammon, round by round", ratio, "times", played.ratio)
        variants = {
            what: round_of(game, game.Options(**options), played.seats[0], played.games)
            for what, options in played.variants.items()
        }
        for what, one in rates(variants, FEW_ROUNDS).items() if variants else ():
            yield Figure(f"{game.title}, {what}", median(one), "moves/s")

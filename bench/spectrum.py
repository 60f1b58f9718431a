"""How fast the rules of Spectrum are: random play with the full list of legal moves at every turn.

Rolls and cards are chance, applied in between and not counted as moves. A usage that must be said, a pawn's move and a
captured pawn's place are one move each.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from statistics import median

from bench.figure import Figure, Workload, rates
from companion.contract import Rolled, ToDraw, ToMove, ToRoll
from companion.games.spectrum import SPECTRUM
from companion.games.spectrum.options import Options
from companion.pieces import FACES, Die

_ROUNDS = 9
_GAMES = 4
_MARK = 25_000
_DICE = {kind: tuple(Die(kind, face) for face in faces) for kind, faces in FACES.items()}


def play(options: Options, seats: int, rng: random.Random) -> int:
    """Play one random game; the number of moves, dice and cards not counted."""
    state = SPECTRUM.start(seats, options)
    chance = rng.random
    moves = 0
    while True:
        due = state.expects()
        if type(due) is ToMove:
            legal = state.legal_moves()
            state = state.apply(legal[int(chance() * len(legal))])
            moves += 1
        elif type(due) is ToRoll:
            dice = [_DICE[kind] for kind in due.dice]
            state = state.apply(Rolled(tuple([faces[int(chance() * len(faces))] for faces in dice])))
        elif type(due) is ToDraw:
            events = [event for event, _ in state.chances()]
            state = state.apply(events[int(chance() * len(events))])
        else:
            return moves


def round_of(options: Options, seats: int) -> Workload:
    """Random games, the same ones in the same round."""

    def workload(number: int) -> int:
        rng = random.Random(number)
        return sum(play(options, seats, rng) for _ in range(_GAMES))

    return workload


def figures() -> Iterator[Figure]:
    """Moves a second of random play, with cubes and in the variants."""
    cubes = {f"{seats} players": round_of(Options(), seats) for seats in (2, 4)}
    for warm_up in range(1000, 1003):
        cubes["2 players"](warm_up)
    for name, found in rates(cubes, _ROUNDS).items():
        yield Figure(f"Spectrum, {name}, random play", median(found), "moves/s", _MARK)
    others = {
        "own pawns jumped and captured": round_of(Options(self_capture=True, self_jump=True), 2),
        "twelve-sided dice": round_of(Options(dice="d12"), 2),
        "parts in any order": round_of(Options(special_order="free"), 2),
        "cards as dice": round_of(Options(cards_as_dice=True), 2),
        "portals": round_of(Options(portals=True), 2),
    }
    for name, found in rates(others, 3).items():
        yield Figure(f"Spectrum, {name}", median(found), "moves/s")

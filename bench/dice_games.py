"""How fast the rules of the dice games are, and how long an exact outlook takes.

Random play lists all legal moves at every turn. A roll is chance: the dice that are due are thrown here and applied in
between, and not counted as a move. An outlook is timed for a sheet that it meets for the first time.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from statistics import median
from typing import Any

from bench.figure import Figure, Workload, rates
from companion.contract import Rolled, ToMove, ToRoll
from companion.games.escape import ESCAPE
from companion.games.roll_and_color import ROLL_AND_COLOR
from companion.games.roll_and_color.expectation import outlook
from companion.games.roll_and_color.sheet import ROWS, entry
from companion.games.roll_and_color.state import RollState
from companion.pieces import FACES, Die

_ROUNDS = 9
_GAMES = {"escape": 12, "roll-and-color": 30}
_MARK = 50_000
_DICE = {kind: tuple(Die(kind, face) for face in faces) for kind, faces in FACES.items()}


def play(game: Any, seats: int, rng: random.Random) -> int:
    """Play one random game; the number of moves, rolls not counted."""
    state = game.start(seats, game.Options())
    chance = rng.random
    moves = 0
    while True:
        due = state.expects()
        if type(due) is ToMove:
            legal = state.legal_moves()
            state = state.apply(legal[int(chance() * len(legal))])
            moves += 1
        elif type(due) is ToRoll:
            thrown = [(dice := _DICE[kind])[int(chance() * len(dice))] for kind in due.dice]
            state = state.apply(Rolled(tuple(thrown)))
        else:
            return moves


def round_of(game: Any, seats: int) -> Workload:
    """Random games, the same ones in the same round."""

    def workload(number: int) -> int:
        rng = random.Random(number)
        return sum(play(game, seats, rng) for _ in range(_GAMES[game.name]))

    return workload


def outlook_ms(number: int) -> float:
    """Processor milliseconds of the outlook after a first roll, a random half of the sheet being open."""
    rng = random.Random(number)
    rows = rng.sample(range(len(ROWS)), len(ROWS) // 2)
    dice = [2 * rng.randrange(6) for _ in range(4)] + [rng.randrange(12) for _ in range(5)]
    state = RollState((tuple(entry(row, 0) for row in rows),), 0, True, tuple(dice))
    began = time.process_time()
    outlook(state, "sheet")
    return 1000 * (time.process_time() - began)


def figures() -> Iterator[Figure]:
    """Moves a second of random play."""
    for game in (ESCAPE, ROLL_AND_COLOR):
        contestants = {str(seats): round_of(game, seats) for seats in (2, 4)}
        for warm_up in range(1000, 1003):
            contestants["4"](warm_up)
        found = rates(contestants, _ROUNDS)
        for seats, rates_found in found.items():
            yield Figure(f"{game.title}, {seats} players, random play", median(rates_found), "moves/s", _MARK)
    yield Figure("Roll & Color, first outlook of a program", outlook_ms(0), "ms", at_most=1000)
    later = [outlook_ms(number) for number in range(1, 8)]
    yield Figure("Roll & Color, outlook of a new sheet after the first roll", median(later), "ms", at_most=1000)

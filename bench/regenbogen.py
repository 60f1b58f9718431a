"""How fast the rules of Regenbogen are: random play with the full list of legal moves at every turn.

A turn is up to two moves here, a piece that goes and what it does. Nobody proposes a draw, so games end by the rules.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from statistics import median

from bench.figure import Figure, rates
from companion.contract import ToMove
from companion.games.regenbogen import REGENBOGEN
from companion.games.regenbogen.moves import OfferDraw

_ROUNDS = 9
_GAMES = 20
_MARK = 25_000


def play(rng: random.Random) -> int:
    """Play one random game; the number of moves."""
    state = REGENBOGEN.start(2, REGENBOGEN.Options())
    chance = rng.random
    moves = 0
    while type(state.expects()) is ToMove:
        legal = state.legal_moves()
        last = len(legal) - 1 if type(legal[-1]) is OfferDraw else len(legal)
        state = state.apply(legal[int(chance() * last)])
        moves += 1
    return moves


def played(number: int) -> int:
    """Random games, the same ones in the same round."""
    rng = random.Random(number)
    return sum(play(rng) for _ in range(_GAMES))


def figures() -> Iterator[Figure]:
    """Moves a second of random play."""
    for warm_up in range(1000, 1003):
        played(warm_up)
    found = rates({"regenbogen": played}, _ROUNDS)
    yield Figure("Regenbogen, 2 players, random play", median(found["regenbogen"]), "moves/s", _MARK)

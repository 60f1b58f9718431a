"""How fast the rules of Solitaire, Spectrumo and Spectrump are: random play, the full list of legal moves each turn.

Cards come from a shuffled deck, a whole draw at a time; they are chance, applied in between and not counted as moves.
Nobody gives Solitaire up while anything else can be done; a game in which cards only go to and fro is left in the end.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from statistics import median
from typing import Any

from bench.figure import Figure, Workload, rates
from companion.contract import Drawn, ToDraw, ToMove
from companion.games.deck import PIECES
from companion.games.solitaire import SOLITAIRE
from companion.games.spectrumo import SPECTRUMO
from companion.games.spectrump import SPECTRUMP
from companion.pieces import Piece

_ROUNDS = 7
_MARK = 50_000
_LONGEST_SOLITAIRE = 1000
_SEATS = {"solitaire": (1,), "spectrumo": (2, 4, 8), "spectrump": (2, 4, 8)}
_GAMES = {"solitaire": 10, "spectrumo": 3, "spectrump": 8}


class Deck:
    """Unseen cards in a random order; shuffled anew for each deal, and when they run out."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._cards: list[Piece] = []

    def draw(self, state: Any, count: int) -> tuple[Piece, ...]:
        """So many cards that may come now."""
        if len(self._cards) < count:
            self._cards = [piece for piece, copies in state.unseen().items() for _ in range(copies)]
            if len(self._cards) < count:
                self._cards += [PIECES[card] for card in state.discard[:-1]]
            self._rng.shuffle(self._cards)
        drawn = tuple(self._cards[-count:])
        del self._cards[-count:]
        return drawn

    def collect(self) -> None:
        """All cards come back."""
        self._cards = []


def solitaire(rng: random.Random) -> int:
    """Play one random game, giving up only when nothing else is left; the number of moves."""
    state = SOLITAIRE.start(1, SOLITAIRE.Options())
    deck = Deck(rng)
    moves = 0
    while moves < _LONGEST_SOLITAIRE:
        due = state.expects()
        if type(due) is ToDraw:
            state = state.apply(Drawn(0, deck.draw(state, due.count)))
            continue
        legal = state.legal_moves()
        if len(legal) < 2:
            break
        state = state.apply(legal[int(rng.random() * (len(legal) - 1))])
        moves += 1
    return moves


def play(game: Any, seats: int, rng: random.Random) -> int:
    """Play one random game of several players; the number of moves."""
    state = game.start(seats, game.Options())
    chance, deck = rng.random, Deck(rng)
    moves = hands = 0
    while True:
        due = state.expects()
        if type(due) is ToMove:
            legal = state.legal_moves()
            state = state.apply(legal[int(chance() * len(legal))])
            moves += 1
        elif type(due) is ToDraw:
            over = len(state.over if game is SPECTRUMO else state.rounds)
            if over != hands:
                deck.collect()
                hands = over
            swapping = state.swapping if game is SPECTRUMO else None
            if swapping is None:
                pieces = deck.draw(state, due.count)
            else:
                pieces = tuple([PIECES[card] for card in rng.sample(state.hands[swapping.to], due.count)])
            state = state.apply(Drawn(due.seat, pieces))
        else:
            return moves


def round_of(game: Any, seats: int) -> Workload:
    """Random games, the same ones in the same round."""

    def workload(number: int) -> int:
        rng = random.Random(number)
        if game is SOLITAIRE:
            return sum(solitaire(rng) for _ in range(_GAMES[game.name]))
        return sum(play(game, seats, rng) for _ in range(_GAMES[game.name]))

    return workload


def figures() -> Iterator[Figure]:
    """Moves a second of random play."""
    for game in (SOLITAIRE, SPECTRUMO, SPECTRUMP):
        contestants = {str(seats): round_of(game, seats) for seats in _SEATS[game.name]}
        for warm_up in (1000, 1001):
            for workload in contestants.values():
                workload(warm_up)
        found = rates(contestants, _ROUNDS)
        for seats in contestants:
            players = "1 player" if seats == "1" else f"{seats} players"
            yield Figure(f"{game.title}, {players}, random play", median(found[seats]), "moves/s", _MARK)

"""Plays random games of Spectrangle, move by move, as the referee meets them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from companion.core.contract import Drawn, Event, Over, ToDraw
from companion.games import GAMES

GAME = GAMES["spectrangle"]


class Turn(NamedTuple):
    """A move between two pictures."""

    before: Any
    move: Event
    after: Any
    """The position after the move, and after the draw that follows it in a random half of the turns."""


def draw(state: Any, rng: Random) -> Any:
    """Returns the position after the draws that are due, from a real bag."""
    while isinstance(due := state.expects(), ToDraw):
        drawn, _ = rng.choice(list(GAME.outcomes(state)))
        state = state.apply(Drawn(due.seat, drawn.pieces))
    return state


def turns(rng: Random, games: int, **options: Any) -> Iterator[Turn]:
    """Yields the turns of random games; half of the time the draw shows in the same picture as its move."""
    for _ in range(games):
        state = draw(GAME.start(2, GAME.Options(**options)), rng)
        while not isinstance(state.expects(), Over):
            move = rng.choice(list(state.legal_moves()))
            moved = state.apply(move)
            drawn = draw(moved, rng)
            yield Turn(state, move, drawn if rng.random() < 0.5 else moved)
            state = drawn

"""The unseen tiles of Spectrangle, in the bag and in hands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from msgspec.structs import replace

from companion.core.contract import Chance, Drawn, ToDraw
from companion.core.foundation.errors import BadEvent
from companion.core.pieces import TILES, Piece
from companion.games.shared.search.bit_sets import bits, nth
from companion.games.spectrangle.state import SpectrangleState


def unseen(state: SpectrangleState) -> Mapping[Piece, int]:
    """The tiles in the bag and the hidden ones of the hands."""
    return {TILES[number]: 1 for number in bits(state.pool)}


def outcomes(state: SpectrangleState) -> Iterable[tuple[Chance, int]]:
    """The next single tile out of the bag: each unseen one is as likely."""
    expected = state.expects()
    if isinstance(expected, ToDraw):
        for number in bits(state.pool):
            yield Drawn(expected.seat, (TILES[number],)), 1


def determinize(state: SpectrangleState, rng: Random) -> SpectrangleState:
    """Hidden tiles of the hands filled in from the unseen ones, each as likely as another."""
    numbers = list(bits(state.pool))
    rng.shuffle(numbers)
    hands, pool = [], state.pool
    for hand, count in zip(state.hands, state.hidden, strict=True):
        filled = [numbers.pop() for _ in range(count)]
        for number in filled:
            pool &= ~(1 << number)
        hands.append(tuple(sorted((*hand, *filled))))
    return replace(state, hands=tuple(hands), hidden=(0,) * len(hands), pool=pool)


_DRAWN = tuple(tuple(Drawn(seat, (tile,)) for tile in TILES) for seat in range(4))
"""By seat and number: a tile that is drawn."""


def sample(state: SpectrangleState, rng: Random) -> Chance:
    """A tile out of the bag: each unseen one is as likely.

    :raises BadEvent: no draw is due.
    """
    due = state.expects()
    if not isinstance(due, ToDraw):
        raise BadEvent("No tile is drawn now. Make a move.")
    pool = state.pool
    return _DRAWN[due.seat][nth(pool, int(rng.random() * pool.bit_count()))]

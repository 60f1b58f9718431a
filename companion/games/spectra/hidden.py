"""The bag of Spectra, and what may come out of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from companion.core.contract import Chance, Drawn
from companion.core.foundation.errors import BadEvent
from companion.core.pieces import Piece
from companion.games.spectra.stash import KINDS, TREE_COLORS
from companion.games.spectra.state import SpectraState


def unseen(state: SpectraState) -> Mapping[Piece, int]:
    """The pieces in the bag."""
    return {KINDS[kind]: count for kind, count in enumerate(state.bag) if count}


def outcomes(state: SpectraState) -> Iterable[tuple[Chance, int]]:
    """The pieces that the turn's draw may bring, by the size felt for if one was chosen (SPA-6)."""
    if state.ending is not None or not state.may_draw:
        return
    for seat in state.movers:
        for kind, count in enumerate(state.bag):
            if count and state.reach in (None, KINDS[kind].size):
                yield Drawn(seat, (KINDS[kind],)), count


_DRAWN = tuple(tuple(Drawn(seat, (piece,)) for piece in KINDS) for seat in range(len(TREE_COLORS)))
"""By seat and kind: a piece that is drawn."""


def sample(state: SpectraState, rng: Random) -> Chance:
    """A piece out of the bag, of the chosen size, if any (SPA-6).

    :raises BadEvent: no draw is due.
    """
    bag = state.bag
    if state.reach is not None:
        bag = tuple([count if KINDS[kind].size == state.reach else 0 for kind, count in enumerate(bag)])
    left = sum(bag)
    if state.ending is not None or not state.may_draw or not left:
        raise BadEvent("Nothing may be drawn now. Make a move.")
    place = int(rng.random() * left)
    kind = 0
    while place >= bag[kind]:
        place -= bag[kind]
        kind += 1
    movers = state.movers
    return _DRAWN[movers[int(rng.random() * len(movers))]][kind]

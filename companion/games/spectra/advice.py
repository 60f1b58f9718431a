"""Computes the page's advice on a position: the pieces that a player can make, the players who lose one, and the rest.

All functions are pure functions of a position; they do not judge moves.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from companion.core.contract import Seat
from companion.core.pieces import Pyramid
from companion.games.spectra.moves import Exchange, Source
from companion.games.spectra.situation import OWN_KINDS, Situation
from companion.games.spectra.stash import COLORS, KIND, KINDS, SIZES, TREES


class Make(Struct, frozen=True):
    """A piece that can be made, and the pieces given for it."""

    took: Pyramid
    gave: tuple[Pyramid, ...]
    sources: tuple[Source, ...]
    """The players that hold the piece, one of whom must give it (SPA-20, SPA-21), or only "bag"."""
    grows: bool
    """True if the piece has a place in the own trees (SPA-8)."""


def makes(situation: Situation, seat: Seat) -> tuple[Make, ...]:
    """Returns everything that a seat can make of its supply, also before its turn; pieces for its own trees come
    first.
    """
    if situation.ending is not None:
        return ()
    on_turn = replace(situation, turn=seat, reach=None)
    found: dict[tuple[Pyramid, tuple[Pyramid, ...]], list[Source]] = {}
    for move in on_turn.moves:
        if isinstance(move, Exchange):
            found.setdefault((move.took, move.gave), []).append(move.source)
    all_makes = [
        Make(took, gave, tuple(sources), situation.fits(seat, KIND[took])) for (took, gave), sources in found.items()
    ]
    return tuple(sorted(all_makes, key=lambda make: (not make.grows, KIND[make.took])))


class Left(Struct, frozen=True):
    """The pieces of one color in the bag."""

    color: str
    large: int
    medium: int
    small: int


def bag(situation: Situation) -> tuple[Left, ...]:
    """Returns the bag by color and size: everything that is not on the table."""
    counts = {(piece.color, piece.size): count for piece, count in zip(KINDS, situation.bag, strict=True)}
    return tuple(Left(color, *(counts[color, size] for size in SIZES)) for color in COLORS)


def wanted(situation: Situation, seat: Seat) -> tuple[Pyramid, ...]:
    """Returns the pieces that a seat's trees still lack, largest first (SPA-25)."""
    return tuple(
        KINDS[kind]
        for kind in OWN_KINDS[situation.colors[seat]]
        for _ in range(TREES - min(TREES, situation.trees[seat][kind]))
    )

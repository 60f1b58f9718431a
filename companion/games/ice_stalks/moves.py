"""The moves after drawing a rock: place a piece, and take the stalk that it completes (ICE-4, ICE-16).

Taking is an event of its own because a camera sees it by itself: a finished stalk may stand for a while before a hand
takes it, and it may go to the wrong player.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from msgspec import Meta, Struct

from companion.core.contract import Drawn
from companion.core.pieces import Pyramid
from companion.games.ice_stalks.options import MOST_PLAYERS
from companion.games.ice_stalks.rainbow import KINDS, Kind, Stalk, pieces_of

Player = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]


class PlacePiece(Struct, frozen=True, tag="place", cache_hash=True):
    """A piece goes on top of a stalk, or alone on the table as a base (ICE-5).

    The stalk is named by its pieces, bottom to top: stalks have no fixed places, and equal ones are the same choice.
    """

    seat: Player
    piece: Pyramid
    on: Annotated[tuple[Pyramid, ...], Meta(max_length=40)] = ()


class Take(Struct, frozen=True, tag="take", cache_hash=True):
    """The completed stalk goes to a player (ICE-16)."""

    seat: Player


class Pass(Struct, frozen=True, tag="pass", cache_hash=True):
    """The rock is laid aside and no piece is placed.

    No game that keeps the rules needs it (ICE-22). Where agreed placements have used up the pieces of a color, it keeps
    the game going.
    """

    seat: Player


Move = PlacePiece | Take | Pass
IceStalksEvent = Move | Drawn


@lru_cache(maxsize=1 << 12)
def place(seat: int, kind: Kind, stalk: Stalk) -> PlacePiece:
    """The placement of a piece on a stalk; an empty text is the table."""
    return PlacePiece(seat, KINDS[kind], pieces_of(stalk))


TAKES = tuple(Take(seat) for seat in range(MOST_PLAYERS))
"""By seat."""
PASSES = tuple(Pass(seat) for seat in range(MOST_PLAYERS))
"""By seat."""

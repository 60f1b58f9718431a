"""What a player can do: move a piece, act with it, end the turn, and answer what the turn asks (RGB-9).

A turn is told in two steps, because a table shows it so: the piece goes, then it acts, and a camera or a word may come
in between. Moves exist once each, so that lists of them hold references.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from companion.games.regenbogen.board import CELLS
from companion.games.regenbogen.data import DATA, SIDES

Player = Annotated[int, Meta(ge=0, lt=len(SIDES))]
"""White is 0, Black 1."""
Name = Annotated[str, Meta(min_length=2, max_length=2)]
"""The name of a cell."""


class Go(Struct, frozen=True, tag="go", cache_hash=True, gc=False):
    """A piece moves in a straight line (RGB-10)."""

    seat: Player
    piece: Name
    """Where it stands."""
    to: Name


class Fight(Struct, frozen=True, tag="fight", cache_hash=True, gc=False):
    """A piece damages an adjacent enemy piece (RGB-15)."""

    seat: Player
    piece: Name
    target: Name


class Summon(Struct, frozen=True, tag="summon", cache_hash=True, gc=False):
    """A Wizard puts a Spirit of its color on an adjacent cell (RGB-19)."""

    seat: Player
    piece: Name
    to: Name


class Heal(Struct, frozen=True, tag="heal", cache_hash=True, gc=False):
    """A Cleric spends a spell on the health of an own piece (RGB-21)."""

    seat: Player
    piece: Name
    target: Name
    points: Annotated[int, Meta(ge=1, le=9)]


class Recover(Struct, frozen=True, tag="recover", cache_hash=True, gc=False):
    """A Cleric regains a spell (RGB-22)."""

    seat: Player
    piece: Name


class SelfDestruct(Struct, frozen=True, tag="self-destruct", cache_hash=True, gc=False):
    """A Spirit damages everything around it and leaves the board (RGB-23)."""

    seat: Player
    piece: Name


class EndTurn(Struct, frozen=True, tag="end-turn", cache_hash=True, gc=False):
    """The piece that moved takes no action (RGB-9)."""

    seat: Player


class Pass(Struct, frozen=True, tag="pass", cache_hash=True, gc=False):
    """Nothing can be moved and no action be taken (RGB-9)."""

    seat: Player


class GiveSpell(Struct, frozen=True, tag="give-spell", cache_hash=True, gc=False):
    """A Cleric that would be killed gives up a spell and stays (RGB-17)."""

    seat: Player


class LoseCleric(Struct, frozen=True, tag="lose-cleric", cache_hash=True, gc=False):
    """A Cleric that would be killed gives up no spell and leaves the board, its spells with it (RGB-17)."""

    seat: Player


class OfferDraw(Struct, frozen=True, tag="offer-draw", cache_hash=True, gc=False):
    """The side on turn proposes a draw before it moves (RGB-27)."""

    seat: Player


class AcceptDraw(Struct, frozen=True, tag="accept-draw", cache_hash=True, gc=False):
    """The other side agrees (RGB-27)."""

    seat: Player


class DeclineDraw(Struct, frozen=True, tag="decline-draw", cache_hash=True, gc=False):
    """The other side plays on (RGB-27)."""

    seat: Player


Action = Fight | Summon | Heal | Recover | SelfDestruct
Move = (
    Go
    | Fight
    | Summon
    | Heal
    | Recover
    | SelfDestruct
    | EndTurn
    | Pass
    | GiveSpell
    | LoseCleric
    | OfferDraw
    | AcceptDraw
    | DeclineDraw
)

SEATS = range(len(SIDES))
GOES = tuple(tuple(tuple(Go(seat, one, to) for to in CELLS) for one in CELLS) for seat in SEATS)
"""By seat, start and end."""
FIGHTS = tuple(tuple(tuple(Fight(seat, one, to) for to in CELLS) for one in CELLS) for seat in SEATS)
"""By seat, attacker and victim."""
SUMMONS = tuple(tuple(tuple(Summon(seat, one, to) for to in CELLS) for one in CELLS) for seat in SEATS)
"""By seat, Wizard and cell."""
HEALS = tuple(
    tuple(
        tuple(tuple(Heal(seat, one, to, points) for points in range(1, DATA.cleric.heal_up_to + 1)) for to in CELLS)
        for one in CELLS
    )
    for seat in SEATS
)
"""By seat, Cleric and patient: one point, two points."""
RECOVERS = tuple(tuple(Recover(seat, one) for one in CELLS) for seat in SEATS)
SELF_DESTRUCTS = tuple(tuple(SelfDestruct(seat, one) for one in CELLS) for seat in SEATS)
END_TURNS = tuple(EndTurn(seat) for seat in SEATS)
PASSES = tuple(Pass(seat) for seat in SEATS)
SAVES = tuple((GiveSpell(seat), LoseCleric(seat)) for seat in SEATS)
OFFERS = tuple(OfferDraw(seat) for seat in SEATS)
ANSWERS = tuple((AcceptDraw(seat), DeclineDraw(seat)) for seat in SEATS)

"""The moves of a player: move a piece, act with it, end the turn, and answer a question of the turn (RGB-9).

A turn has two events, as on the table: the piece moves, then it acts, and a picture may be taken in between. Each move
is one shared object, so that lists of moves only hold references.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from companion.games.regenbogen.board import CELLS
from companion.games.regenbogen.data import DATA, SIDES

Player = Annotated[int, Meta(ge=0, lt=len(SIDES))]
"""A seat: 0 is White, 1 is Black."""
Name = Annotated[str, Meta(min_length=2, max_length=2)]
"""The name of a cell."""


class _PlayerMove(Struct, frozen=True, cache_hash=True, gc=False):
    seat: Player
    """The player who acts."""


class Go(_PlayerMove, frozen=True, tag="go"):
    """A piece moves in a straight line (RGB-10)."""

    piece: Name
    """The cell where the piece stands."""
    to: Name


class Fight(_PlayerMove, frozen=True, tag="fight"):
    """A piece damages an adjacent enemy piece (RGB-15)."""

    piece: Name
    target: Name


class Summon(_PlayerMove, frozen=True, tag="summon"):
    """A Wizard puts a Spirit of its color on an adjacent cell (RGB-19)."""

    piece: Name
    to: Name


class Heal(_PlayerMove, frozen=True, tag="heal"):
    """A Cleric spends a spell on the health of an own piece (RGB-21)."""

    piece: Name
    target: Name
    points: Annotated[int, Meta(ge=1, le=9)]


class Recover(_PlayerMove, frozen=True, tag="recover"):
    """A Cleric regains a spell (RGB-22)."""

    piece: Name


class SelfDestruct(_PlayerMove, frozen=True, tag="self-destruct"):
    """A Spirit damages everything around it and leaves the board (RGB-23)."""

    piece: Name


class EndTurn(_PlayerMove, frozen=True, tag="end-turn"):
    """A player ends the turn without an action of the piece that moved (RGB-9)."""


class Pass(_PlayerMove, frozen=True, tag="pass"):
    """A player passes because no piece can move and no action is possible (RGB-9)."""


class GiveSpell(_PlayerMove, frozen=True, tag="give-spell"):
    """A player gives up a spell so that a Cleric survives (RGB-17)."""


class LoseCleric(_PlayerMove, frozen=True, tag="lose-cleric"):
    """A player gives up no spell, so that a Cleric leaves the board together with the spells (RGB-17)."""


class OfferDraw(_PlayerMove, frozen=True, tag="offer-draw"):
    """The side to move proposes a draw before it moves (RGB-27)."""


class AcceptDraw(_PlayerMove, frozen=True, tag="accept-draw"):
    """The other side agrees to a draw (RGB-27)."""


class DeclineDraw(_PlayerMove, frozen=True, tag="decline-draw"):
    """The other side declines a draw (RGB-27)."""


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
"""The moves of pieces by seat, start and end."""
FIGHTS = tuple(tuple(tuple(Fight(seat, one, to) for to in CELLS) for one in CELLS) for seat in SEATS)
"""The fights by seat, attacker's and victim's cell."""
SUMMONS = tuple(tuple(tuple(Summon(seat, one, to) for to in CELLS) for one in CELLS) for seat in SEATS)
"""The summons by seat, Wizard's cell and target cell."""
HEALS = tuple(
    tuple(
        tuple(tuple(Heal(seat, one, to, points) for points in range(1, DATA.cleric.heal_up_to + 1)) for to in CELLS)
        for one in CELLS
    )
    for seat in SEATS
)
"""The heals by seat, Cleric's cell and patient's cell: of one point and of two."""
RECOVERS = tuple(tuple(Recover(seat, one) for one in CELLS) for seat in SEATS)
SELF_DESTRUCTS = tuple(tuple(SelfDestruct(seat, one) for one in CELLS) for seat in SEATS)
END_TURNS = tuple(EndTurn(seat) for seat in SEATS)
PASSES = tuple(Pass(seat) for seat in SEATS)
SAVES = tuple((GiveSpell(seat), LoseCleric(seat)) for seat in SEATS)
OFFERS = tuple(OfferDraw(seat) for seat in SEATS)
ANSWERS = tuple((AcceptDraw(seat), DeclineDraw(seat)) for seat in SEATS)

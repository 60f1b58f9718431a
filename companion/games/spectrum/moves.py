"""The events of Spectrum: the moves of players, cards and dice (BRD-8, VAR-14 to VAR-24).

Every move names its player, because a camera also sees moves out of turn. A pawn's move is identified by its start and
its end: the way between makes no difference, except in one case with a field of its own (`Go.one_color`). Recently
legal moves are shared objects.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from companion.core.contract import Drawn, Rolled, Shown
from companion.core.pieces import PRIMARIES, WHEEL, Card
from companion.games.shared.lazy import Bound
from companion.games.spectrum.board import ORIGIN, ORIGINS, SPACE, SPACES, SPOTS
from companion.games.spectrum.usages import PLUS

Player = Annotated[int, Meta(ge=0, lt=len(PRIMARIES))]
Color = Annotated[str, Meta(max_length=13)]
SpotName = Annotated[str, Meta(max_length=16)]


class _PlayerMove(Struct, frozen=True, cache_hash=True):
    seat: Player
    """The player who acts."""


class Declare(_PlayerMove, frozen=True, tag="declare"):
    """A player declares the usage of the roll or of the drawn cards (BRD-8, VAR-14): "red + red", "R1 + R2"."""

    usage: Annotated[str, Meta(max_length=120)]


class Go(_PlayerMove, frozen=True, tag="go"):
    """A pawn moves: a single space, two spaces or a jump (BRD-17), or a whole part (BRD-18)."""

    pawn: SpotName
    """The start of the move: "red.4", or "red stock" for a red pawn that enters."""
    to: SpotName
    part: Annotated[int, Meta(ge=0, le=4)] = 0
    """The number of the part, from 1, if parts may be taken in any order; else 0."""
    one_color: bool = False
    """True if the pawn kept to one color although it could have entered two, which matters for BRD-19 later in the
    turn.
    """


class PlacePawn(_PlayerMove, frozen=True, tag="place"):
    """A player puts the captured pawn on a free start (BRD-24)."""

    pawn: Color
    to: SpotName


class Pass(_PlayerMove, frozen=True, tag="pass"):
    """A player passes because no usage of the roll has a legal move (BRD-28)."""


class Roll(_PlayerMove, frozen=True, tag="roll"):
    """A player proceeds to the dice or cards, which ends the moves before them (BRD-32, VAR-20, VAR-23)."""


class Surrender(_PlayerMove, frozen=True, tag="surrender"):
    """A player decides to take a pawn back instead of rolling (BRD-32)."""


class TakeOff(_PlayerMove, frozen=True, tag="take-off"):
    """A player puts the surrendered pawn back to stock (BRD-32)."""

    pawn: SpotName


class Swap(_PlayerMove, frozen=True, tag="swap"):
    """A player exchanges two pawns by a color swap card (VAR-16); the pair has no order."""

    one: SpotName
    other: SpotName

    def __post_init__(self) -> None:
        if ORIGIN.get(self.one, 999) > ORIGIN.get(self.other, 999):
            one, other = self.other, self.one
            force_setattr(self, "one", one)
            force_setattr(self, "other", other)


class Pick(_PlayerMove, frozen=True, tag="pick"):
    """A player picks two colors after doubles in a shotgun start (VAR-4); the pair has no order."""

    one: Color
    other: Color

    def __post_init__(self) -> None:
        if self.one in WHEEL and self.other in WHEEL and WHEEL.index(self.one) > WHEEL.index(self.other):
            one, other = self.other, self.one
            force_setattr(self, "one", one)
            force_setattr(self, "other", other)


class Fulfil(_PlayerMove, frozen=True, tag="fulfil"):
    """A player declares the missions fulfilled (VAR-20)."""


class Activate(_PlayerMove, frozen=True, tag="activate"):
    """A player shows a portal (VAR-23, VAR-24)."""

    card: Card


class Send(_PlayerMove, frozen=True, tag="send"):
    """A player chooses one of the two drawn cards as the destination (VAR-24)."""

    card: Card


class EndTurn(_PlayerMove, frozen=True, tag="end-turn"):
    """A player ends the turn without activating more portals (VAR-23)."""


Move = Declare | Go | PlacePawn | Pass | Roll | Surrender | TakeOff | Swap | Pick | Fulfil | Activate | Send | EndTurn
SpectrumEvent = Move | Rolled | Drawn | Shown

_ROW = 128
_PARTS = SPACES * 2 * _ROW
ONE_COLOR = 8 * _PARTS
"""The number added to the key of a move that kept to one color."""


def key(origin: int, space: int, part: int = 0) -> int:
    """Returns the key of a pawn's move in `GOES`."""
    return part * _PARTS + origin * _ROW + space


class Ends(Struct, frozen=True):
    """A pawn's move as numbers."""

    origin: int
    space: int


KEPT = Bound(1 << 14)
"""The bound for cached moves, by key and as numbers."""
ENDS: dict[Go, Ends] = {}
"""Recently legal moves to their numbers."""


class _Goes(dict[int, Go]):
    """The moves of a seat by key, made on access: few of the many are ever legal."""

    def __init__(self, seat: int) -> None:
        super().__init__()
        self.seat = seat

    def __missing__(self, number: int) -> Go:
        one_color, rest = divmod(number, ONE_COLOR)
        part, rest = divmod(rest, _PARTS)
        origin, space = divmod(rest, _ROW)
        go = Go(self.seat, ORIGINS[origin], SPOTS[space], part, bool(one_color))
        self[number] = go
        ENDS[go] = Ends(origin, space)
        KEPT.add(self, number)
        KEPT.add(ENDS, go)
        return go


_SEATS = range(len(PRIMARIES))
GOES: tuple[_Goes, ...] = tuple(_Goes(seat) for seat in _SEATS)
"""The moves of pawns by seat and key."""
PASSES = tuple(Pass(seat) for seat in _SEATS)
ROLLS = tuple(Roll(seat) for seat in _SEATS)
SURRENDERS = tuple(Surrender(seat) for seat in _SEATS)
END_TURNS = tuple(EndTurn(seat) for seat in _SEATS)
FULFILS = tuple(Fulfil(seat) for seat in _SEATS)


def ends_of(go: Go) -> Ends | None:
    """Returns a pawn's move as numbers; None if it does not name places of the board."""
    known = ENDS.get(go)
    if known is None and go.pawn in ORIGIN and go.to in SPACE:
        return Ends(ORIGIN[go.pawn], SPACE[go.to])
    return known


def declared(words: str) -> str:
    """Returns the name of a usage with uniform spaces around each plus."""
    return PLUS.join(part.strip() for part in words.split("+"))

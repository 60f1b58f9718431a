"""What a player can do: move in a color by a die, lose a move that cannot be made, withdraw a pawn (ESC-13 to ESC-15).

Every event names its player, because a camera also sees moves out of turn. Some moves can only be illegal: a
second pawn in a color, a pawn of another player taken away. They exist so that the rule they break can be named. Legal
moves exist once each, so lists of them hold references.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from companion.core.contract import Rolled
from companion.core.pieces import WHEEL
from companion.games.escape.columns import OUT
from companion.games.escape.options import MOST_PLAYERS

Player = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]
Color = Annotated[str, Meta(pattern=f"^({'|'.join(WHEEL)})$")]
Which = Literal["personal", "common"]
"""The two kinds of dice of which a player uses one each in a round (ESC-13)."""
KINDS: tuple[Which, Which] = ("personal", "common")
Position = Annotated[int, Meta(ge=1, le=OUT)]


class _PlayerMove(Struct, frozen=True, cache_hash=True):
    seat: Player
    """The player who acts."""


class Play(_PlayerMove, frozen=True, tag="play"):
    """A pawn moves or enters in the color of a die; `to` is where it stands then, 10 off the board (ESC-2)."""

    die: Which
    color: Color
    to: Position


class Lose(_PlayerMove, frozen=True, tag="lose"):
    """A move that no die of its kind allows is lost (ESC-14)."""

    die: Which


class Withdraw(_PlayerMove, frozen=True, tag="withdraw"):
    """A pawn goes back to stock instead of both moves (ESC-15); another player's pawn may not."""

    color: Color
    owner: Player | None = None
    """Whose pawn; None is the own one."""

    def __post_init__(self) -> None:
        if self.owner == self.seat:
            force_setattr(self, "owner", None)


class Add(_PlayerMove, frozen=True, tag="add"):
    """A further pawn comes onto the board without being a move, which no rule allows (ESC-3)."""

    color: Color
    to: Annotated[int, Meta(ge=1, lt=OUT)]


Move = Play | Lose | Withdraw | Add
EscapeEvent = Move | Rolled

_SEATS = range(MOST_PLAYERS)
PLAYS: dict[Which, tuple[tuple[tuple[Play, ...], ...], ...]] = {
    die: tuple(
        tuple(tuple(Play(seat, die, color, to) for to in range(1, OUT + 1)) for color in WHEEL) for seat in _SEATS
    )
    for die in KINDS
}
"""By kind of die, seat, color and target less one."""
LOSES: dict[Which, tuple[Lose, ...]] = {die: tuple(Lose(seat, die) for seat in _SEATS) for die in KINDS}
"""By kind of die and seat."""
WITHDRAWS: tuple[tuple[Withdraw, ...], ...] = tuple(tuple(Withdraw(seat, color) for color in WHEEL) for seat in _SEATS)
"""By seat and color."""

"""The moves of a player: move in a color by a die, lose a move that cannot be made, withdraw a pawn (ESC-13 to ESC-15).

Every event names its player, because a camera also sees moves out of turn. Some moves are always illegal: a second pawn
in a color, a pawn taken away by another player. They exist so that the referee can name the rule that they break. Each
legal move is one shared object, so lists of moves only hold references.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from companion.core.contract import Rolled
from companion.core.layout import Spot
from companion.core.pieces import WHEEL
from companion.games.escape.options import MOST_PLAYERS

# The pawns in one color of the board, and the effect of a move in it (ESC-2 to ESC-11).
#
# Only the order of pawns in a color counts, so a color is a *column*: for each seat the position of its pawn, counted
# outwards from the center, 0 for none. Position 1 is board space 9, position 9 is board space 1, the rim.

RIM = 9
"""The last position on the board (ESC-2)."""
OUT = 10
"""The position of an escaped pawn (ESC-2)."""

Column = tuple[int, ...]
"""For each seat, the position of its pawn, 0 for none."""


@cache
def targets(column: Column, alone: str) -> Column:
    """Returns, for each seat, where a move in this color would bring its pawn; 0 where the color may not be chosen.

    >>> targets((7, 2, 0), "one")  # the first leads by 5, the second follows, the third would enter
    (10, 8, 8)

    Args:
        alone: The option of ESC-8.
    """
    return tuple([_target(column, seat, alone) for seat in range(len(column))])


def _target(column: Column, seat: int, alone: str) -> int:
    here, leader = column[seat], max(column)
    if not here:
        return leader + 1 if leader < RIM else 0
    if here < leader:
        return leader + 1
    behind = max((at for at in column if at < here), default=0)
    gap = here - behind if behind or alone == "centre" else 1
    return min(here + gap, OUT)


def rule_of(column: Column, seat: int) -> str:
    """Returns the rule by which a move of a seat's pawn in this color goes: entering, following, leading or leading
    alone.
    """
    here = column[seat]
    if not here:
        return "ESC-5"
    if here < max(column):
        return "ESC-6"
    return "ESC-7" if any(0 < at < here for at in column) else "ESC-8"


def spot_of(color: int, position: int) -> Spot:
    """Returns the board space of a position: position 1 in red is "red.9" (ESC-2)."""
    return f"{WHEEL[color]}.{OUT - position}"


SPOTS: tuple[tuple[Spot, ...], ...] = tuple(
    tuple(spot_of(color, position) if position else "" for position in range(OUT)) for color in range(len(WHEEL))
)
"""The name of the space for each color and position; empty for position 0."""
AT = {spot: (color, position) for color, row in enumerate(SPOTS) for position, spot in enumerate(row) if spot}
"""Board space to color and position."""


def with_pawn(columns: tuple[Column, ...], color: int, seat: int, position: int) -> tuple[Column, ...]:
    """Returns the columns with a seat's pawn elsewhere in a color, 0 for off the board."""
    column = columns[color]
    moved = (*column[:seat], position, *column[seat + 1 :])
    return (*columns[:color], moved, *columns[color + 1 :])


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
    """A pawn moves or enters in the color of a die; `to` is its new position, 10 if it leaves the board (ESC-2)."""

    die: Which
    color: Color
    to: Position


class Lose(_PlayerMove, frozen=True, tag="lose"):
    """A player loses a move because no die of its kind allows one (ESC-14)."""

    die: Which


class Withdraw(_PlayerMove, frozen=True, tag="withdraw"):
    """A pawn goes back to stock instead of both moves (ESC-15); only the player's own pawn may."""

    color: Color
    owner: Player | None = None
    """The owner of the pawn; None stands for the player."""

    def __post_init__(self) -> None:
        if self.owner == self.seat:
            force_setattr(self, "owner", None)


class Add(_PlayerMove, frozen=True, tag="add"):
    """A player adds a pawn to the board without a move, which no rule allows (ESC-3)."""

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
"""All plays: kind of die to the plays by seat, color and target position minus one."""
LOSES: dict[Which, tuple[Lose, ...]] = {die: tuple(Lose(seat, die) for seat in _SEATS) for die in KINDS}
"""Kind of die to the lost move of each seat."""
WITHDRAWS: tuple[tuple[Withdraw, ...], ...] = tuple(tuple(Withdraw(seat, color) for color in WHEEL) for seat in _SEATS)
"""The withdrawals by seat and color."""

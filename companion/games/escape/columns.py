"""One color of the board and what a move in it does (ESC-2 to ESC-11).

Only the order of pawns in a color counts, so a color is a *column*: for each seat the position of its pawn, counted
outwards from the center, 0 for none. Position 1 is board space 9, position 9 is board space 1, the rim.
"""

from __future__ import annotations

from functools import cache

from companion.core.layout import Spot
from companion.core.pieces import WHEEL

RIM = 9
"""The last position on the board (ESC-2)."""
OUT = 10
"""The position of an escaped pawn (ESC-2)."""

Column = tuple[int, ...]
"""By seat: the position of its pawn, 0 for none."""


@cache
def targets(column: Column, alone: str) -> Column:
    """By seat: where a move in this color would bring its pawn; 0 where the color may not be chosen.

    :param alone: the option of ESC-8.

    >>> targets((7, 2, 0), "one")  # the first leads by 5, the second follows, the third would enter
    (10, 8, 8)
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
    """The rule by which a move of a seat's pawn in this color goes: entering, following, leading or leading alone."""
    here = column[seat]
    if not here:
        return "ESC-5"
    if here < max(column):
        return "ESC-6"
    return "ESC-7" if any(0 < at < here for at in column) else "ESC-8"


def spot_of(color: int, position: int) -> Spot:
    """The board space of a position: position 1 in red is "red.9" (ESC-2)."""
    return f"{WHEEL[color]}.{OUT - position}"


SPOTS: tuple[tuple[Spot, ...], ...] = tuple(
    tuple(spot_of(color, position) if position else "" for position in range(OUT)) for color in range(len(WHEEL))
)
"""By color and position; position 0 has none."""
AT = {spot: (color, position) for color, row in enumerate(SPOTS) for position, spot in enumerate(row) if spot}
"""Board space to color and position."""


def with_pawn(columns: tuple[Column, ...], color: int, seat: int, position: int) -> tuple[Column, ...]:
    """The columns with a seat's pawn elsewhere in a color, 0 for off the board."""
    column = columns[color]
    moved = (*column[:seat], position, *column[seat + 1 :])
    return (*columns[:color], moved, *columns[color + 1 :])

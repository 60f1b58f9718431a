"""The moves of a player: re-roll some of the nine dice, or enter the roll in a row (ROL-3 to ROL-5).

Dice have numbers, in the order of the first roll: 1 to 4 are the d6, 5 to 9 the d12. A die keeps its number
when it is re-rolled, so a correction of one face leaves every later event as it was. Legal moves exist once each, so
lists of them hold references.
"""

from __future__ import annotations

from itertools import combinations
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from companion.core.contract import Rolled
from companion.core.pieces import Die
from companion.games.roll_and_color.scoring import CELLS
from companion.games.roll_and_color.sheet import CELL_COUNT, ROWS, entry

MOST_PLAYERS = 6
"""More sheets than this find no room on one page."""
DICE = 9
CUBES = 4
"""The first dice of the nine are six-sided (ROL-1)."""
SIZES = (4, 3, 2, 5)
"""The number of dice that each re-roll takes; the last one at least so many (ROL-3)."""

Player = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]
Number = Annotated[int, Meta(ge=1, le=DICE)]


class Reroll(Struct, frozen=True, tag="reroll", cache_hash=True):
    """These dice are rolled again (ROL-3); their numbers have no order and are kept rising."""

    seat: Player
    dice: Annotated[tuple[Number, ...], Meta(min_length=1, max_length=DICE)]

    def __post_init__(self) -> None:
        if any(one >= other for one, other in zip(self.dice, self.dice[1:], strict=False)):
            force_setattr(self, "dice", tuple(sorted(set(self.dice))))


class Enter(Struct, frozen=True, tag="enter", cache_hash=True):
    """The roll is scored in a cell of a row; cell 0 is an entry of no points (ROL-5)."""

    seat: Player
    row: Annotated[int, Meta(ge=0, lt=len(ROWS))]
    """Its place on the sheet."""
    cell: Annotated[int, Meta(ge=0, le=CELL_COUNT)]

    @property
    def entry(self) -> int:
        """Its number on a sheet."""
        return entry(self.row, self.cell)


class Rethrow(Struct, frozen=True, tag="rethrow", cache_hash=True):
    """Dice were thrown again, and so many may not be: what they show then, lower numbers first. Never legal.

    It exists so that a tray in which the wrong number of dice moved can be named and, if all agree, stand.
    """

    seat: Player
    dice: Annotated[tuple[Number, ...], Meta(min_length=1, max_length=DICE)]
    faces: tuple[Die, ...]


Move = Reroll | Enter | Rethrow
RollEvent = Move | Rolled


def takes(reroll: int, count: int) -> bool:
    """True if re-roll number `reroll`, from 0, may take so many dice (ROL-3)."""
    return count == SIZES[reroll] if reroll < len(SIZES) - 1 else count >= SIZES[-1]


REROLLS: tuple[tuple[tuple[Reroll, ...], ...], ...] = tuple(
    tuple(
        tuple(
            Reroll(seat, dice)
            for count in range(1, DICE + 1)
            if takes(reroll, count)
            for dice in combinations(range(1, DICE + 1), count)
        )
        for reroll in range(len(SIZES))
    )
    for seat in range(MOST_PLAYERS)
)
"""By seat and number of the re-roll: every choice of dice, 126, 84, 36 and 256."""

_ENTRIES = tuple(
    tuple(tuple(Enter(seat, row, cell) for cell in range(CELL_COUNT + 1)) for row in range(len(ROWS)))
    for seat in range(MOST_PLAYERS)
)
ENTRIES: tuple[tuple[tuple[tuple[Enter, ...], ...], ...], ...] = tuple(
    tuple(
        tuple(tuple([known[cell] for cell in cells or (0,)]) for cells in levels)
        for known, levels in zip(rows, CELLS, strict=True)
    )
    for rows in _ENTRIES
)
"""By seat, row and level of the roll: each cell that the roll meets (ROL-5)."""

"""The moves of a player: re-roll some of the nine dice, or enter the roll in a row (ROL-3 to ROL-5).

Dice are numbered in the order of the first roll: 1 to 4 are the d6, 5 to 9 the d12. A die keeps its number when it is
re-rolled, so the correction of one face does not change later events. Each legal move is one shared object, so lists of
moves only hold references.
"""

from __future__ import annotations

import re
from itertools import combinations
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from companion.core.contract import Rolled, Seat
from companion.core.foundation.errors import BadNotation
from companion.core.pieces import Die
from companion.games.roll_and_color.sheet import CELL_COUNT, CELLS, ROW, ROWS, entry
from companion.games.shared import color_dice
from companion.games.shared.forms.player_lines import PlayerLines

MOST_PLAYERS = 6
"""The largest number of players: the sheets must fit on one page."""
DICE = 9
CUBES = 4
"""The number of six-sided dice, which come first (ROL-1)."""
SIZES = (4, 3, 2, 5)
"""The number of dice in each re-roll; for the last one it is a minimum (ROL-3)."""

Player = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]
Number = Annotated[int, Meta(ge=1, le=DICE)]


class Reroll(Struct, frozen=True, tag="reroll", cache_hash=True):
    """A player rolls some dice again (ROL-3); their numbers are kept rising."""

    seat: Player
    dice: Annotated[tuple[Number, ...], Meta(min_length=1, max_length=DICE)]

    def __post_init__(self) -> None:
        if any(one >= other for one, other in zip(self.dice, self.dice[1:], strict=False)):
            force_setattr(self, "dice", tuple(sorted(set(self.dice))))


class Enter(Struct, frozen=True, tag="enter", cache_hash=True):
    """A player enters the roll in a cell of a row; cell 0 is an entry of no points (ROL-5)."""

    seat: Player
    row: Annotated[int, Meta(ge=0, lt=len(ROWS))]
    """The index of the row on the sheet."""
    cell: Annotated[int, Meta(ge=0, le=CELL_COUNT)]

    @property
    def entry(self) -> int:
        """The number of the entry on a sheet."""
        return entry(self.row, self.cell)


class Rethrow(Struct, frozen=True, tag="rethrow", cache_hash=True):
    """A player threw a forbidden number of dice again; it holds their faces, lower die numbers first. Never legal.

    It exists so that the referee can name the violation, and so that all players can agree to accept it.
    """

    seat: Player
    dice: Annotated[tuple[Number, ...], Meta(min_length=1, max_length=DICE)]
    faces: tuple[Die, ...]


Move = Reroll | Enter | Rethrow
RollEvent = Move | Rolled


def takes(reroll: int, count: int) -> bool:
    """True if re-roll number `reroll`, from 0, may take `count` dice (ROL-3)."""
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
"""All re-rolls by seat and number of the re-roll: 126, 84, 36 and 256 choices of dice."""

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
"""The entries by seat, row and level of the roll: one for each cell that the roll meets (ROL-5)."""


# Writes and reads events as one line of text that means the same in every position.
#
# Players and dice are counted from 1; dice 1 to 4 are the d6, 5 to 9 the d12.


def text(event: RollEvent) -> str:
    """Returns the event as a line: "player 1 re-rolls 1 2 5 9", "player 1 enters 2&3 in spectrum combo 1"."""
    if isinstance(event, Rolled):
        return f"rolls {color_dice.text(event.faces)}"
    who = f"player {event.seat + 1}"
    if isinstance(event, Reroll | Rethrow):
        again = f"{who} re-rolls {' '.join(map(str, event.dice))}"
        return again if isinstance(event, Reroll) else f"{again} as {color_dice.text(event.faces)}"
    row = ROWS[event.row]
    return f"{who} enters {row.cells[event.cell - 1] if event.cell else 0} in {row.name}"


def enter(seat: int, row: str, cell: str) -> Enter:
    """Returns an entry by the names of its row and cell; the cell "0" is an entry of no points.

    Raises:
        BadNotation: The row has no such cell.
    """
    cells = ROWS[ROW[row]].cells
    if cell != "0" and cell not in cells:
        raise BadNotation(f'The row {row} has no cell "{cell}". Its cells are {", ".join(cells)}, or 0.')
    return Enter(seat, ROW[row], 0 if cell == "0" else cells.index(cell) + 1)


def _again(seat: Seat, found: re.Match[str]) -> Reroll | Rethrow:
    numbers = re.findall(r"\d", found[1])
    if len(set(numbers)) != len(numbers):
        raise BadNotation(f'"{found[0]}" names a die twice. Name each die that is re-rolled once.')
    dice = tuple(int(number) for number in numbers)
    return Rethrow(seat, dice, color_dice.parse(found[2])) if found[2] else Reroll(seat, dice)


_ROWS = "|".join(sorted(map(re.escape, ROW), key=len, reverse=True))
_LINES: PlayerLines[RollEvent] = PlayerLines(
    "Roll & Color",
    MOST_PLAYERS,
    {
        "re-?rolls ([1-9](?:[ ,]+[1-9]){0,8})(?: as (.+))?": _again,
        rf"enters (\d(?: ?& ?\d)?) in ({_ROWS})": lambda seat, found: enter(seat, found[2], found[1].replace(" ", "")),
    },
    'Write "rolls d6 red blue green red, d12 ...", "player 1 re-rolls 1 2 5 9", "player 1 enters 3 in red-orange",'
    ' "player 1 enters 2&3 in spectrum combo 1" or "player 1 enters 0 in green".',
    color_dice.told,
)

parse = _LINES.parse

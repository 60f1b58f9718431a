"""Events as one line of text that means the same in every position, and back.

Players and dice are counted from 1, as people count them; dice 1 to 4 are the d6, 5 to 9 the d12.
"""

from __future__ import annotations

import re

from companion.core.contract import Rolled, Seat
from companion.core.foundation.errors import BadNotation
from companion.games.roll_and_color.moves import MOST_PLAYERS, Enter, Reroll, Rethrow, RollEvent
from companion.games.roll_and_color.sheet import ROW, ROWS
from companion.games.shared import color_dice
from companion.games.shared.forms.player_lines import PlayerLines


def text(event: RollEvent) -> str:
    """The event as a line: "player 1 re-rolls 1 2 5 9", "player 1 enters 2&3 in spectrum combo 1"."""
    if isinstance(event, Rolled):
        return f"rolls {color_dice.text(event.faces)}"
    who = f"player {event.seat + 1}"
    if isinstance(event, Reroll | Rethrow):
        again = f"{who} re-rolls {' '.join(map(str, event.dice))}"
        return again if isinstance(event, Reroll) else f"{again} as {color_dice.text(event.faces)}"
    row = ROWS[event.row]
    return f"{who} enters {row.cells[event.cell - 1] if event.cell else 0} in {row.name}"


def enter(seat: int, row: str, cell: str) -> Enter:
    """An entry by the names of its row and cell; "0" is no points.

    :raises BadNotation: the row has no such cell.
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

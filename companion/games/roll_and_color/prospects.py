"""The cost of filling a row of Roll & Color: a filled row brings no later points (its par, `expectation`)."""

from __future__ import annotations

from companion.core.contract import Seat
from companion.games.roll_and_color.expectation import PARS
from companion.games.roll_and_color.sheet import ROWS, row_of
from companion.games.roll_and_color.situation import Situation

_COST = tuple(PARS[row.group] for row in ROWS)
"""By row."""


def prospects(state: Situation, seat: Seat) -> float:
    """The mean of what the others have used up of their sheets, less what this seat has."""
    used = [sum(_COST[row_of(entry)] for entry in sheet) for sheet in state.sheets]
    mine = used.pop(seat)
    return (sum(used) / len(used) if used else 0.0) - mine

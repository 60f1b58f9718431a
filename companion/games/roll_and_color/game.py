"""Roll & Color as the command line, the page and the journal meet it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from companion.contract import Rolled
from companion.decoding import UNREADABLE
from companion.errors import BadNotation, BadRecord
from companion.games import color_dice
from companion.games.roll_and_color import hints, notation
from companion.games.roll_and_color.moves import MOST_PLAYERS, SIZES, Enter, Reroll, Rethrow, RollEvent
from companion.games.roll_and_color.options import Options
from companion.games.roll_and_color.position import check, read, start
from companion.games.roll_and_color.sheet import POINTS, ROUNDS, ROW, ROWS
from companion.games.roll_and_color.state import RollState

_EVENTS_PER_ROUND = 2 + 2 * len(SIZES)
"""A roll, four re-rolls of two events each, and the entry."""


class RollAndColorGame:
    """The game (the contract's `Game`)."""

    name = "roll-and-color"
    title = "Roll & Color"
    rules = 1
    seats = range(1, MOST_PLAYERS + 1)
    left_stands: str | None = None
    Options: type[Struct] = Options

    def start(self, seats: int, options: Struct) -> RollState:
        """Empty sheets, nine dice to be rolled (ROL-2, ROL-3).

        :raises BadOptions: the number of seats is not possible.
        """
        return start(seats)

    def position(self, seats: int, options: Struct, position: Mapping[str, Any]) -> RollState:
        """Any position, from the JSON form that `docs/records.md` describes.

        :raises BadRecord: the position contradicts itself, with the reason.
        :raises BadOptions: as for `start`.
        """
        return read(seats, position)

    def event(self, data: Any) -> RollEvent:
        """An event from plain JSON data; a die may be words ("d6 red"), a row and a cell may be their names.

        :raises BadNotation: it is not one.
        """
        try:
            event: RollEvent = msgspec.convert(_plain_event(data), RollEvent)
        except msgspec.ValidationError as error:
            raise BadNotation(f"This is no event of Roll & Color: {error}. See docs/records.md.") from error
        return event

    def text(self, event: RollEvent) -> str:
        """One line that means the same in every position."""
        return notation.text(event)

    def parse(self, state: RollState, text: str) -> RollEvent:
        """The event that a line of text names, legal or not.

        :raises BadNotation: no event of this game reads so.
        """
        return notation.parse(text)

    def load(self, data: bytes) -> RollState:
        """A state from its JSON, checked.

        :raises BadRecord: it is not a state of Roll & Color.
        """
        try:
            state = msgspec.json.decode(data, type=RollState)
        except UNREADABLE as error:
            raise BadRecord(f"This is no state of Roll & Color: {error}. Start from a position.") from error
        check(state)
        return state

    def bound(self, state: RollState) -> int:
        """No game from here is longer than this many events."""
        return _EVENTS_PER_ROUND * sum(ROUNDS - len(sheet) for sheet in state.sheets)

    def words(self, state: RollState, event: RollEvent) -> dict[str, Any] | None:
        """The event in the words of `companion watch`.

        :param state: the position before the event.
        """
        match event:
            case Rolled():
                dice = [{"kind": one.kind, "face": one.face} for one in event.faces]
                return {"player": state.turn, "type": "roll", "dice": dice}
            case Reroll() | Rethrow():
                return {"player": event.seat, "type": "reroll", "dice": list(event.dice)}
            case Enter():
                row = ROWS[event.row]
                cell = row.cells[event.cell - 1] if event.cell else "0"
                words = {"player": event.seat, "type": "enter", "row": row.name, "cell": cell}
                return {**words, "points": POINTS.get(event.entry, 0)}
        return None

    def still_to_do(self, state: RollState) -> str | None:
        """What a turn that has begun still asks for, in a sentence (an addition to the contract)."""
        return hints.still_to_do(state)


def _plain_event(data: Any) -> Any:
    """The data with every die written as an object, rows and cells as numbers.

    :raises BadNotation: there is no such row or cell.
    """
    if not isinstance(data, Mapping):
        return data
    plain = dict(data)
    if isinstance(plain.get("faces"), list | tuple):
        plain["faces"] = [color_dice.plain(one) for one in plain["faces"]]
    row, cell = plain.get("row"), plain.get("cell")
    if isinstance(row, str):
        if row not in ROW:
            raise BadNotation(f'The sheet has no row "{row}". Its rows are {", ".join(ROW)}.')
        plain["row"] = ROW[row]
        if isinstance(cell, str):
            plain["cell"] = notation.enter(0, row, cell).cell
    return plain


ROLL_AND_COLOR = RollAndColorGame()

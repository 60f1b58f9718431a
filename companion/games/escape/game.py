"""Spectrum Escape as the command line, the page and the journal meet it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from companion.contract import Rolled
from companion.decoding import UNREADABLE
from companion.errors import BadNotation, BadRecord
from companion.games import color_dice
from companion.games.escape import notation
from companion.games.escape.columns import OUT
from companion.games.escape.moves import EscapeEvent, Lose, Play, Withdraw
from companion.games.escape.options import NEEDED, Options
from companion.games.escape.position import check, read, start
from companion.games.escape.state import EscapeState


class EscapeGame:
    """The game (the contract's `Game`)."""

    name = "escape"
    title = "Spectrum Escape"
    rules = 1
    seats = range(min(NEEDED), max(NEEDED) + 1)
    left_stands: str | None = None
    Options: type[Struct] = Options

    def start(self, seats: int, options: Struct) -> EscapeState:
        """Every pawn in stock, a d6 round to be rolled (ESC-1, ESC-16).

        :raises BadOptions: the number of seats, who begins, or the colors are not possible.
        """
        return start(seats, _options(options))

    def position(self, seats: int, options: Struct, position: Mapping[str, Any]) -> EscapeState:
        """Any position, from the JSON form that `docs/records.md` describes.

        :raises BadRecord: the position contradicts itself, with the reason.
        :raises BadOptions: as for `start`.
        """
        return read(seats, _options(options), position)

    def event(self, data: Any) -> EscapeEvent:
        """An event from plain JSON data; a die may be an object or words: "d6 red".

        :raises BadNotation: it is not one.
        """
        if isinstance(data, Mapping) and isinstance(data.get("faces"), list | tuple):
            data = {**data, "faces": [color_dice.plain(one) for one in data["faces"]]}
        try:
            event: EscapeEvent = msgspec.convert(data, EscapeEvent)
        except msgspec.ValidationError as error:
            raise BadNotation(f"This is no event of Spectrum Escape: {error}. See docs/records.md.") from error
        return event

    def text(self, event: EscapeEvent) -> str:
        """One line that means the same in every position."""
        return notation.text(event)

    def parse(self, state: EscapeState, text: str) -> EscapeEvent:
        """The event that a line of text names, legal or not; a move without its target goes where the rules say.

        :raises BadNotation: no event of this game reads so.
        """
        return notation.parse(state, text)

    def load(self, data: bytes) -> EscapeState:
        """A state from its JSON, checked.

        :raises BadRecord: it is not a state of Spectrum Escape.
        """
        try:
            state = msgspec.json.decode(data, type=EscapeState)
        except UNREADABLE as error:
            raise BadRecord(f"This is no state of Spectrum Escape: {error}. Start from a position.") from error
        check(state)
        return state

    def bound(self, state: EscapeState) -> int:
        """There is no longest game: pawns may be taken back for ever. This many events are absurd."""
        return 1_000_000

    def words(self, state: EscapeState, event: EscapeEvent) -> dict[str, Any] | None:
        """The event in the words of `companion watch`; None for what a camera cannot see.

        :param state: the position before the event.
        """
        match event:
            case Rolled():
                dice = [{"kind": one.kind, "face": one.face} for one in event.faces]
                return {"player": state.first, "type": "roll", "dice": dice}
            case Play():
                to: int | str = "out" if event.to == OUT else event.to
                return {"player": event.seat, "type": "play", "die": event.die, "color": event.color, "to": to}
            case Withdraw(owner=None):
                return {"player": event.seat, "type": "withdraw", "color": event.color}
            case Lose():
                return {"player": event.seat, "type": "lose", "die": event.die}
        return None


def _options(options: Struct) -> Options:
    assert isinstance(options, Options)
    return options


ESCAPE = EscapeGame()

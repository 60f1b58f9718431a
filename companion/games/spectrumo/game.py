"""Spectrumo as the command line, the page and the journal meet it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from companion.decoding import UNREADABLE
from companion.errors import BadEvent, BadNotation, BadOptions, BadRecord
from companion.games import deck_events
from companion.games.spectrumo import notation, position
from companion.games.spectrumo.moves import SpectrumoEvent
from companion.games.spectrumo.options import Options as SpectrumoOptions
from companion.games.spectrumo.state import SpectrumoState

_ABSURD = 1_000_000
"""Hands may grow as often as they shrink, so a hand has no longest game. No game has so many events."""


class SpectrumoGame:
    """The game (the contract's `Game`)."""

    name = "spectrumo"
    title = "Spectrumo"
    rules = 2
    seats = range(2, 9)
    left_stands: str | None = None
    Options: type[Struct] = SpectrumoOptions

    def start(self, seats: int, options: Struct) -> SpectrumoState:
        """Before the first deal (UMO-1).

        :raises BadOptions: not two to eight players, a first player who is none, or an option out of its bounds.
        """
        return position.start(seats, self._checked(seats, options))

    def position(self, seats: int, options: Struct, data: Mapping[str, Any]) -> SpectrumoState:
        """Any position, from the JSON form that `docs/records.md` describes.

        :raises BadOptions: as for `start`.
        :raises BadRecord: the position contradicts itself, with the reason.
        """
        return position.read(seats, self._checked(seats, options), data)

    def _checked(self, seats: int, options: Struct) -> SpectrumoOptions:
        if seats not in self.seats:
            raise BadOptions(f"Spectrumo is for 2 to 8 players, not {seats} (UMO-1).")
        try:
            chosen = msgspec.convert(msgspec.to_builtins(options), SpectrumoOptions)
        except msgspec.ValidationError as error:
            raise BadOptions(f"An option of Spectrumo is out of its bounds: {error}.") from error
        if chosen.first > seats:
            raise BadOptions(f"Player {chosen.first} cannot start: {seats} play. Choose 1 to {seats} (UMO-1).")
        return chosen

    def event(self, data: Any) -> SpectrumoEvent:
        """An event from plain JSON data; a card may be an object or its code.

        :raises BadNotation: it is not one.
        """
        try:
            event: SpectrumoEvent = msgspec.convert(deck_events.plain(data), SpectrumoEvent)
            notation.text_of(event)
        except (msgspec.ValidationError, BadEvent) as error:
            raise BadNotation(f"This is no event of Spectrumo: {error} See docs/records.md.") from error
        return event

    def text(self, event: SpectrumoEvent) -> str:
        """One line that means the same in every position: "player 1 plays R7"."""
        return notation.text_of(event)

    def words(self, state: SpectrumoState, event: SpectrumoEvent) -> dict[str, Any] | None:
        """The event as a recording would name it: its own fields."""
        found: dict[str, Any] = msgspec.to_builtins(event)
        return {"player": found.pop("seat"), **found}

    def parse(self, state: SpectrumoState, text: str) -> SpectrumoEvent:
        """The event that a line names, legal or not.

        :raises BadNotation: no event of Spectrumo reads so.
        """
        return notation.read(text)

    def load(self, data: bytes) -> SpectrumoState:
        """A state from its JSON, checked.

        :raises BadRecord: it is not a state of Spectrumo.
        """
        try:
            state = msgspec.json.decode(data, type=SpectrumoState)
        except UNREADABLE as error:
            raise BadRecord(f"This is no state of Spectrumo: {error}. Start from a journal or a position.") from error
        position.check(state)
        return state

    def bound(self, state: SpectrumoState) -> int:
        """No game that anybody plays is longer than this many events."""
        return _ABSURD


SPECTRUMO = SpectrumoGame()
"""The one game object."""

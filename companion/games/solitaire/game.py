"""Solitaire as the command line, the page and the journal meet it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from companion.decoding import UNREADABLE
from companion.errors import BadEvent, BadNotation, BadOptions, BadRecord
from companion.games import deck_events
from companion.games.solitaire import notation, position
from companion.games.solitaire.moves import SolitaireEvent
from companion.games.solitaire.options import Options as SolitaireOptions
from companion.games.solitaire.state import SolitaireState

_ABSURD = 1_000_000
"""Cards may go to and fro between piles for ever; the player ends that by giving up. No game has so many events."""


class SolitaireGame:
    """The game (the contract's `Game`)."""

    name = "solitaire"
    title = "Solitaire"
    rules = 1
    seats = range(1, 2)
    left_stands: str | None = None
    Options: type[Struct] = SolitaireOptions

    def start(self, seats: int, options: Struct) -> SolitaireState:
        """Right after the deal, before the twelve top cards are turned up (SOL-1).

        :raises BadOptions: more than one player, or an option out of its bounds.
        """
        return position.start(self._checked(seats, options))

    def position(self, seats: int, options: Struct, data: Mapping[str, Any]) -> SolitaireState:
        """Any position, from the JSON form that `docs/records.md` describes.

        :raises BadOptions: as for `start`.
        :raises BadRecord: the position contradicts itself, with the reason.
        """
        return position.read(self._checked(seats, options), data)

    def _checked(self, seats: int, options: Struct) -> SolitaireOptions:
        if seats not in self.seats:
            raise BadOptions(f"Solitaire is for 1 player, not {seats}.")
        try:
            return msgspec.convert(msgspec.to_builtins(options), SolitaireOptions)
        except msgspec.ValidationError as error:
            raise BadOptions(f"An option of Solitaire is out of its bounds: {error}.") from error

    def event(self, data: Any) -> SolitaireEvent:
        """An event from plain JSON data; a card may be an object or its code.

        :raises BadNotation: it is not one.
        """
        try:
            event: SolitaireEvent = msgspec.convert(deck_events.plain(data), SolitaireEvent)
            notation.text_of(event)
        except (msgspec.ValidationError, BadEvent) as error:
            raise BadNotation(f"This is no event of Solitaire: {error} See docs/records.md.") from error
        return event

    def text(self, event: SolitaireEvent) -> str:
        """One line that means the same in every position: "B9 on pile 3"."""
        return notation.text_of(event)

    def words(self, state: SolitaireState, event: SolitaireEvent) -> dict[str, Any] | None:
        """The event as a recording would name it: its own fields."""
        return {"player": 0, **msgspec.to_builtins(event)}

    def parse(self, state: SolitaireState, text: str) -> SolitaireEvent:
        """The event that a line names, legal or not.

        :raises BadNotation: no event of Solitaire reads so.
        """
        return notation.read(text)

    def load(self, data: bytes) -> SolitaireState:
        """A state from its JSON, checked.

        :raises BadRecord: it is not a state of Solitaire.
        """
        try:
            state = msgspec.json.decode(data, type=SolitaireState)
        except UNREADABLE as error:
            raise BadRecord(f"This is no state of Solitaire: {error}. Start from a journal or a position.") from error
        position.check(state)
        return state

    def bound(self, state: SolitaireState) -> int:
        """No game that anybody plays is longer than this many events."""
        return _ABSURD


SOLITAIRE = SolitaireGame()
"""The one game object."""

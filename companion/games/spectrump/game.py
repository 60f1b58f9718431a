"""Spectrump as the command line, the page and the journal meet it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from companion.decoding import UNREADABLE
from companion.errors import BadEvent, BadNotation, BadOptions, BadRecord
from companion.games import deck_events
from companion.games.spectrump import notation, position
from companion.games.spectrump.moves import Bid, SpectrumpEvent
from companion.games.spectrump.options import Options as SpectrumpOptions
from companion.games.spectrump.shape import SHAPES
from companion.games.spectrump.situation import COLOR_NUMBER
from companion.games.spectrump.state import SpectrumpState

_ABSURD = 1_000_000
"""A match for points may go on while nobody takes any, and a deal is repeated while all pass. No match is so long."""


class SpectrumpGame:
    """The game (the contract's `Game`)."""

    name = "spectrump"
    title = "Spectrump"
    rules = 1
    seats = range(2, 9, 2)
    left_stands: str | None = None
    Options: type[Struct] = SpectrumpOptions

    def start(self, seats: int, options: Struct) -> SpectrumpState:
        """Before the first deal (UMP-1).

        :raises BadOptions: not 2, 4, 6 or 8 players, partners with two, or an option out of its bounds.
        """
        return position.start(seats, self._checked(seats, options))

    def position(self, seats: int, options: Struct, data: Mapping[str, Any]) -> SpectrumpState:
        """Any position, from the JSON form that `docs/records.md` describes.

        :raises BadOptions: as for `start`.
        :raises BadRecord: the position contradicts itself, with the reason.
        """
        return position.read(seats, self._checked(seats, options), data)

    def _checked(self, seats: int, options: Struct) -> SpectrumpOptions:
        try:
            chosen = msgspec.convert(msgspec.to_builtins(options), SpectrumpOptions)
        except msgspec.ValidationError as error:
            raise BadOptions(f"An option of Spectrump is out of its bounds: {error}.") from error
        if seats not in SHAPES[chosen.deck]:
            raise BadOptions(f"Spectrump is for 2, 4, 6 or 8 players, not {seats} (UMP-1).")
        if chosen.partners and seats == 2:
            raise BadOptions("Partners need four players or more (UMP-2). Leave partners off.")
        return chosen

    def event(self, data: Any) -> SpectrumpEvent:
        """An event from plain JSON data; a card may be an object or its code.

        :raises BadNotation: it is not one.
        """
        try:
            event: SpectrumpEvent = msgspec.convert(deck_events.plain(data), SpectrumpEvent)
            notation.text_of(event)
        except (msgspec.ValidationError, BadEvent) as error:
            raise BadNotation(f"This is no event of Spectrump: {error} See docs/records.md.") from error
        if isinstance(event, Bid) and event.color not in COLOR_NUMBER:
            raise BadNotation(f'"{event.color}" is no color of the wheel.')
        return event

    def text(self, event: SpectrumpEvent) -> str:
        """One line that means the same in every position: "player 1 plays R7"."""
        return notation.text_of(event)

    def words(self, state: SpectrumpState, event: SpectrumpEvent) -> dict[str, Any] | None:
        """The event as a recording would name it: its own fields."""
        found: dict[str, Any] = msgspec.to_builtins(event)
        return {"player": found.pop("seat"), **found}

    def parse(self, state: SpectrumpState, text: str) -> SpectrumpEvent:
        """The event that a line names, legal or not.

        :raises BadNotation: no event of Spectrump reads so.
        """
        return notation.read(text)

    def load(self, data: bytes) -> SpectrumpState:
        """A state from its JSON, checked.

        :raises BadRecord: it is not a state of Spectrump.
        """
        try:
            state = msgspec.json.decode(data, type=SpectrumpState)
        except UNREADABLE as error:
            raise BadRecord(f"This is no state of Spectrump: {error}. Start from a journal or a position.") from error
        position.check(state)
        return state

    def bound(self, state: SpectrumpState) -> int:
        """No match that anybody plays is longer than this many events."""
        return _ABSURD


SPECTRUMP = SpectrumpGame()
"""The one game object."""

"""500 as the command line, the page and the journal meet it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from companion.contract import Drawn, Shown
from companion.decoding import UNREADABLE
from companion.errors import BadNotation, BadOptions, BadRecord
from companion.games import deck_events
from companion.games.five_hundred import notation
from companion.games.five_hundred.moves import (
    MOST_PLAYERS,
    CallSpectrum,
    Discard,
    FiveHundredEvent,
    LayMeld,
    LayOff,
    TakeDiscards,
)
from companion.games.five_hundred.options import Options as FiveHundredOptions
from companion.games.five_hundred.position import check, read
from companion.games.five_hundred.state import FiveHundredState, start


class FiveHundredGame:
    """The game (the contract's `Game`)."""

    name = "five-hundred"
    title = "500"
    rules = 1
    seats = range(2, MOST_PLAYERS + 1)
    left_stands: str | None = None
    Options: type[Struct] = FiveHundredOptions

    def start(self, seats: int, options: Struct) -> FiveHundredState:
        """The position before the first card; the last seat deals, so the first one begins (500-1).

        :raises BadOptions: not two to eight seats.
        """
        return start(seats, self._checked(seats, options), seats - 1)

    def _checked(self, seats: int, options: Struct) -> FiveHundredOptions:
        assert isinstance(options, FiveHundredOptions)
        if seats not in self.seats:
            raise BadOptions(f"500 is for 2 to {MOST_PLAYERS} players, not {seats} (500-1).")
        return options

    def position(self, seats: int, options: Struct, position: Mapping[str, Any]) -> FiveHundredState:
        """Any position, from the JSON form that `docs/records.md` describes.

        :raises BadRecord: the position contradicts itself, with the reason.
        :raises BadOptions: as for `start`.
        """
        return read(seats, self._checked(seats, options), position)

    def event(self, data: Any) -> FiveHundredEvent:
        """An event from plain JSON data; a card may be an object or its code, "RO12".

        :raises BadNotation: it is not one.
        """
        plain = deck_events.plain(data)
        if isinstance(plain, Mapping) and isinstance(plain.get("cards"), list | tuple):
            plain = {**plain, "cards": deck_events.plain({"pieces": list(plain["cards"])})["pieces"]}
        try:
            event: FiveHundredEvent = msgspec.convert(plain, FiveHundredEvent)
        except msgspec.ValidationError as error:
            raise BadNotation(f"This is no event of 500: {error}. See docs/records.md.") from error
        return notation.check(event)

    def text(self, event: FiveHundredEvent) -> str:
        """One line that means the same in every position."""
        return notation.text(event)

    def parse(self, state: FiveHundredState, text: str) -> FiveHundredEvent:
        """The event that a line of text names, legal or not.

        :raises BadNotation: no event of this game reads so.
        """
        return notation.parse(text)

    def load(self, data: bytes) -> FiveHundredState:
        """A state from its JSON, checked.

        :raises BadRecord: it is not a state of 500.
        """
        try:
            state = msgspec.json.decode(data, type=FiveHundredState)
        except UNREADABLE as error:
            raise BadRecord(f"This is no state of 500: {error}. Start from a journal or a position.") from error
        check(state)
        return state

    def bound(self, state: FiveHundredState) -> int:
        """A hand has no longest course, since discards may be taken again and again. This many events are absurd."""
        return 1_000_000

    def words(self, state: FiveHundredState, event: FiveHundredEvent) -> dict[str, Any] | None:
        """The event in the words of a recording; None for cards that are dealt.

        :param state: the position before the event.
        """
        if isinstance(event, Drawn | Shown):
            return None
        words: dict[str, Any] = {"player": event.seat, "type": msgspec.to_builtins(event)["type"]}
        match event:
            case LayMeld():
                words["cards"] = [deck_events.code_of(card) for card in event.cards]
            case TakeDiscards() | CallSpectrum() | LayOff() | Discard():
                words["card"] = deck_events.code_of(event.card)
        if isinstance(event, LayOff):
            words["meld"] = event.meld
        return words


FIVE_HUNDRED = FiveHundredGame()
"""The one game object."""

"""Cribbage as the command line, the page and the journal meet it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from companion.decoding import UNREADABLE
from companion.errors import BadNotation, BadOptions, BadRecord
from companion.games import deck_events
from companion.games.cribbage import notation
from companion.games.cribbage.moves import Count, CribbageEvent, Go, LayAway, Play
from companion.games.cribbage.options import Options as CribbageOptions
from companion.games.cribbage.position import check, read
from companion.games.cribbage.situation import SIZES
from companion.games.cribbage.state import CribbageState, start

_EVENTS_PER_HAND = 120
"""Four players: 40 cards dealt and a starter, 4 lots laid away, 32 plays and as many Goes, 5 counts."""
_CUTS = 500
"""Cuts for the deal may tie again and again; after a hundred ties of four players nobody would believe it."""


class CribbageGame:
    """The game (the contract's `Game`)."""

    name = "cribbage"
    title = "Cribbage"
    rules = 2
    seats = range(2, 5, 2)
    left_stands: str | None = None
    Options: type[Struct] = CribbageOptions

    def start(self, seats: int, options: Struct) -> CribbageState:
        """The position before the cut for the deal (CRB-1).

        :raises BadOptions: not two or four seats.
        """
        return start(seats, self._checked(seats, options))

    def _checked(self, seats: int, options: Struct) -> CribbageOptions:
        assert isinstance(options, CribbageOptions)
        if seats not in SIZES:
            raise BadOptions(f"Cribbage is for 2 or 4 players, not {seats} (CRB-2, CRB-11).")
        return options

    def position(self, seats: int, options: Struct, position: Mapping[str, Any]) -> CribbageState:
        """Any position, from the JSON form that `docs/records.md` describes.

        :raises BadRecord: the position contradicts itself, with the reason.
        :raises BadOptions: as for `start`.
        """
        return read(seats, self._checked(seats, options), position)

    def event(self, data: Any) -> CribbageEvent:
        """An event from plain JSON data; a card may be an object or its code, "RO12".

        :raises BadNotation: it is not one.
        """
        plain = deck_events.plain(data)
        if isinstance(plain, Mapping) and isinstance(plain.get("cards"), list | tuple):
            plain = {**plain, "cards": deck_events.plain({"pieces": list(plain["cards"])})["pieces"]}
        try:
            event: CribbageEvent = msgspec.convert(plain, CribbageEvent)
        except msgspec.ValidationError as error:
            raise BadNotation(f"This is no event of Cribbage: {error}. See docs/records.md.") from error
        return notation.check(event)

    def text(self, event: CribbageEvent) -> str:
        """One line that means the same in every position."""
        return notation.text(event)

    def parse(self, state: CribbageState, text: str) -> CribbageEvent:
        """The event that a line of text names, legal or not.

        :raises BadNotation: no event of this game reads so.
        """
        return notation.parse(state, text)

    def load(self, data: bytes) -> CribbageState:
        """A state from its JSON, checked.

        :raises BadRecord: it is not a state of Cribbage.
        """
        try:
            state = msgspec.json.decode(data, type=CribbageState)
        except UNREADABLE as error:
            raise BadRecord(f"This is no state of Cribbage: {error}. Start from a journal or a position.") from error
        check(state)
        return state

    def bound(self, state: CribbageState) -> int:
        """No game from here is longer than this many events: the last card of every hand pegs at least one point."""
        return _CUTS + _EVENTS_PER_HAND * (2 * state.options.target + 1)

    def words(self, state: CribbageState, event: CribbageEvent) -> dict[str, Any] | None:
        """The event in the words of a recording; None for cards that are dealt.

        :param state: the position before the event.
        """
        match event:
            case LayAway():
                cards = [deck_events.code_of(card) for card in event.cards]
                return {"player": event.seat, "type": "lay-away", "cards": cards}
            case Play():
                return {"player": event.seat, "type": "play", "card": deck_events.code_of(event.card)}
            case Go():
                return {"player": event.seat, "type": "go"}
            case Count():
                return {"player": event.seat, "type": "count", "of": event.of, "points": event.points}
        return None


CRIBBAGE = CribbageGame()
"""The one game object."""

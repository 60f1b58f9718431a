"""Casino as the command line, the page and the journal meet it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from companion.contract import Drawn
from companion.decoding import UNREADABLE
from companion.errors import BadNotation, BadOptions, BadRecord
from companion.games import deck_events
from companion.games.casino import notation
from companion.games.casino.moves import CasinoEvent, Put, Take
from companion.games.casino.options import Options as CasinoOptions
from companion.games.casino.position import check, read
from companion.games.casino.situation import DEAL, DEALS
from companion.games.casino.state import CasinoState, start
from companion.games.deck import NUMBER_CARDS

_EVENTS_PER_ROUND = 2 * NUMBER_CARDS
"""Every card is dealt at most once and played at most once."""


class CasinoGame:
    """The game (the contract's `Game`)."""

    name = "casino"
    title = "Casino"
    rules = 2
    seats = range(2, 5)
    left_stands: str | None = None
    Options: type[Struct] = CasinoOptions

    def start(self, seats: int, options: Struct) -> CasinoState:
        """The position before the first card; the last seat deals, so the first one plays first (CAS-1, CAS-10).

        :raises BadOptions: not two to four seats.
        """
        return start(seats, self._checked(seats, options), seats - 1)

    def _checked(self, seats: int, options: Struct) -> CasinoOptions:
        assert isinstance(options, CasinoOptions)
        if seats not in self.seats:
            raise BadOptions(f"Casino is for 2 to 4 players, not {seats} (CAS-1).")
        return options

    def position(self, seats: int, options: Struct, position: Mapping[str, Any]) -> CasinoState:
        """Any position, from the JSON form that `docs/records.md` describes.

        :raises BadRecord: the position contradicts itself, with the reason.
        :raises BadOptions: as for `start`.
        """
        return read(seats, self._checked(seats, options), position)

    def event(self, data: Any) -> CasinoEvent:
        """An event from plain JSON data; a card may be an object or its code, "RO12".

        :raises BadNotation: it is not one.
        """
        plain = deck_events.plain(data)
        if isinstance(plain, Mapping) and isinstance(plain.get("taken"), list | tuple):
            pieces = deck_events.plain({"pieces": list(plain["taken"])})["pieces"]
            plain = {**plain, "taken": pieces}
        try:
            event: CasinoEvent = msgspec.convert(plain, CasinoEvent)
        except msgspec.ValidationError as error:
            raise BadNotation(f"This is no event of Casino: {error}. See docs/records.md.") from error
        return notation.check(event)

    def text(self, event: CasinoEvent) -> str:
        """One line that means the same in every position."""
        return notation.text(event)

    def parse(self, state: CasinoState, text: str) -> CasinoEvent:
        """The event that a line of text names, legal or not.

        :raises BadNotation: no event of this game reads so.
        """
        return notation.parse(text)

    def load(self, data: bytes) -> CasinoState:
        """A state from its JSON, checked.

        :raises BadRecord: it is not a state of Casino.
        """
        try:
            state = msgspec.json.decode(data, type=CasinoState)
        except UNREADABLE as error:
            raise BadRecord(f"This is no state of Casino: {error}. Start from a journal or a position.") from error
        check(state)
        return state

    def bound(self, state: CasinoState) -> int:
        """No game from here is longer than this many events."""
        return _EVENTS_PER_ROUND * max(state.options.rounds - len(state.past), 1)

    def words(self, state: CasinoState, event: CasinoEvent) -> dict[str, Any] | None:
        """The event in the words of a recording; None for cards that are dealt.

        :param state: the position before the event.
        """
        match event:
            case Take():
                taken = [deck_events.code_of(card) for card in event.taken]
                return {"player": event.seat, "type": "take", "card": deck_events.code_of(event.card), "taken": taken}
            case Put():
                return {"player": event.seat, "type": "put", "card": deck_events.code_of(event.card)}
            case Drawn():
                return None
        return None


assert DEAL * DEALS + 12 == NUMBER_CARDS
CASINO = CasinoGame()
"""The one game object."""

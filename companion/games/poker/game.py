"""Poker as the command line, the page and the journal meet it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from companion.decoding import UNREADABLE
from companion.errors import BadNotation, BadOptions, BadRecord
from companion.games import deck_events
from companion.games.deck import NUMBER_CARDS
from companion.games.poker import notation
from companion.games.poker.moves import MOST_PLAYERS, Exchange, Fold, PokerEvent, TurnUp
from companion.games.poker.odds import HAND
from companion.games.poker.options import Options as PokerOptions
from companion.games.poker.position import check, read
from companion.games.poker.state import PokerState, start


class PokerGame:
    """The game (the contract's `Game`)."""

    name = "poker"
    title = "Poker"
    rules = 1
    seats = range(2, MOST_PLAYERS + 1)
    left_stands: str | None = None
    Options: type[Struct] = PokerOptions

    def start(self, seats: int, options: Struct) -> PokerState:
        """The position before the first card; the last seat deals (POK-1).

        :raises BadOptions: not two to eight seats, fewer than five cards to make a hand of, or more than the deck has.
        """
        return start(seats, self._checked(seats, options), seats - 1)

    def _checked(self, seats: int, options: Struct) -> PokerOptions:
        assert isinstance(options, PokerOptions)
        if seats not in self.seats:
            raise BadOptions(f"Poker is for 2 to {MOST_PLAYERS} players here, not {seats} (POK-1).")
        if options.cards + options.shared < HAND:
            raise BadOptions(
                f"A hand has {HAND} cards (POK-1), but {options.cards} are dealt and {options.shared} shared. Deal or"
                " share more."
            )
        most = seats * options.cards * (1 + options.exchanges) + options.shared
        if most > NUMBER_CARDS:
            raise BadOptions(
                f"{seats} players may need {most} cards, and the deck has {NUMBER_CARDS} (POK-1). Deal or exchange"
                " fewer."
            )
        return options

    def position(self, seats: int, options: Struct, position: Mapping[str, Any]) -> PokerState:
        """Any position, from the JSON form that `docs/records.md` describes.

        :raises BadRecord: the position contradicts itself, with the reason.
        :raises BadOptions: as for `start`.
        """
        return read(seats, self._checked(seats, options), position)

    def event(self, data: Any) -> PokerEvent:
        """An event from plain JSON data; a card may be an object or its code, "RO12".

        :raises BadNotation: it is not one.
        """
        plain = deck_events.plain(data)
        if isinstance(plain, Mapping) and isinstance(plain.get("cards"), list | tuple):
            plain = {**plain, "cards": deck_events.plain({"pieces": list(plain["cards"])})["pieces"]}
        try:
            event: PokerEvent = msgspec.convert(plain, PokerEvent)
        except msgspec.ValidationError as error:
            raise BadNotation(f"This is no event of Poker: {error}. See docs/records.md.") from error
        return notation.check(event)

    def text(self, event: PokerEvent) -> str:
        """One line that means the same in every position."""
        return notation.text(event)

    def parse(self, state: PokerState, text: str) -> PokerEvent:
        """The event that a line of text names, legal or not.

        :raises BadNotation: no event of this game reads so.
        """
        return notation.parse(text)

    def load(self, data: bytes) -> PokerState:
        """A state from its JSON, checked.

        :raises BadRecord: it is not a state of Poker.
        """
        try:
            state = msgspec.json.decode(data, type=PokerState)
        except UNREADABLE as error:
            raise BadRecord(f"This is no state of Poker: {error}. Start from a journal or a position.") from error
        check(state)
        return state

    def bound(self, state: PokerState) -> int:
        """No game from here is longer than this many events: every card is drawn at most once, and each seat moves once
        in every round."""
        return 2 * NUMBER_CARDS + state.seats * (state.exchanges + 1)

    def words(self, state: PokerState, event: PokerEvent) -> dict[str, Any] | None:
        """The event in the words of a recording; None for cards that are dealt.

        :param state: the position before the event.
        """
        match event:
            case Exchange():
                cards = [deck_events.code_of(card) for card in event.cards]
                return {"player": event.seat, "type": "exchange", "cards": cards}
            case TurnUp():
                called = {} if event.called is None else {"called": event.called}
                return {"player": event.seat, "type": "turn-up", **called}
            case Fold():
                return {"player": event.seat, "type": "fold"}
        return None


POKER = PokerGame()
"""The one game object."""

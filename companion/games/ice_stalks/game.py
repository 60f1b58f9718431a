"""Ice Stalks as the command line, the page and the journal meet it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from companion.contract import Drawn
from companion.decoding import UNREADABLE
from companion.errors import BadNotation, BadOptions, BadRecord
from companion.games.ice_stalks import notation
from companion.games.ice_stalks.moves import IceStalksEvent, Place, Take
from companion.games.ice_stalks.options import MOST_PLAYERS
from companion.games.ice_stalks.options import Options as IceStalksOptions
from companion.games.ice_stalks.position import check, read, seen_position, start
from companion.games.ice_stalks.rainbow import RAINBOW, pieces_of
from companion.games.ice_stalks.state import IceStalksState
from companion.layout import Layout
from companion.pieces import Pyramid, Rock

_EVENTS_PER_ROCK = 3
"""A rock is drawn, a piece is placed, and at most one stalk is taken."""


class IceStalksGame:
    """The game (the contract's `Game`)."""

    name = "ice-stalks"
    title = "Ice Stalks"
    rules = 1
    seats = range(2, MOST_PLAYERS + 1)
    left_stands: str | None = None
    Options: type[Struct] = IceStalksOptions

    def start(self, seats: int, options: Struct) -> IceStalksState:
        """No stalk yet, all rocks in the bag (ICE-2). More than four seats need the option `max_players`.

        :raises BadOptions: too few or too many players, or nobody who begins.
        """
        return start(seats, self._checked(seats, options))

    def _checked(self, seats: int, options: Struct) -> IceStalksOptions:
        assert isinstance(options, IceStalksOptions)
        if not 2 <= seats <= options.max_players:
            raise BadOptions(
                f"Ice Stalks has 2 to {options.max_players} players here, not {seats} (ICE-2). "
                "The option max_players says how many the table allows."
            )
        if options.first > seats:
            raise BadOptions(f"Player {options.first} cannot begin: there are {seats} (ICE-21). Choose one of them.")
        return options

    def position(self, seats: int, options: Struct, position: Mapping[str, Any]) -> IceStalksState:
        """Any position, from the JSON form that `docs/records.md` describes.

        :raises BadRecord: the position contradicts itself, with the reason.
        :raises BadOptions: as for `start`.
        """
        return read(seats, self._checked(seats, options), position)

    def seen_position(self, seats: int, options: Struct, seen: Layout) -> Mapping[str, Any]:
        """The position, in the same JSON form, that a recording's first steady picture shows.

        :raises BadOptions: as for `start`.
        """
        self._checked(seats, options)
        return seen_position(seats, seen)

    def event(self, data: Any) -> IceStalksEvent:
        """An event from plain JSON data; a piece may be an object or words ("red small"), a rock its color.

        :raises BadNotation: it is not one.
        """
        try:
            event: IceStalksEvent = msgspec.convert(_plain_event(data), IceStalksEvent)
        except msgspec.ValidationError as error:
            raise BadNotation(f"This is no event of Ice Stalks: {error}. See docs/records.md.") from error
        return event

    def text(self, event: IceStalksEvent) -> str:
        """One line that means the same in every position."""
        return notation.text(event)

    def parse(self, state: IceStalksState, text: str) -> IceStalksEvent:
        """The event that a line of text names, legal or not.

        :raises BadNotation: no event of this game reads so.
        """
        return notation.parse(text)

    def load(self, data: bytes) -> IceStalksState:
        """A state from its JSON, checked.

        :raises BadRecord: it is not a state of Ice Stalks.
        """
        try:
            state = msgspec.json.decode(data, type=IceStalksState)
        except UNREADABLE as error:
            raise BadRecord(f"This is no state of Ice Stalks: {error}. Start from a journal or a position.") from error
        check(state)
        return state

    def bound(self, state: IceStalksState) -> int:
        """No game from here is longer than this many events."""
        return _EVENTS_PER_ROCK * (sum(state.rocks) + 1)

    def words(self, state: IceStalksState, event: IceStalksEvent) -> dict[str, Any] | None:
        """The event in the words of `companion watch`.

        :param state: the position before the event.
        """
        match event:
            case Drawn(seat=seat, pieces=(Rock(color=color),)):
                return {"player": seat, "type": "draw", "rock": color}
            case Place():
                words: dict[str, Any] = {"player": event.seat, "type": "place", "piece": _words(event.piece)}
                return {**words, "on": [_words(piece) for piece in event.on], "points": _gained(state, event)}
            case Take():
                stalk = [] if state.done is None else [_words(piece) for piece in pieces_of(state.done)]
                return {"player": event.seat, "type": "take", "stalk": stalk}
        return None


def _gained(state: IceStalksState, place: Place) -> int | float:
    """What a placement brings: the worth of the stalk that it completes, nothing if it breaks a rule."""
    if state.explain(place):
        return 0
    return state.apply(place).scores()[place.seat].total - state.scores()[place.seat].total


def _words(piece: Pyramid) -> dict[str, str]:
    return {"color": piece.color, "size": piece.size}


def _plain_event(data: Any) -> Any:
    """The data with every piece and rock written as an object."""
    if not isinstance(data, Mapping):
        return data
    plain = dict(data)
    if "piece" in plain:
        plain["piece"] = _plain_piece(plain["piece"])
    for key in ("on", "pieces"):
        if isinstance(plain.get(key), list | tuple):
            plain[key] = [_plain_piece(one) for one in plain[key]]
    return plain


def _plain_piece(data: Any) -> Any:
    if isinstance(data, str):
        return {"type": "rock", "color": data} if data in RAINBOW else msgspec.to_builtins(notation.piece(data))
    if isinstance(data, Mapping):
        return {"type": "pyramid" if "size" in data else "rock", **data}
    return data


ICE_STALKS = IceStalksGame()

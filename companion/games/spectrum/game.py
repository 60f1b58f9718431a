"""Spectrum as the command line, the page and the journal meet it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from companion.contract import Rolled
from companion.decoding import UNREADABLE
from companion.errors import BadNotation, BadRecord
from companion.games import color_dice
from companion.games.deck import PIECES, number_of
from companion.games.spectrum import notation, todo
from companion.games.spectrum.board import SPACE, STOCKS
from companion.games.spectrum.moves import Declare, Go, Pass, Place, SpectrumEvent, Surrender, TakeOff
from companion.games.spectrum.options import Options, teams_of
from companion.games.spectrum.position import check, read, seen_position, start
from companion.games.spectrum.situation import COLOR_OF_LETTER, EMPTY
from companion.games.spectrum.state import SpectrumState
from companion.layout import Layout
from companion.pieces import PRIMARIES


class SpectrumGame:
    """The game (the contract's `Game`)."""

    name = "spectrum"
    title = "Spectrum"
    rules = 2
    seats = range(1, len(PRIMARIES) + 1)
    left_stands: str | None = None
    Options: type[Struct] = Options
    undoing: tuple[type, ...] = (Surrender,)
    """Moves that give up what was reached; who makes them as readily as others gets nowhere (for players at random)."""

    def start(self, seats: int, options: Struct) -> SpectrumState:
        """An empty board, and whatever the variants set up first (BRD-5, VAR-1 to VAR-22).

        :raises BadOptions: the number of seats, the colors or a combination of options is not possible.
        """
        return start(teams_of(seats, _options(options)), _options(options))

    def position(self, seats: int, options: Struct, position: Mapping[str, Any]) -> SpectrumState:
        """Any position, from the JSON form that `docs/records.md` describes.

        :raises BadRecord: the position contradicts itself, with the reason.
        :raises BadOptions: the number of seats, the colors or a combination of options is not possible.
        """
        return read(teams_of(seats, _options(options)), _options(options), position)

    def seen_position(self, seats: int, options: Struct, seen: Layout) -> Mapping[str, Any]:
        """The position, in the same JSON form, that a recording's first steady picture shows.

        :raises BadOptions: the number of seats, the colors or a combination of options is not possible.
        """
        return seen_position(teams_of(seats, _options(options)), seen)

    def event(self, data: Any) -> SpectrumEvent:
        """An event from plain JSON data; cards and dice may be objects or words: "R3", "d6 red".

        :raises BadNotation: it is not one.
        """
        try:
            event: SpectrumEvent = msgspec.convert(_plain_event(data), SpectrumEvent)
        except msgspec.ValidationError as error:
            raise BadNotation(f"This is no event of Spectrum: {error}. See docs/records.md.") from error
        return notation.check(event)

    def text(self, event: SpectrumEvent) -> str:
        """One line that means the same in every position."""
        return notation.text(event)

    def parse(self, state: SpectrumState, text: str) -> SpectrumEvent:
        """The event that a line of text names, legal or not.

        :raises BadNotation: no event of this game reads so.
        :raises AmbiguousMove: the move may be several parts of a roll that may be taken in any order.
        """
        return notation.parse(state, text)

    def load(self, data: bytes) -> SpectrumState:
        """A state from its JSON, checked.

        :raises BadRecord: it is not a state of Spectrum.
        """
        try:
            state = msgspec.json.decode(data, type=SpectrumState)
        except UNREADABLE as error:
            raise BadRecord(f"This is no state of Spectrum: {error}. Start from a journal or a position.") from error
        check(state)
        return state

    def bound(self, state: SpectrumState) -> int:
        """Spectrum has no longest game: pawns may go back and forth for ever. This many events are absurd."""
        return 1_000_000

    def words(self, state: SpectrumState, event: SpectrumEvent) -> dict[str, Any] | None:
        """The event in the words of `companion watch`; None for what a camera cannot see.

        :param state: the position before the event.
        """
        match event:
            case Rolled():
                return {"player": state.turn, "type": "roll", "faces": [one.face for one in event.faces]}
            case Go():
                return self._moved(state, event)
            case Place():
                return {"player": event.seat, "type": "place", "pawn": event.pawn, "to": event.to}
            case TakeOff():
                return {"player": event.seat, "type": "surrender", "from": event.pawn}
            case Declare():
                return {"player": event.seat, "type": "use", "usage": event.usage}
            case Pass():
                return {"player": event.seat, "type": "pass"}
        return None

    def lost(self, before: SpectrumState, event: SpectrumEvent, after: SpectrumState) -> str | None:
        """What of the roll nobody can play any more after an event, in a sentence (an addition to the contract)."""
        return todo.lost(before, event, after)

    def still_to_do(self, state: SpectrumState) -> str | None:
        """What a turn that has begun still asks for, in a sentence (an addition to the contract)."""
        return todo.still_to_do(state)

    def _moved(self, state: SpectrumState, go: Go) -> dict[str, Any]:
        space = SPACE.get(go.to)
        there = EMPTY if space is None else state.board[space]
        captured = {} if there == EMPTY else {"captured": COLOR_OF_LETTER[there]}
        came = None if go.pawn in STOCKS else go.pawn
        return {"player": go.seat, "type": "move", "from": came, "to": go.to, **captured}


def _plain_event(data: Any) -> Any:
    """The data with cards and dice written as objects and a usage as its name."""
    if not isinstance(data, Mapping):
        return data
    plain = dict(data)
    if isinstance(plain.get("faces"), list | tuple):
        plain["faces"] = [color_dice.plain(one) for one in plain["faces"]]
    if isinstance(plain.get("pieces"), list | tuple):
        plain["pieces"] = [_plain_card(one) for one in plain["pieces"]]
    if "card" in plain:
        plain["card"] = _plain_card(plain["card"])
    if plain.get("type") == "declare" and isinstance(plain.get("usage"), str):
        plain["usage"] = notation.usage_named(plain["usage"])
    return plain


def _plain_card(data: Any) -> Any:
    """A card as an object; None stays."""
    if isinstance(data, str):
        return None if data == "??" else msgspec.to_builtins(PIECES[number_of(data)])
    return {"type": "card", **data} if isinstance(data, Mapping) else data


def _options(options: Struct) -> Options:
    assert isinstance(options, Options)
    return options


SPECTRUM = SpectrumGame()

"""Spectrangle as the contract's `Game`: starting, reading and writing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from companion.contract import Drawn, Event, Shown
from companion.decoding import UNREADABLE
from companion.errors import BadEvent, BadNotation, BadOptions, BadRecord
from companion.games.spectrangle import notation
from companion.games.spectrangle.board import EMPTY_BOARD, SPOTS
from companion.games.spectrangle.lies import ALL_BITS, LIE_OF, NUMBER
from companion.games.spectrangle.moves import EXCHANGES, PLACES, Exchange, Place, SpectrangleEvent
from companion.games.spectrangle.options import Options as SpectrangleOptions
from companion.games.spectrangle.position import read as read_position
from companion.games.spectrangle.situation import HAND
from companion.games.spectrangle.soundness import check
from companion.games.spectrangle.state import SpectrangleState
from companion.games.spectrangle.words import words
from companion.pieces import TILES, Piece, Tile

_EVENTS_PER_TILE = 2000
"""Exchanges may go on while the one fitting tile stays in the bag. A thousand fair draws in a row miss one tile of 28
with a probability below 1e-15, and each exchange is two events."""


class SpectrangleGame:
    """The game, its options and its notation."""

    name = "spectrangle"
    title = "Spectrangle"
    rules = 1
    seats = range(2, 5)
    left_stands: str | None = None
    Options: type[Struct] = SpectrangleOptions

    def start(self, seats: int, options: Struct) -> SpectrangleState:
        """The position before the first event: the draw for the start, or the first turn if hands are unseen (TRI-7).

        :raises BadOptions: not two to four seats, teams without four, or an option out of its bounds.
        """
        chosen = self._checked(seats, options)
        if chosen.hands == "unseen":
            hidden = (HAND,) * seats
            return SpectrangleState(
                chosen, EMPTY_BOARD, ((),) * seats, hidden, ALL_BITS, len(TILES) - sum(hidden), turn=0
            )
        return SpectrangleState(
            chosen, EMPTY_BOARD, ((),) * seats, (0,) * seats, ALL_BITS, len(TILES), turn=0, lots=((),) * seats
        )

    def _checked(self, seats: int, options: Struct) -> SpectrangleOptions:
        if seats not in self.seats:
            raise BadOptions(f"Spectrangle is for 2 to 4 players, not {seats} (TRI-6).")
        try:
            chosen = msgspec.convert(msgspec.to_builtins(options), SpectrangleOptions)
        except msgspec.ValidationError as error:
            raise BadOptions(f"An option of Spectrangle is out of its bounds: {error}.") from error
        if chosen.teams and seats != 4:
            raise BadOptions(f"Teams need four players, not {seats} (TRI-6). Leave teams off.")
        return chosen

    def position(self, seats: int, options: Struct, position: Mapping[str, Any]) -> SpectrangleState:
        """Any position, from the form that docs/records.md describes.

        :raises BadOptions: as for `start`.
        :raises BadRecord: the position contradicts itself, with the reason.
        """
        return read_position(seats, self._checked(seats, options), position)

    def event(self, data: Any) -> SpectrangleEvent:
        """An event from plain JSON data; a tile may be an object or its letters, a cell its number or its name.

        :raises BadNotation: it is not one.
        """
        try:
            event = msgspec.convert(_plain(data), SpectrangleEvent)
            notation.text_of(event)
        except (msgspec.ValidationError, BadEvent) as error:
            raise BadNotation(f"This is no event of Spectrangle: {error}") from error
        return _as_printed(event)

    def text(self, event: Event) -> str:
        """One line that means the same in every position: "GGY4 c21 GYG"."""
        return notation.text_of(event)

    def words(self, state: SpectrangleState, event: Event) -> dict[str, Any] | None:
        """The event in the words of a recording; None for a draw, which belongs to the turn before it."""
        return words(state, event)

    def parse(self, state: SpectrangleState, text: str) -> SpectrangleEvent:
        """The event that a line names in this position, legal or not.

        :raises BadNotation: no event of Spectrangle reads so.
        :raises AmbiguousMove: the tile can be laid in several legal ways and the line does not say which.
        """
        return notation.read(state, text)

    def load(self, data: bytes) -> SpectrangleState:
        """A state from its JSON, checked.

        :raises BadRecord: it is not a state of Spectrangle.
        """
        try:
            state = msgspec.json.decode(data, type=SpectrangleState)
        except UNREADABLE as error:
            raise BadRecord(f"This is no state of Spectrangle: {error}") from error
        check(state)
        return state

    def bound(self, state: SpectrangleState) -> int:
        """No game from here is longer than this many events, as long as the draws are fair."""
        return len(TILES) * (_EVENTS_PER_TILE + 2)


def _plain(data: Any) -> Any:
    """JSON data with short forms written out: letters for a tile, "c21" for a cell."""
    if not isinstance(data, Mapping):
        return data
    plain = dict(data)
    if isinstance(plain.get("cell"), str):
        plain["cell"] = SPOTS.index(plain["cell"]) if plain["cell"] in SPOTS else plain["cell"]
    if "tile" in plain:
        plain["tile"] = _tile(plain["tile"])
    if isinstance(plain.get("pieces"), list | tuple):
        plain["pieces"] = [_tile(piece) for piece in plain["pieces"]]
    return plain


def _tile(data: Any) -> Any:
    """A tile object, of "GYG4" the tile that lies so; unknown tiles ("??") are None."""
    if data == notation.HIDDEN:
        return None
    if isinstance(data, str):
        tile = TILES[notation.tile_number(data)]
        edges = data.strip().upper()
        return {"type": "tile", "left": edges[0], "right": edges[1], "flat": edges[2], "value": tile.value}
    return {"type": "tile", **data} if isinstance(data, Mapping) else data


def _as_printed(event: SpectrangleEvent) -> SpectrangleEvent:
    """Tiles off the board written as TRI-1 prints them."""
    match event:
        case Place():
            return PLACES[event.cell][event.tile.edges]
        case Exchange(tile=Tile() as tile):
            return EXCHANGES[LIE_OF[tile].number]
        case Drawn():
            return Drawn(event.seat, tuple(None if piece is None else _printed(piece) for piece in event.pieces))
        case Shown():
            return Shown(event.seat, tuple(_printed(piece) for piece in event.pieces))
    return event


def _printed(piece: Piece) -> Piece:
    return TILES[NUMBER[piece]]


SPECTRANGLE = SpectrangleGame()
"""The one game object."""

"""The three moves of a turn: place, exchange or pass (TRI-15, TRI-16).

A move does not name its player, who is always the seat to move. Each placement is one shared object, so that lists of
moves only hold references and comparing moves is cheap.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Protocol

from msgspec import Meta, Struct

from companion.core.contract import Drawn, Expect, Seat, Shown, ToDraw
from companion.core.foundation.errors import AmbiguousMove, BadEvent, BadNotation
from companion.core.pieces import TILES, Piece, Tile, identify
from companion.games.spectrangle.board import CELLS, LIE_OF, LIES, NAMES, NUMBER, SPOTS, UNKNOWN


class PlaceTile(Struct, frozen=True, tag="place", cache_hash=True):
    """A player lays a tile on a cell; `tile` holds the colors of the cell's left, right and flat edge."""

    cell: Annotated[int, Meta(ge=0, lt=CELLS)]
    tile: Tile


class Exchange(Struct, frozen=True, tag="exchange", cache_hash=True):
    """A player puts a tile aside for one from the bag; None stands for a tile that the referee has not seen (TRI-16).

    `tile` is written as TRI-1 prints it.
    """

    tile: Tile | None


class Pass(Struct, frozen=True, tag="pass"):
    """A player misses the turn (TRI-16)."""


Move = PlaceTile | Exchange | Pass
SpectrangleEvent = Move | Drawn | Shown

PLACES: tuple[dict[str, PlaceTile], ...] = tuple(
    {letters: PlaceTile(cell, lie.tile) for letters, lie in LIES.items()} for cell in range(CELLS)
)
"""All placements by cell and letters."""

PASS = Pass()
EXCHANGES: tuple[Exchange, ...] = tuple(Exchange(tile) for tile in TILES)
"""The exchanges by number of the tile that is put aside."""
EXCHANGE_HIDDEN = Exchange(None)


# Writes and reads events as one line of text that means the same in every position.
#
# `GGY4 c21 GYG` places tile GGY4 on cell 21 with left green, right yellow, flat green; `exchange GGY4`, `exchange ??`,
# `pass`, `player 1 draws GGY4 ??` and `player 1 shows GGY4` are the others. Reading is lenient: capitals do not
# matter, a tile may be written in any turn, and the last part of a placement may be left out where one lie is legal.


class NotationContext(Protocol):
    """The part of a position that notation needs."""

    def legal_moves(self) -> Sequence[Move]:
        """Returns the legal moves, which complete a placement written without an orientation."""

    def expects(self) -> Expect:
        """Returns the next event, which completes a draw written without its player."""


HIDDEN = "??"
"""The code of a tile that the referee has not seen."""

_PLACE = re.compile(r"(?P<tile>[RGBYPW]{3}[1-6]?) C(?P<cell>\d{1,2})(?: (?P<lie>[RGBYPW]{3}))?")
_SEATED = re.compile(r"(?:PLAYER (?P<player>[1-4]) )?(?P<verb>DRAWS?|SHOWS?)(?P<tiles>(?: \S+)+)")
_FORMS = "Write a placement as GGY4 c21 GYG, or: exchange GGY4, pass, player 1 draws GGY4, player 1 shows GGY4."


def text_of(event: SpectrangleEvent) -> str:
    """Returns the line for an event.

    Raises:
        BadEvent: It names a tile or cell that Spectrangle does not have.
    """
    match event:
        case PlaceTile():
            lie = LIE_OF.get(event.tile)
            if lie is None or not 0 <= event.cell < CELLS:
                raise BadEvent(f"{event.tile.name} on c{event.cell} is no tile of the set on a cell of the board.")
            return f"{lie.name} {SPOTS[event.cell]} {lie.letters}"
        case Exchange():
            return f"exchange {_written(event.tile)}"
        case Pass():
            return "pass"
        case Drawn():
            return " ".join((f"player {event.seat + 1} draws", *map(_written, event.pieces)))
        case Shown():
            return " ".join((f"player {event.seat + 1} shows", *map(_written, event.pieces)))


def _written(piece: Piece | None) -> str:
    number = NUMBER.get(piece)
    if number is None:
        raise BadEvent(f"{piece} is no tile of the set.")
    return HIDDEN if number == UNKNOWN else NAMES[number]


def tile_number(text: str) -> int:
    """Returns the number of the tile that three letters, in any turn, and perhaps a value stand for.

    Raises:
        BadNotation: The set has no such tile.
    """
    letters = text.strip().upper()
    tile = identify(letters[:3]) if re.fullmatch(r"[RGBYPW]{3}[1-6]?", letters) else None
    if tile is None:
        raise BadNotation(f'"{text}" is no tile of the set. Write its three colors (RGBYPW) and its value, as in GGY4.')
    if letters[3:] not in ("", str(tile.value)):
        raise BadNotation(f'"{text}" is no tile of the set: the tile of these colors is {tile.name}.')
    return NUMBER[tile]


def read(position: NotationContext, text: str) -> SpectrangleEvent:
    """Returns the event that a line names, legal or not.

    Raises:
        BadNotation: No event reads so.
        AmbiguousMove: It does not say how the tile lies, and several ways are legal.
    """
    line = " ".join(text.upper().split())
    if line == "PASS":
        return PASS
    if line.startswith("EXCHANGE "):
        rest = line.removeprefix("EXCHANGE ")
        return EXCHANGE_HIDDEN if rest == HIDDEN else EXCHANGES[tile_number(rest)]
    place = _PLACE.fullmatch(line)
    if place is not None:
        return _read_place(position, text, tile_number(place["tile"]), int(place["cell"]), place["lie"])
    seated = _SEATED.fullmatch(line)
    if seated is None:
        raise BadNotation(f'"{text}" is no event of Spectrangle. {_FORMS}')
    seat = _seat(position, text, seated["player"], drawing=seated["verb"].startswith("DRAW"))
    parts = seated["tiles"].split()
    if seated["verb"].startswith("DRAW"):
        return Drawn(seat, tuple(None if part == HIDDEN else TILES[tile_number(part)] for part in parts))
    if HIDDEN in parts:
        raise BadNotation(f'"{text}" shows a tile that is not named. Name every shown tile.')
    return Shown(seat, tuple(TILES[tile_number(part)] for part in parts))


def _seat(position: NotationContext, text: str, named: str | None, *, drawing: bool) -> Seat:
    if named is not None:
        return int(named) - 1
    due = position.expects()
    if drawing and isinstance(due, ToDraw):
        return due.seat
    raise BadNotation(f'"{text}" does not say whose hand it is. Begin with the player, as in player 1 draws GGY4.')


def _read_place(position: NotationContext, text: str, number: int, cell: int, letters: str | None) -> PlaceTile:
    if cell >= CELLS:
        raise BadNotation(f'"{text}" names cell c{cell}; the cells are c0 to c{CELLS - 1}.')
    name = NAMES[number]
    if letters is not None:
        lie = LIES.get(letters)
        if lie is None or lie.number != number:
            raise BadNotation(f'"{text}" lays {name} with the edges {letters}, which are not its three colors.')
        return PLACES[cell][letters]
    fitting = [
        move
        for move in position.legal_moves()
        if isinstance(move, PlaceTile) and move.cell == cell and LIE_OF[move.tile].number == number
    ]
    if len(fitting) > 1:
        ways = ", ".join(text_of(move) for move in fitting)
        raise AmbiguousMove(f'"{text}" can be laid in several ways: {ways}. Write one of them.')
    return fitting[0] if fitting else PLACES[cell][name[:3]]

"""The moves after drawing a rock: place a piece, and take the stalk that it completes (ICE-4, ICE-16).

Taking is a separate event because a camera sees it separately: a completed stalk may stand for a while before a player
takes it, and the wrong player may take it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Annotated

from msgspec import Meta, Struct

from companion.core.contract import Drawn
from companion.core.foundation.errors import BadNotation
from companion.core.pieces import Pyramid, Rock
from companion.games.ice_stalks.growth import KIND, KINDS, RAINBOW, ROCKS, SIZES, Kind, Stalk, name, pieces_of
from companion.games.ice_stalks.options import MOST_PLAYERS

Player = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]


class PlacePiece(Struct, frozen=True, tag="place", cache_hash=True):
    """A player puts a piece on top of a stalk, or alone on the table as a base (ICE-5).

    The move names the stalk by its pieces, bottom to top: stalks have no fixed places, and equal stalks are one choice.
    """

    seat: Player
    piece: Pyramid
    on: Annotated[tuple[Pyramid, ...], Meta(max_length=40)] = ()


class Take(Struct, frozen=True, tag="take", cache_hash=True):
    """A player takes the completed stalk (ICE-16)."""

    seat: Player


class Pass(Struct, frozen=True, tag="pass", cache_hash=True):
    """A player lays the rock aside without placing a piece.

    Legal play never needs it (ICE-22). If agreed placements have used up the pieces of a color, it keeps the game
    going.
    """

    seat: Player


Move = PlacePiece | Take | Pass
IceStalksEvent = Move | Drawn


@lru_cache(maxsize=1 << 12)
def place(seat: int, kind: Kind, stalk: Stalk) -> PlacePiece:
    """Returns the placement of a piece on a stalk; an empty text is the table."""
    return PlacePiece(seat, KINDS[kind], pieces_of(stalk))


TAKES = tuple(Take(seat) for seat in range(MOST_PLAYERS))
"""The take of each seat."""
PASSES = tuple(Pass(seat) for seat in range(MOST_PLAYERS))
"""The pass of each seat."""


# Writes and reads events as one line of text that means the same in every position.
#
# A piece is written color first: "red small". A stalk is named by its pieces, bottom to top. Players are counted
# from 1.

_PIECE = rf"(?:{'|'.join(RAINBOW)}) (?:{'|'.join(SIZES)})"
_LINE = re.compile(r"player ([1-9]) (.+)")
_DRAWS = re.compile(rf"draws (?:(?P<rock>{'|'.join(RAINBOW)})|an unseen) rock")
_PLACES = re.compile(rf"places (?P<piece>{_PIECE}) on (?:the table|(?P<on>{_PIECE}(?:, {_PIECE})*))")
_TAKES = "takes the stalk"
_PASSES = "places nothing"


def text(event: IceStalksEvent) -> str:
    """Returns the event as a line: "player 1 places green medium on red large, orange large"."""
    who = f"player {event.seat + 1}"
    match event:
        case Drawn():
            rock = event.pieces[0] if event.pieces else None
            return f"{who} draws {rock.color if isinstance(rock, Rock) else 'an unseen'} rock"
        case Take():
            return f"{who} {_TAKES}"
        case Pass():
            return f"{who} {_PASSES}"
    stalk = ", ".join(name(piece) for piece in event.on) or "the table"
    return f"{who} places {name(event.piece)} on {stalk}"


def parse(line: str) -> IceStalksEvent:
    """Returns the event that a line names, legal or not.

    Raises:
        BadNotation: No event of Ice Stalks reads so.
    """
    whole = _LINE.fullmatch(" ".join(line.lower().split()))
    if whole is not None and int(whole[1]) <= MOST_PLAYERS:
        seat = int(whole[1]) - 1
        if whole[2] == _TAKES:
            return Take(seat)
        if whole[2] == _PASSES:
            return Pass(seat)
        if drawn := _DRAWS.fullmatch(whole[2]):
            return Drawn(seat, (ROCKS[drawn["rock"]] if drawn["rock"] else None,))
        if placed := _PLACES.fullmatch(whole[2]):
            on = tuple(piece(one) for one in placed["on"].split(", ")) if placed["on"] else ()
            return PlacePiece(seat, piece(placed["piece"]), on)
    raise BadNotation(
        f'"{line}" is no event of Ice Stalks. Write "player 1 draws red rock", '
        '"player 1 places red large on the table", '
        '"player 1 places red medium on red large" or "player 1 takes the stalk".'
    )


def piece(words: str) -> Pyramid:
    """Returns the piece that two words name, in either order: "red small" or "small red".

    Raises:
        BadNotation: The set has no such piece.
    """
    names = words.lower().split()
    for color, size in (names, names[::-1]) if len(names) == 2 else ():
        found = Pyramid(color, size)
        if found in KIND:
            return found
    raise BadNotation(f'"{words}" is no piece of Ice Stalks. Write a color and a size, such as "red small".')

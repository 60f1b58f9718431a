"""Positions and events of Ice Stalks in short, for the tests.

"R3" is red large, "C2" cyan medium, "P1" purple small; "B3C2" is a blue large with a cyan medium on top, and "" the
table.
"""

from __future__ import annotations

from typing import Any

from companion.core.contract import Drawn
from companion.games.ice_stalks.game import ICE_STALKS
from companion.games.ice_stalks.growth import RAINBOW, ROCKS, pieces_of
from companion.games.ice_stalks.moves import PlacePiece
from companion.games.ice_stalks.options import Options
from companion.games.ice_stalks.state import IceStalksState

_LETTERS = {color[0].upper(): color for color in RAINBOW}


def words(stalk: str) -> list[str]:
    return [f"{piece.color} {piece.size}" for piece in pieces_of(stalk)]


def table(
    *stalks: str,
    hand: str | None = None,
    rocks: dict[str, int] | None = None,
    taken: tuple[str, ...] = ("", ""),
    turn: int = 0,
    **options: Any,
) -> IceStalksState:
    """A position: growing stalks, the rock in the hand, rocks in the bag where they differ from 4 of each color."""
    left = dict.fromkeys(RAINBOW, 4) | {_LETTERS[letter]: count for letter, count in (rocks or {}).items()}
    given = {
        "stalks": [words(stalk) for stalk in stalks],
        "taken": [[words(stalk) for stalk in pile.split()] for pile in taken],
        "rocks": left,
        "hand": None if hand is None else _LETTERS[hand],
        "turn": turn,
    }
    return ICE_STALKS.from_record(len(taken), Options(**options), given)


def put(short: str, on: str = "", seat: int = 0) -> PlacePiece:
    return PlacePiece(seat, pieces_of(short)[0], pieces_of(on))


def draw(letter: str, seat: int = 0) -> Drawn:
    return Drawn(seat, (ROCKS[_LETTERS[letter]],))

"""Positions as data: the forms of a record's `position`, and a form in which any position reads back the same.

People write a position in the words of their game (docs/records.md), which leave out derived values. A program writes
the state itself, under one key, so that no detail is lost in any game and at any point of a turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from companion.core.foundation.errors import BadRecord
from companion.core.game import Game

STATE = "state"
"""The key under which a position holds a whole state."""


def written(state: Any) -> dict[str, Any]:
    """The position as plain JSON data that `read` understands: `{"state": {...}}`."""
    return {STATE: msgspec.to_builtins(state)}


def read(game: Game[Any], seats: int, options: Struct, position: Mapping[str, Any]) -> Any:
    """The position that a record describes, in the words of the game or as a whole state.

    Raises:
        BadRecord: It contradicts itself, or was written with other players or options.
        BadOptions: The number of seats or an option is out of its bounds.
    """
    if STATE not in position:
        return game.from_record(seats, options, position)
    if len(position) > 1:
        raise BadRecord("A position that holds a whole state needs nothing else. Leave the other keys out.")
    state = game.load(msgspec.json.encode(position[STATE]))
    if state.seats != seats:
        raise BadRecord(f"The state has {state.seats} players, and the record {seats}. Name as many players.")
    kept = msgspec.to_builtins(state).get("options")
    if kept is not None and kept != msgspec.to_builtins(options):
        raise BadRecord("The state was written with other options than the record's. Give the record the same options.")
    return state

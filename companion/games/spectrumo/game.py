"""Spectrumo as the command line, the page and the journal meet it."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.errors import BadOptions
from companion.game import Game
from companion.games import deck_events
from companion.games.spectrumo import notation, position
from companion.games.spectrumo.moves import SpectrumoEvent
from companion.games.spectrumo.options import Options as SpectrumoOptions
from companion.games.spectrumo.state import SpectrumoState


def _fit(seats: int, options: SpectrumoOptions) -> None:
    if options.first > seats:
        raise BadOptions(f"Player {options.first} cannot start: {seats} play. Choose 1 to {seats} (UMO-1).")


def _words_of(state: SpectrumoState, event: SpectrumoEvent) -> dict[str, Any] | None:
    """The event as a recording would name it: its own fields."""
    found: dict[str, Any] = msgspec.to_builtins(event)
    return {"player": found.pop("seat"), **found}


SPECTRUMO = Game(
    name="spectrumo",
    title="Spectrumo",
    rules=2,
    seats=range(2, 9),
    seats_rule="UMO-1",
    Options=SpectrumoOptions,
    state_type=SpectrumoState,
    event_type=SpectrumoEvent,
    begin=position.start,
    read=position.read,
    fit=_fit,
    check=position.check,
    text=notation.text_of,
    parse=lambda state, text: notation.read(text),
    words=_words_of,
    plain=deck_events.plain,
    # No game that anybody plays is longer than this many events.
)
"""The one game object."""

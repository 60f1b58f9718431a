"""Spectrump as the command line, the page and the journal meet it."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.errors import BadNotation, BadOptions
from companion.game import Game
from companion.games import deck_events
from companion.games.spectrump import notation, position
from companion.games.spectrump.moves import Bid, SpectrumpEvent
from companion.games.spectrump.options import Options as SpectrumpOptions
from companion.games.spectrump.shape import SHAPES
from companion.games.spectrump.situation import COLOR_NUMBER
from companion.games.spectrump.state import SpectrumpState


def _fit(seats: int, options: SpectrumpOptions) -> None:
    if seats not in SHAPES[options.deck]:
        raise BadOptions(f"Spectrump is for 2, 4, 6 or 8 players, not {seats} (UMP-1).")
    if options.partners and seats == 2:
        raise BadOptions("Partners need four players or more (UMP-2). Leave partners off.")


def _checked(event: SpectrumpEvent) -> SpectrumpEvent:
    if isinstance(event, Bid) and event.color not in COLOR_NUMBER:
        raise BadNotation(f'"{event.color}" is no color of the wheel.')
    return event


def _words_of(state: SpectrumpState, event: SpectrumpEvent) -> dict[str, Any] | None:
    """The event as a recording would name it: its own fields."""
    found: dict[str, Any] = msgspec.to_builtins(event)
    return {"player": found.pop("seat"), **found}


SPECTRUMP = Game(
    name="spectrump",
    title="Spectrump",
    rules=1,
    seats=range(2, 9, 2),
    seats_rule="UMP-1",
    Options=SpectrumpOptions,
    state_type=SpectrumpState,
    event_type=SpectrumpEvent,
    begin=position.start,
    read=position.read,
    fit=_fit,
    check=position.check,
    text=notation.text_of,
    parse=lambda state, text: notation.read(text),
    words=_words_of,
    plain=deck_events.plain,
    canonical=_checked,
    # No match that anybody plays is longer than this many events.
)
"""The one game object."""

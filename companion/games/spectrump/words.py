"""Events of Spectrump in the words of a recording: what `companion watch` prints."""

from __future__ import annotations

from typing import Any

from companion.core.contract import Drawn, Event, Shown
from companion.games.shared.cards.words import card_words
from companion.games.spectrump.state import SpectrumpState


def words(state: SpectrumpState, event: Event) -> dict[str, Any] | None:
    """The event as a recording names it; None for cards that are dealt or shown."""
    if isinstance(event, Drawn | Shown):
        return None
    return {"type": type(event).__name__.lower(), **card_words(event)}

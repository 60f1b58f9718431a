"""Events of Spectrumo in the words of a recording: what `companion watch` prints."""

from __future__ import annotations

from typing import Any

from companion.core.contract import Event
from companion.games.shared.cards.words import card_word, card_words
from companion.games.spectrumo.moves import Draw, Give, Pass, Penalty, Play, Trade
from companion.games.spectrumo.state import PENALTY, SpectrumoState


def words(state: SpectrumoState, event: Event) -> dict[str, Any] | None:
    """The event as a recording names it; None for cards that are drawn, which belong to the event before.

    Args:
        state: The position before the event.
    """
    match event:
        case Play() | Give() | Pass() | Trade():
            return {"type": type(event).__name__.lower(), **card_words(event)}
        case Draw():
            return {"player": event.seat, "type": "draw", "drew": min(1, state.available)}
        case Penalty():
            found = {"player": event.seat, "type": "penalty", "drew": min(PENALTY, state.available)}
            return found if event.card is None else {**found, "card": card_word(event.card)}
    return None

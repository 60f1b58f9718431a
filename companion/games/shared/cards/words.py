"""Events of card games in the words of a recording: cards as notation writes them."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.contract import Event
from companion.core.pieces import Card, Special
from companion.games.shared.cards.deck import CODES, NUMBER, UNKNOWN_CODE


def card_word(card: Card | Special | None) -> str:
    """A card's code; "??" for an unknown one.

    >>> card_word(Card("red-orange", 12))
    'RO12'
    """
    return UNKNOWN_CODE if card is None else CODES[NUMBER[card]]


def card_words(event: Event) -> dict[str, Any]:
    """An event by its own fields, its seat as "player", its cards by their codes."""
    fields: dict[str, Any] = msgspec.to_builtins(event)
    words: dict[str, Any] = {"player": fields.pop("seat", 0), **fields}
    for name in fields:
        value = getattr(event, name, None)
        if isinstance(value, Card | Special):
            words[name] = card_word(value)
        elif isinstance(value, tuple) and value and all(isinstance(one, Card | Special) for one in value):
            words[name] = [card_word(one) for one in value]
    return words

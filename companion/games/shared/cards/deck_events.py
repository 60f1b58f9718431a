"""Writes and reads drawn and shown cards, which all card games write alike: `player 1 draws R7, ??`.

A draw names the cards that came to a hand or were turned up, None for a card that the referee has not seen. `shows`
names cards of a hand that became known. Short forms in JSON ("R7" for a card object) are written out here as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import fields

from companion.core.contract import Drawn, Event, Shown
from companion.core.foundation.errors import BadEvent, BadNotation
from companion.core.pieces import Card, Piece, Special
from companion.games.shared.cards.deck import CODES, NUMBER, PIECES, UNKNOWN_CODE, number_of, numbers_of


def card_word(card: Card | Special | None) -> str:
    """Returns a card's code; "??" for an unknown one.

    >>> card_word(Card("red-orange", 12))
    'RO12'
    """
    return UNKNOWN_CODE if card is None else CODES[NUMBER[card]]


def card_words(event: Event) -> dict[str, Any]:
    """Returns the fields of an event, with its seat as "player" and its cards as codes."""
    fields: dict[str, Any] = msgspec.to_builtins(event)
    words: dict[str, Any] = {"player": fields.pop("seat", 0), **fields}
    for name in fields:
        value = getattr(event, name, None)
        if isinstance(value, Card | Special):
            words[name] = card_word(value)
        elif isinstance(value, tuple) and value and all(isinstance(one, Card | Special) for one in value):
            words[name] = [card_word(one) for one in value]
    return words


DeckPiece = Card | Special
"""A card of the deck as events name it."""

MOST_SEATS = 8
"""The largest number of players of any card game with the deck."""
SINGLE: tuple[tuple[Drawn, ...], ...] = tuple(
    tuple(Drawn(seat, (piece,)) for piece in PIECES) for seat in range(MOST_SEATS)
)
"""The draws of one card by seat and card number. They are shared objects, so that chances can be listed quickly."""

_TOLD = re.compile(r"PLAYER (?P<player>\d+) (?P<verb>DRAWS|SHOWS) (?P<cards>.+)")
_PIECE_FIELDS = ("card", "one", "other")
_LIST_FIELDS = ("pieces", "cards", "taken")


def code_of(piece: Piece | None) -> str:
    """Returns the code of a card in notation, "??" for None.

    Raises:
        BadEvent: The deck has no such card.
    """
    if piece is None:
        return UNKNOWN_CODE
    number = NUMBER.get(piece)
    if number is None:
        raise BadEvent(f"{piece} is no card of the deck.")
    return CODES[number]


def text_of(event: Drawn | Shown) -> str:
    """Returns the line for drawn or shown cards.

    Raises:
        BadEvent: One of them is no card of the deck.
    """
    verb = "draws" if isinstance(event, Drawn) else "shows"
    return f"player {event.seat + 1} {verb} {', '.join(map(code_of, event.pieces))}"


def read(line: str) -> Drawn | Shown | None:
    """Returns the drawn or shown cards that a line names; None for any other line.

    Raises:
        BadNotation: It names a card that the deck does not have.
    """
    found = _TOLD.fullmatch(" ".join(line.upper().split()))
    if found is None:
        return None
    seat = int(found["player"]) - 1
    pieces = pieces_in(found["cards"])
    if found["verb"] == "DRAWS":
        return Drawn(seat, pieces)
    if None in pieces:
        raise BadNotation(f'"{line}" shows a card that is not named. Name every shown card.')
    return Shown(seat, tuple(piece for piece in pieces if piece is not None))


def pieces_in(text: str) -> tuple[DeckPiece | None, ...]:
    """Returns the cards that a part of a line names, separated by commas; None for "??".

    Raises:
        BadNotation: One of them is no card of the deck.
    """
    return tuple(None if number is None else PIECES[number] for number in numbers_of(text))


def cards_in(text: str) -> tuple[Card | None, ...]:
    """Returns the number cards that a part of a line names, separated by commas or spaces; None for "??".

    Raises:
        BadNotation: One of them is no card of the deck, or a special.
    """
    pieces = pieces_in(" ".join(text.replace(",", " ").split()))
    return tuple([None if piece is None else _number_card(piece, text) for piece in pieces])


def named_cards(text: str) -> tuple[Card, ...]:
    """Returns the cards that a part of a line names; there must be at least one, and all must be named.

    Raises:
        BadNotation: No card or one of them is not named, too.
    """
    cards = cards_in(text)
    if not cards or None in cards:
        raise BadNotation(f'"{text}" names no number card; a card that is played is named.')
    return tuple(card for card in cards if card is not None)


def named_card(text: str) -> Card:
    """Returns the only number card that a part of a line names.

    Raises:
        BadNotation: It is no number card.
    """
    return _number_card(PIECES[number_of(text)], text)


def _number_card(piece: Piece, text: str) -> Card:
    if not isinstance(piece, Card):
        raise BadNotation(f'"{text}" names a card that is no number card (DEK-4).')
    return piece


def words(state: Any, event: Event) -> dict[str, Any] | None:
    """Returns a move in the words of a recording: its player, and its fields with cards by their codes; None for drawn
    and shown cards.

    Args:
        state: The position before the event; it is not used.
    """
    if isinstance(event, Drawn | Shown):
        return None
    kind = type(event)
    said: dict[str, Any] = {"player": event.seat, "type": kind.__struct_config__.tag}
    for field in fields(kind):
        value = getattr(event, field.name)
        if field.name == "seat" or value == field.default:
            continue
        if isinstance(value, tuple):
            said[field.name] = [code_of(card) for card in value]
        else:
            said[field.name] = code_of(value) if isinstance(value, Card) else value
    return said


def plain(data: Any) -> Any:
    """Returns event data with every card written as an object; "??" becomes null.

    Raises:
        BadNotation: It names a card that the deck does not have.
    """
    if not isinstance(data, Mapping):
        return data
    full = {key: _plain_piece(value) if key in _PIECE_FIELDS else value for key, value in data.items()}
    if isinstance(full.get("pieces"), str):
        full["pieces"] = [UNKNOWN_CODE if number is None else CODES[number] for number in numbers_of(full["pieces"])]
    for key in _LIST_FIELDS:
        if isinstance(full.get(key), list | tuple):
            full[key] = [_plain_piece(value) for value in full[key]]
    return full


def _plain_piece(data: Any) -> Any:
    if data == UNKNOWN_CODE:
        return None
    if isinstance(data, str):
        return msgspec.to_builtins(PIECES[number_of(data)])
    if isinstance(data, Mapping) and "type" not in data:
        return {"type": "special" if "kind" in data else "card", **data}
    return data

"""One line for each event, the same in every position, and back.

`player 1 bids blue 4`, `player 1 passes`, `player 1 swaps R7 for B3`, `player 1 is ready`, `player 1 plays R7`, and for
cards that are told `player 1 draws R7, ??` and `player 1 shows R7`. Capitals do not matter.
"""

from __future__ import annotations

import re

from companion.contract import Drawn, Shown
from companion.errors import BadNotation
from companion.games import deck_events
from companion.games.deck import NUMBER_CARDS, color_of, number_of
from companion.games.deck_events import MOST_SEATS, code_of
from companion.games.spectrump.moves import (
    BIDS,
    CARDS,
    MOST_BID,
    PASSES,
    PLAYS,
    READIES,
    Bid,
    Pass,
    Play,
    Ready,
    SpectrumpEvent,
    Swap,
)
from companion.pieces import Card

_LINE = re.compile(r"PLAYER (?P<player>\d+) (?P<verb>BIDS|PASSES|SWAPS|IS READY|PLAYS)(?: (?P<rest>.+))?")
_BID = re.compile(r"(?P<color>[A-Z-]+?) ?(?P<number>\d{1,2})")
_FORMS = "Write: player 1 bids blue 4, player 1 passes, player 1 plays R7, or player 1 draws R7, ??."


def text_of(event: SpectrumpEvent) -> str:
    """The line for an event.

    :raises BadEvent: it names a card that the deck does not have.
    """
    match event:
        case Drawn() | Shown():
            return deck_events.text_of(event)
        case Bid():
            return f"player {event.seat + 1} bids {event.color} {event.number}"
        case Pass():
            return f"player {event.seat + 1} passes"
        case Swap():
            return f"player {event.seat + 1} swaps {code_of(event.one)} for {code_of(event.other)}"
        case Ready():
            return f"player {event.seat + 1} is ready"
        case Play():
            return f"player {event.seat + 1} plays {code_of(event.card)}"


def _card(text: str) -> Card:
    number = number_of(text)
    if number >= NUMBER_CARDS:
        raise BadNotation(f'"{text}" is a special. Spectrump is played with number cards alone (DEK-4).')
    return CARDS[number]


def read(text: str) -> SpectrumpEvent:
    """The event that a line names, legal or not.

    :raises BadNotation: no event reads so.
    """
    told = deck_events.read(text)
    if told is not None:
        return told
    found = _LINE.fullmatch(" ".join(text.upper().split()))
    unreadable = BadNotation(f'"{text}" is no event of Spectrump. {_FORMS}')
    if found is None:
        raise unreadable
    seat, rest = int(found["player"]) - 1, found["rest"]
    if not 0 <= seat < MOST_SEATS:
        raise BadNotation(f'"{text}" names player {seat + 1}; there are players 1 to {MOST_SEATS}.')
    match found["verb"], rest:
        case "PASSES", None:
            return PASSES[seat]
        case "IS READY", None:
            return READIES[seat]
        case "PLAYS", str():
            return PLAYS[seat][CARDS.index(_card(rest))]
        case "BIDS", str():
            bid = _BID.fullmatch(rest)
            if bid is not None and 1 <= int(bid["number"]) <= MOST_BID:
                return BIDS[seat][color_of(bid["color"])][int(bid["number"])]
        case "SWAPS", str():
            one, between, other = rest.partition(" FOR ")
            if between:
                return Swap(seat, _card(one), _card(other))
    raise unreadable

"""One line for each event, the same in every position, and back.

`player 1 bids blue 4`, `player 1 passes`, `player 1 swaps R7 for B3`, `player 1 is ready`, `player 1 plays R7`, and for
drawn and shown cards `player 1 draws R7, ??` and `player 1 shows R7`. Capitals do not matter.
"""

from __future__ import annotations

import re

from companion.core.contract import Drawn, Seat, Shown
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.deck import NUMBER, color_of
from companion.games.shared.cards.deck_events import MOST_SEATS, code_of, named_card
from companion.games.shared.forms.player_lines import PlayerLines
from companion.games.spectrump.moves import (
    BIDS,
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


def _bid(seat: Seat, found: re.Match[str]) -> Bid | None:
    number = int(found[2])
    return BIDS[seat][color_of(found[1])][number] if 1 <= number <= MOST_BID else None


_LINES: PlayerLines[SpectrumpEvent] = PlayerLines(
    "Spectrump",
    MOST_SEATS,
    {
        r"bids ([a-z-]+?) ?(\d{1,2})": _bid,
        "passes": lambda seat, found: PASSES[seat],
        "swaps (.+) for (.+)": lambda seat, found: Swap(seat, named_card(found[1]), named_card(found[2])),
        "is ready": lambda seat, found: READIES[seat],
        "plays (.+)": lambda seat, found: PLAYS[seat][NUMBER[named_card(found[1])]],
    },
    "Write: player 1 bids blue 4, player 1 passes, player 1 plays R7, or player 1 draws R7, ??.",
    deck_events.read,
)

parse, read = _LINES.parse, _LINES.read

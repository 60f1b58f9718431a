"""The moves in Spectrump: bid or pass, exchange between one's own sets, play a card (UMP-2, UMP-3, UMP-10).

Every move names its seat, so that a card out of turn can be entered. Each move is one shared object, so comparing moves
is cheap.
"""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Meta, Struct

from companion.core.contract import Drawn, Seat, Shown
from companion.core.pieces import WHEEL, Card
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.deck import CARDS, COLORS, NUMBER, color_of
from companion.games.shared.cards.deck_events import MOST_SEATS, code_of, named_card
from companion.games.shared.forms.player_lines import PlayerLines

SeatNumber = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
MOST_BID = 12
"""The highest number of a bid: a player cannot hold more cards of one color."""


class _PlayerMove(Struct, frozen=True, cache_hash=True):
    seat: SeatNumber
    """The player who acts."""


class Bid(_PlayerMove, frozen=True, tag="bid"):
    """A bid: the trump color, and the least number of its cards that the bidder will play (UMP-3)."""

    color: str
    number: Annotated[int, Meta(ge=1, le=MOST_BID)]


class Pass(_PlayerMove, frozen=True, tag="pass"):
    """The seat does not bid any more (UMP-3)."""


class Swap(_PlayerMove, frozen=True, tag="swap"):
    """A player exchanges card `one` of the own first set with `other` of the second (UMP-2, `hand_loading`)."""

    one: Card
    other: Card


class Ready(_PlayerMove, frozen=True, tag="ready"):
    """A player ends the exchanges between the own sets."""


class Play(_PlayerMove, frozen=True, tag="play"):
    """A player plays a card to the trick."""

    card: Card


Move = Bid | Pass | Swap | Ready | Play
SpectrumpEvent = Move | Drawn | Shown

PLAYS: tuple[tuple[Play, ...], ...] = tuple(tuple(Play(seat, card) for card in CARDS) for seat in range(MOST_SEATS))
"""The plays by seat and card number."""
BIDS: tuple[tuple[tuple[Bid, ...], ...], ...] = tuple(
    tuple(tuple(Bid(seat, WHEEL[color], number) for number in range(MOST_BID + 1)) for color in range(COLORS))
    for seat in range(MOST_SEATS)
)
"""The bids by seat, color and number; 0 is not a bid."""
PASSES: tuple[Pass, ...] = tuple(Pass(seat) for seat in range(MOST_SEATS))
READIES: tuple[Ready, ...] = tuple(Ready(seat) for seat in range(MOST_SEATS))


def order_of(color: int, number: int) -> int:
    """Returns the height of a bid: the number decides first, then a primary is above a secondary (UMP-3)."""
    return 2 * number + (0 if color % 2 else 1)


# Writes and reads events as one line of text that means the same in every position.
#
# `player 1 bids blue 4`, `player 1 passes`, `player 1 swaps R7 for B3`, `player 1 is ready`, `player 1 plays R7`,
# and for drawn and shown cards `player 1 draws R7, ??` and `player 1 shows R7`. Capitals do not matter.


def text_of(event: SpectrumpEvent) -> str:
    """Returns the line for an event.

    Raises:
        BadEvent: It names a card that the deck does not have.
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

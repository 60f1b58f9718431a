"""The events of Spectrumo: a card is played, one must be drawn, cards are traded, a slip costs two (UMO-2 to UMO-9).

Every move names its seat, so that a card out of turn can be entered. Plays exist once, so that comparing them is cheap.
"""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Meta, Struct

from companion.core.contract import Drawn, Seat, Shown
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.deck import NUMBER_CARDS, PIECES, SPECIAL_KINDS, UNKNOWN_CODE, number_of
from companion.games.shared.cards.deck_events import MOST_SEATS, DeckPiece, code_of
from companion.games.shared.forms.player_lines import PlayerLines

SeatNumber = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]


class _PlayerMove(Struct, frozen=True, cache_hash=True):
    seat: SeatNumber
    """The player who acts."""


class Play(_PlayerMove, frozen=True, tag="play"):
    """A card goes on the table card."""

    card: DeckPiece


class Draw(_PlayerMove, frozen=True, tag="draw"):
    """The seat has no playable card and takes one from the draw deck; the next event names it (UMO-4)."""


class Pass(_PlayerMove, frozen=True, tag="pass"):
    """The seat has no playable card, and the decks are empty (UMO-15)."""


class Give(_PlayerMove, frozen=True, tag="give"):
    """A card for the trade is laid aside for a player; None is an unseen card (UMO-9)."""

    to: SeatNumber
    card: DeckPiece | None


class Trade(_PlayerMove, frozen=True, tag="trade"):
    """All cards for the trade are laid aside; as many come from the other hand, drawn blind (UMO-9)."""


class Penalty(_PlayerMove, frozen=True, tag="penalty"):
    """An illegal play was taken back, the seat draws two, and its turn ends (UMO-5).

    It names the card, unless the referee has just refused it.
    """

    card: DeckPiece | None = None


Move = Play | Draw | Pass | Give | Trade | Penalty
SpectrumoEvent = Move | Drawn | Shown

PLAYS: tuple[tuple[Play, ...], ...] = tuple(tuple(Play(seat, piece) for piece in PIECES) for seat in range(MOST_SEATS))
"""By seat and number of the card."""
DRAWS: tuple[Draw, ...] = tuple(Draw(seat) for seat in range(MOST_SEATS))
PASSES: tuple[Pass, ...] = tuple(Pass(seat) for seat in range(MOST_SEATS))
PENALTIES: tuple[Penalty, ...] = tuple(Penalty(seat) for seat in range(MOST_SEATS))
TRADES: tuple[Trade, ...] = tuple(Trade(seat) for seat in range(MOST_SEATS))

SWAP_CARDS, DRAW_CARDS, REVERSE_DRAW, DECK_SWAP, PASS_RIGHT, PASS_LEFT = (
    NUMBER_CARDS + SPECIAL_KINDS.index(kind)
    for kind in ("swap cards", "draw", "reverse draw", "deck swap", "pass hand right", "pass hand left")
)
"""Numbers of the six specials that go on anything (UMO-8); those below them are the color swaps."""


# One line for each event, the same in every position, and back.
#
# `player 1 plays R7`, `player 1 cannot play` (and draws one), `player 1 passes`, `player 1 gives R7 to player 2`,
# `player 1 trades`, `player 1 takes the penalty for R7`, and for drawn and shown cards `player 1 draws R7, ??` and
# `player 1 shows R7`. Capitals do not matter.


def text_of(event: SpectrumoEvent) -> str:
    """Returns the line for an event.

    Raises:
        BadEvent: It names a card that the deck does not have.
    """
    match event:
        case Drawn() | Shown():
            return deck_events.text_of(event)
        case Play():
            return f"player {event.seat + 1} plays {code_of(event.card)}"
        case Draw():
            return f"player {event.seat + 1} cannot play"
        case Pass():
            return f"player {event.seat + 1} passes"
        case Give():
            return f"player {event.seat + 1} gives {code_of(event.card)} to player {event.to + 1}"
        case Trade():
            return f"player {event.seat + 1} trades"
        case Penalty():
            what = "" if event.card is None else f" for {code_of(event.card)}"
            return f"player {event.seat + 1} takes the penalty{what}"


def _give(seat: Seat, found: re.Match[str]) -> Give | None:
    to = int(found[2]) - 1
    card = None if found[1] == UNKNOWN_CODE else PIECES[number_of(found[1])]
    return Give(seat, to, card) if 0 <= to < MOST_SEATS else None


_LINES: PlayerLines[SpectrumoEvent] = PlayerLines(
    "Spectrumo",
    MOST_SEATS,
    {
        "plays (.+)": lambda seat, found: PLAYS[seat][number_of(found[1])],
        "cannot play|draws": lambda seat, found: DRAWS[seat],
        "passes": lambda seat, found: PASSES[seat],
        r"gives (.+) to player (\d+)": _give,
        "trades": lambda seat, found: TRADES[seat],
        "takes the penalty": lambda seat, found: Penalty(seat),
        "takes the penalty for (.+)": lambda seat, found: Penalty(seat, PIECES[number_of(found[1])]),
    },
    "Write: player 1 plays R7, player 1 cannot play, player 1 gives R7 to player 2, or player 1 draws R7.",
    deck_events.read,
)

parse = _LINES.parse

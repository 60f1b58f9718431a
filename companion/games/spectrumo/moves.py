"""The events of Spectrumo: play a card, draw, trade cards, take the penalty of two cards (UMO-2 to UMO-9).

Every move names its seat, so that a card out of turn can be entered. Each play is one shared object, so comparing plays
is cheap.
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
    """A player lays a card on the table card."""

    card: DeckPiece


class Draw(_PlayerMove, frozen=True, tag="draw"):
    """A player has no playable card and draws one; the next event names it (UMO-4)."""


class Pass(_PlayerMove, frozen=True, tag="pass"):
    """The seat has no playable card, and the decks are empty (UMO-15)."""


class Give(_PlayerMove, frozen=True, tag="give"):
    """A player lays a card for the trade aside for another player; None stands for an unseen card (UMO-9)."""

    to: SeatNumber
    card: DeckPiece | None


class Trade(_PlayerMove, frozen=True, tag="trade"):
    """All cards for the trade are laid aside, and the player draws as many blindly from the other hand (UMO-9)."""


class Penalty(_PlayerMove, frozen=True, tag="penalty"):
    """A player takes an illegal play back, must draw two cards, and ends the turn (UMO-5).

    It names the card, unless the referee has just refused it.
    """

    card: DeckPiece | None = None


Move = Play | Draw | Pass | Give | Trade | Penalty
SpectrumoEvent = Move | Drawn | Shown

PLAYS: tuple[tuple[Play, ...], ...] = tuple(tuple(Play(seat, piece) for piece in PIECES) for seat in range(MOST_SEATS))
"""The plays by seat and card number."""
DRAWS: tuple[Draw, ...] = tuple(Draw(seat) for seat in range(MOST_SEATS))
PASSES: tuple[Pass, ...] = tuple(Pass(seat) for seat in range(MOST_SEATS))
PENALTIES: tuple[Penalty, ...] = tuple(Penalty(seat) for seat in range(MOST_SEATS))
TRADES: tuple[Trade, ...] = tuple(Trade(seat) for seat in range(MOST_SEATS))

SWAP_CARDS, DRAW_CARDS, REVERSE_DRAW, DECK_SWAP, PASS_RIGHT, PASS_LEFT = (
    NUMBER_CARDS + SPECIAL_KINDS.index(kind)
    for kind in ("swap cards", "draw", "reverse draw", "deck swap", "pass hand right", "pass hand left")
)
"""The numbers of the six specials that fit on anything (UMO-8); lower numbers of specials are the color swaps."""


# Writes and reads events as one line of text that means the same in every position.
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

"""The events of Spectrumo: a card is played, one must be drawn, cards are traded, a slip costs two (UMO-2 to UMO-9).

Every move names its seat, so that a card out of turn can be entered. Plays exist once, so that comparing them is cheap.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from companion.core.contract import Drawn, Shown
from companion.games.shared.cards.deck import NUMBER_CARDS, PIECES, SPECIAL_KINDS
from companion.games.shared.cards.deck_events import MOST_SEATS, DeckPiece

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

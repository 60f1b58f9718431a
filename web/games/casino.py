"""How Casino looks on the page.

Places: "board", and "seat0.won" for what a player has won.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.contract import Event, seats_to_move
from companion.core.layout import Spot
from companion.core.pieces import WHEEL
from companion.games.casino.game import CASINO
from companion.games.casino.moves import Put, Take
from companion.games.casino.scoring import OF_COLOR, OF_SHADES, TWELVES
from companion.games.shared.cards.deck import CODES, NUMBER, SHADES
from web.boards.parts.card_presenter import CardPresenter, cards_of
from web.scene.boards.card_table import CardPlace


class CasinoPresenter(CardPresenter):
    """The board by rank, and what everybody has won."""

    game = CASINO
    example = (
        "player 1 takes B2, Y7 with R9; player 1 takes Y9, G9 with R7 on B2; player 1 puts R9; player 1 draws R7, ??"
    )

    def bands(self, state: Any, names: Sequence[str]) -> list[list[CardPlace]]:
        """The board, then the won cards by seat, counted as they score."""
        due = state.expects()
        movers = seats_to_move(due)
        board = CardPlace(
            "board", f"Board{_chosen(state)}", cards_of(state.board), note=_deal(state), empty="no card lies here"
        )
        return [[board], *([_player(state, seat, names[seat], seat in movers)] for seat in range(state.seats))]

    def trace(self, event: Event) -> Spot | None:
        """The spot of a card that was put on the board, or the won cards of the player who took."""
        if isinstance(event, Put):
            return f"board.{CODES[NUMBER[event.card]]}"
        return f"seat{event.seat}.won" if isinstance(event, Take) else None


def _chosen(state: Any) -> str:
    if state.chosen is None:
        return ""
    one, other = (WHEEL[color] for color in SHADES[state.chosen])
    return f": {WHEEL[state.chosen]} counts 2, {one} and {other} 1"


def _deal(state: Any) -> str:
    return f"deal {state.deal} of 11"


def _player(state: Any, seat: int, name: str, to_move: bool) -> CardPlace:
    """A player's hand and won cards; won cards lie face down."""
    won = state.won[seat]
    parts = [f"holds {state.hands.size(seat)}", f"won {won.bit_count()}"]
    if state.chosen is not None:
        worth = 2 * (won & OF_COLOR[state.chosen]).bit_count() + (won & OF_SHADES[state.chosen]).bit_count()
        parts.append(f"{worth} {'point' if worth == 1 else 'points'}")
        twelves = (won & TWELVES).bit_count()
        parts.append(f"{twelves} {'twelve' if twelves == 1 else 'twelves'}")
    return CardPlace(f"seat{seat}.won", name, note=", ".join(parts), form="line", strong=to_move)

"""How Casino looks on the page.

Places: "board", "pile" (what is left of the board pile), "seat0.won".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.contract import Event, ToMove
from companion.games.casino import CASINO
from companion.games.casino.moves import Put, Take
from companion.games.casino.scoring import OF_COLOR, OF_SHADES, TWELVES
from companion.games.deck import CODES, NUMBER, RANK, SHADES
from companion.layout import Spot
from companion.pieces import WHEEL
from web.boards.card_presenter import CardPresenter, cards_of
from web.scene.card_table import Place


class CasinoPresenter(CardPresenter):
    """The board by rank, and what everybody has won."""

    game = CASINO
    example = (
        "player 1 takes B2, Y7 with R9; player 1 takes Y9, G9 with R7 on B2; player 1 puts R9; player 1 draws R7, ??"
    )

    def bands(self, state: Any, names: Sequence[str]) -> list[list[Place]]:
        """The board, then by seat what is won, counted as it scores."""
        due = state.expects()
        movers = due.seats if isinstance(due, ToMove) else ()
        board = Place(
            "board", f"Board{_chosen(state)}", cards_of(state.board), note=_deal(state), empty="no card lies here"
        )
        won = [_won(state, seat, names[seat], seat in movers) for seat in range(state.seats)]
        pairs = [won[at : at + 2] for at in range(0, len(won), 2)]
        return [[board], *pairs]

    def trace(self, event: Event) -> Spot | None:
        """A card that was put on the board; what was won by whoever took."""
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


def _won(state: Any, seat: int, name: str, to_move: bool) -> Place:
    won = state.won[seat]
    cards = sorted((card for card in range(len(CODES)) if won >> card & 1), key=lambda card: RANK[card]) if won else []
    parts = [f"{len(cards)} cards"]
    if state.chosen is not None:
        worth = 2 * (won & OF_COLOR[state.chosen]).bit_count() + (won & OF_SHADES[state.chosen]).bit_count()
        parts.append(f"{worth} points")
        parts.append(f"{(won & TWELVES).bit_count()} twelves")
    holds = state.hands.size(seat)
    title = f"{name}, holds {holds}" if holds else name
    return Place(
        f"seat{seat}.won",
        title,
        cards_of(cards[-1:]),
        form="pile",
        count=len(cards),
        note=", ".join(parts),
        span=6,
        strong=to_move,
        empty="has won nothing yet",
    )

"""How Poker looks on the page.

Places: "shared" for open cards that count with every hand, "seat0.hand".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.contract import Drawn, Event
from companion.games.poker import POKER
from companion.games.poker.moves import Exchange, TurnUp
from companion.games.poker.scoring import describe
from companion.layout import Spot
from web.boards.card_presenter import CardPresenter, cards_of
from web.scene.card_table import Place


class PokerPresenter(CardPresenter):
    """Open cards, and every hand: face down until it is turned up."""

    game = POKER
    example = "player 1 exchanges R3, ??; player 1 turns up full house; player 1 folds; player 1 draws R7, ??"

    def bands(self, state: Any, names: Sequence[str]) -> list[list[Place]]:
        """What all share, then the players one below the other."""
        movers = getattr(state.expects(), "seats", ())
        top = []
        if state.options.shared:
            waiting = () if state.shared else (None,) * state.to_share
            cards = (*cards_of(state.shared), *waiting)
            top = [[Place("shared", "Shared", cards, note="counts with every hand", empty="not turned up")]]
        return [*top, *([_hand(state, seat, names[seat], seat in movers)] for seat in range(state.seats))]

    def trace(self, event: Event) -> Spot | None:
        """The hand that something was done with."""
        return f"seat{event.seat}.hand" if isinstance(event, TurnUp | Exchange | Drawn) else None

    def sentence(self, event: Event) -> str:
        """What a player did; hidden cards are counted."""
        if isinstance(event, Exchange) and event.cards and all(card is None for card in event.cards):
            return f"exchanges {'a card' if len(event.cards) == 1 else f'{len(event.cards)} cards'}"
        return super().sentence(event)


def _hand(state: Any, seat: int, name: str, to_move: bool) -> Place:
    spot = f"seat{seat}.hand"
    if not state.is_in(seat):
        return Place(spot, name, note="folded", form="line")
    if state.shown >> seat & 1:
        note = describe(state.strength(seat)).partition(":")[0] if state.is_known(seat) else "turned up"
        return Place(spot, name, cards_of((*state.hands.known[seat], *[None] * state.hands.hidden[seat])), note=note)
    backs = (None,) * state.hands.size(seat)
    given = state.given[seat].bit_count() + state.given_hidden[seat]
    note = f"has exchanged {given}" if given else ""
    return Place(spot, name, backs, note=note, size="small", strong=to_move, empty="no card yet")

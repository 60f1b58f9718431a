"""How Cribbage looks on the page.

Places: "starter", "crib", "count" (the cards of the running count), "seat0.played", "seat0.cut".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.contract import Event, ToDraw, seats_to_move
from companion.core.layout import Spot
from companion.games.cribbage.game import CRIBBAGE
from companion.games.cribbage.moves import Count, LayAway, Play
from companion.games.shared.cards.deck import CODES, NUMBER
from web.boards.parts.card_presenter import CardPresenter, cards_of
from web.scene.boards.card_table import CardPlace


class CribbagePresenter(CardPresenter):
    """The starter, the crib and the count above what everybody has played."""

    game = CRIBBAGE
    example = "player 1 lays away R3, B7, GB9; player 1 plays R9; player 1 says go; player 1 counts hand 14"

    def bands(self, state: Any, names: Sequence[str]) -> list[list[CardPlace]]:
        """The cut for the deal; then starter, crib, count, and the played cards by seat."""
        if state.cut:
            return [_cut(state, names)]
        due = state.expects()
        movers = seats_to_move(due)
        dealer = state.dealer
        starter = cards_of([] if state.starter is None else [state.starter])
        crib = _crib(state, names[dealer] if dealer is not None else "")
        top = [CardPlace("starter", "Starter", starter, span=2, empty="not turned up"), crib]
        if not state.is_played:
            count, note = cards_of(state.count), f"{state.total} of 37"
            top.append(CardPlace("count", "Count", count, note=note, span=6, size="small", empty="no card yet"))
        return [top, *([_played(state, seat, names, seat in movers)] for seat in range(state.seats))]

    def trace(self, event: Event) -> Spot | None:
        """A played card where it lies; cards laid away in the crib."""
        if isinstance(event, Play):
            return f"seat{event.seat}.played.{CODES[NUMBER[event.card]]}"
        if isinstance(event, LayAway):
            return "crib"
        return "crib" if isinstance(event, Count) and event.of == "crib" else None

    def sentence(self, event: Event) -> str:
        """The action of a player in the words of the notation; hidden cards are counted."""
        if isinstance(event, LayAway) and None in event.cards:
            known = [card for card in event.cards if card is not None]
            if not known:
                return f"lays away {len(event.cards)} cards"
        return super().sentence(event)


def _cut(state: Any, names: Sequence[str]) -> list[CardPlace]:
    due = state.expects()
    return [
        CardPlace(
            f"seat{seat}.cut",
            names[seat],
            cards_of([] if card < 0 else [card]),
            span=12 // state.seats,
            empty="has still to cut" if card == -1 else "does not deal",
            strong=isinstance(due, ToDraw) and due.seat == seat,
        )
        for seat, card in enumerate(state.cut)
    ]


def _crib(state: Any, dealer: str) -> CardPlace:
    hidden = sum(state.laid_hidden)
    open_ = not hidden and state.is_crib_up
    count = len(state.crib) + hidden
    title = f"Crib of {dealer}" if dealer else "Crib"
    if open_ and count:
        return CardPlace("crib", title, cards_of(state.crib), span=10)
    cards = (None,) if count else ()
    return CardPlace("crib", title, cards, form="pile", count=count, span=4)


def _played(state: Any, seat: int, names: Sequence[str], to_move: bool) -> CardPlace:
    holds = state.hands.size(seat)
    note = f"holds {holds}" if holds else ""
    if state.gone >> seat & 1:
        note = ", ".join(filter(None, (note, "said Go")))
    title = f"{names[seat]}{' (deals)' if seat == state.dealer else ''}"
    played = cards_of(state.played[seat])
    return CardPlace(f"seat{seat}.played", title, played, note=note, strong=to_move, empty="nothing played")

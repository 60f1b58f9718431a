"""Cards that lie face down in 500: what each seat may know."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.contract import Seat
from companion.games.five_hundred.state import FiveHundredState
from companion.games.shared.cards.dealt_hands import DealtHands


class FiveHundredCards(DealtHands[FiveHundredState]):
    """Stock and hands; cards taken from the discards are public."""

    def view(self, state: FiveHundredState, seat: Seat | None) -> FiveHundredState:
        """The position as a seat may know it: of other hands only the cards taken from the discards; all once the hand
        is over."""
        if state.is_ended:
            return state
        hands = state.hands.seen_by(seat, state.opened)
        return state if hands == state.hands else replace(state, hands=hands)

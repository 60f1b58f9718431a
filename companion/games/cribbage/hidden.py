"""Cards that lie face down in Cribbage: what each seat may know."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from companion.core.contract import Seat
from companion.games.cribbage.moves import LayAway
from companion.games.cribbage.state import CribbageState
from companion.games.shared.cards.dealt_hands import DealtHands
from companion.games.shared.cards.hands import changed
from companion.games.shared.search.bit_sets import mask_of


class CribbageCards(DealtHands[CribbageState]):
    """Deck, hands, and the crib until it is turned up."""

    face_down = LayAway

    def view(self, state: CribbageState, seat: Seat | None) -> CribbageState:
        """The position as a seat may know it: other hands and their laid-away cards are hidden until the crib is turned
        up.
        """
        hands, laid, laid_hidden = state.hands.seen_by(seat), state.laid, state.laid_hidden
        if not state.is_crib_up:
            for other, cards in enumerate(laid):
                if other != seat and cards:
                    hands = replace(hands, pool=hands.pool | mask_of(cards))
                    laid = changed(laid, other, ())
                    laid_hidden = changed(laid_hidden, other, laid_hidden[other] + len(cards))
        if hands == state.hands and laid == state.laid:
            return state
        return replace(state, hands=hands, laid=laid, laid_hidden=laid_hidden)

    def determinize(self, state: CribbageState, rng: Random) -> CribbageState:
        """Hidden cards of hands and crib filled in from those that are face down."""
        if not any(state.hands.hidden) and not any(state.laid_hidden):
            return state
        hands, dealt = state.hands.dealt_elsewhere(state.laid_hidden, rng)
        laid = tuple(tuple(sorted((*known, *cards))) for known, cards in zip(state.laid, dealt, strict=True))
        return replace(state, hands=hands, laid=laid, laid_hidden=(0,) * state.seats)

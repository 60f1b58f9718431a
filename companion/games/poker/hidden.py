"""Cards that lie face down in Poker: what each seat may know."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from companion.core.contract import Seat
from companion.games.poker.moves import Exchange
from companion.games.poker.state import PokerState
from companion.games.shared.cards.dealt_hands import DealtHands
from companion.games.shared.cards.hands import changed
from companion.games.shared.search.bit_sets import mask_of


class PokerCards(DealtHands[PokerState]):
    """Deck, hands that are not turned up, and cards that were laid away."""

    face_down = Exchange

    def view(self, state: PokerState, seat: Seat | None) -> PokerState:
        """The position as a seat may know it: hands that are not turned up are hidden, and so are cards that others
        laid away."""
        hands, given, given_hidden = state.hands, state.given, state.given_hidden
        opened = [mask_of(hand) if state.shown >> other & 1 else 0 for other, hand in enumerate(hands.known)]
        hands = hands.seen_by(seat, opened)
        for other, cards in enumerate(given):
            if other != seat and cards:
                hands = replace(hands, pool=hands.pool | cards)
                given = changed(given, other, 0)
                given_hidden = changed(given_hidden, other, given_hidden[other] + cards.bit_count())
        if hands == state.hands and given == state.given:
            return state
        return replace(state, hands=hands, given=given, given_hidden=given_hidden)

    def determinize(self, state: PokerState, rng: Random) -> PokerState:
        """Hidden cards of hands and of those laid away filled in from what is face down."""
        if not any(state.hands.hidden) and not any(state.given_hidden):
            return state
        hands, dealt = state.hands.dealt_elsewhere(state.given_hidden, rng)
        given = tuple(known | mask_of(cards) for known, cards in zip(state.given, dealt, strict=True))
        return replace(state, hands=hands, given=given, given_hidden=(0,) * state.seats)

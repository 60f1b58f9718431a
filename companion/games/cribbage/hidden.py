"""Cards that lie face down in Cribbage: what each seat may know."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from companion.contract import Event, Seat
from companion.games.bit_sets import bits, mask_of
from companion.games.cribbage.moves import LayAway
from companion.games.cribbage.state import CribbageState
from companion.games.dealt_hands import DealtHands
from companion.games.hands import changed


class CribbageCards(DealtHands[CribbageState]):
    """Deck, hands, and the crib until it is turned up."""

    def view(self, state: CribbageState, seat: Seat | None) -> CribbageState:
        """What a seat may know: other hands are hidden, and so is what others laid away until the crib is turned up."""
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

    def redact(self, state: CribbageState, event: Event, seat: Seat | None) -> Event | None:
        """An event that comes now as a seat may know it, None for the public; None if it learns nothing."""
        if isinstance(event, LayAway) and event.seat != seat:
            return LayAway(event.seat, (None,) * len(event.cards))
        return super().redact(state, event, seat)

    def determinize(self, state: CribbageState, rng: Random) -> CribbageState:
        """Hidden cards of hands and crib filled in from those that are face down."""
        if not any(state.hands.hidden) and not any(state.laid_hidden):
            return state
        hands, laid = state.hands.determinized(rng), list(state.laid)
        rest = list(bits(hands.pool))
        rng.shuffle(rest)
        for seat, count in enumerate(state.laid_hidden):
            laid[seat] = tuple(sorted((*laid[seat], *[rest.pop() for _ in range(count)])))
        pool = mask_of(rest)
        return replace(state, hands=replace(hands, pool=pool), laid=tuple(laid), laid_hidden=(0,) * state.seats)

"""Cards that lie face down in Poker: what each seat may know, and what may come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from msgspec.structs import replace

from companion.contract import Chance, Seat
from companion.games.hands import bits, changed, mask_of, redacted, sampled, single_cards
from companion.games.poker.moves import Exchange, PokerEvent
from companion.games.poker.state import PokerState
from companion.pieces import Piece


def unseen(state: PokerState) -> Mapping[Piece, int]:
    """Deck, hidden cards of hands, and unknown cards laid away."""
    return state.hands.unseen()


def view(state: PokerState, seat: Seat | None) -> PokerState:
    """What a seat may know: hands that are not turned up are hidden, and so is what others have laid away."""
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


def redact(state: PokerState, event: PokerEvent, seat: Seat | None) -> PokerEvent | None:
    """An event that comes now as a seat may know it, None for the public; None if it learns nothing."""
    if isinstance(event, Exchange) and event.seat != seat:
        return Exchange(event.seat, (None,) * len(event.cards))
    known: PokerEvent | None = redacted(event, seat, state.due)
    return known


def outcomes(state: PokerState) -> Iterable[tuple[Chance, int]]:
    """The next single card: each that is face down is as likely."""
    return single_cards(state.due, state.hands.pool)


def determinize(state: PokerState, rng: Random) -> PokerState:
    """Hidden cards of hands and of those laid away filled in from what is face down."""
    if not any(state.hands.hidden) and not any(state.given_hidden):
        return state
    hands, given = state.hands.determinized(rng), list(state.given)
    rest = list(bits(hands.pool))
    rng.shuffle(rest)
    for seat, count in enumerate(state.given_hidden):
        given[seat] |= mask_of([rest.pop() for _ in range(count)])
    return replace(state, hands=replace(hands, pool=mask_of(rest)), given=tuple(given), given_hidden=(0,) * state.seats)


def sample(state: PokerState, rng: Random) -> Chance:
    """The draw that is due, whole: each card that is face down is as likely.

    :raises BadEvent: no draw is due.
    """
    return sampled(state.due, state.hands.pool, rng)

"""The cards of Spectrumo whose place is not known: what each seat may know, and the cards that may come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from msgspec.structs import replace

from companion.core.contract import Chance, Drawn, Seat
from companion.core.foundation.errors import BadEvent
from companion.core.pieces import Piece
from companion.games.shared.cards.deck import PIECES
from companion.games.shared.cards.deck_events import SINGLE
from companion.games.shared.cards.hands import redacted
from companion.games.spectrumo.moves import Give, SpectrumoEvent
from companion.games.spectrumo.situation import UNKNOWN
from companion.games.spectrumo.state import SpectrumoState


def unseen(state: SpectrumoState) -> Mapping[Piece, int]:
    """Returns the cards whose place is not known: those in the decks and in hidden hands."""
    return {PIECES[card]: count for card, count in state.in_pool()}


def view(state: SpectrumoState, seat: Seat | None) -> SpectrumoState:
    """Returns the position as a seat may know it: its own hand, public cards, and the numbers of the others' cards.

    After a hand all remaining cards lie open for the count.
    """
    if state.stage == "count":
        return state
    all_hands, hidden = list(state.hands), list(state.hidden)
    for other in range(state.seats):
        if other != seat:
            all_hands[other], hidden[other] = (), state.count(other)
    drawn, swapping = state.drawn, state.swapping
    if seat != state.turn:
        drawn = None if drawn is None else UNKNOWN
        if swapping is not None:
            swapping = replace(swapping, given=(), unknown=len(swapping.given) + swapping.unknown)
    known = tuple(all_hands), tuple(hidden), drawn, swapping
    if known == (state.hands, state.hidden, state.drawn, state.swapping):
        return state
    return replace(state, hands=known[0], hidden=known[1], drawn=drawn, swapping=swapping)


def redact(state: SpectrumoState, event: SpectrumoEvent, seat: Seat | None) -> SpectrumoEvent | None:
    """Returns the next event as a seat, or with None the public, may know it; None if that viewer learns nothing.

    A card from the draw deck is known to its drawer, a traded card to both players, and a card laid aside to the player
    who lays it aside. Remaining hands are laid open for the count.
    """
    if state.stage == "count":
        return event
    if isinstance(event, Give) and event.seat != seat:
        return Give(event.seat, event.to, None)
    if isinstance(event, Drawn) and state.trading is not None and state.trading.to == seat:
        return event
    known: SpectrumoEvent | None = redacted(event, seat, state.expects())
    return known


def outcomes(state: SpectrumoState) -> Iterable[tuple[Chance, int]]:
    """Yields the next card that is drawn or named, each weighted by its number of unseen copies."""
    due = state.due
    if due is None:
        return
    single = SINGLE[due.seat]
    swapping = state.trading
    if swapping is None or swapping.to is None:
        for card, count in state.drawable():
            yield single[card], count
        return
    whole = sum(count for _, count in state.in_pool())
    weights = dict.fromkeys(state.hands[swapping.to], 0)
    for card in state.hands[swapping.to]:
        weights[card] += max(whole, 1)
    if state.hidden[swapping.to]:
        for card, count in state.in_pool():
            weights[card] = weights.get(card, 0) + count * state.hidden[swapping.to]
    for card, weight in sorted(weights.items()):
        yield single[card], weight


def determinize(state: SpectrumoState, rng: Random) -> SpectrumoState:
    """Returns the position with hidden cards filled in at random from the cards whose place is not known."""
    cards = [card for card, count in state.in_pool() for _ in range(count)]
    rng.shuffle(cards)
    filled = []
    drawn, swapping = state.drawn, state.swapping
    for seat, (hand, count) in enumerate(zip(state.hands, state.hidden, strict=True)):
        new = [cards.pop() for _ in range(count)]
        if seat == state.turn and drawn == UNKNOWN and new:
            drawn = new[-1]
        filled.append(tuple(sorted((*hand, *new))))
    if swapping is not None and swapping.unknown:
        given = [cards.pop() for _ in range(swapping.unknown)]
        swapping = replace(swapping, given=tuple(sorted((*swapping.given, *given))), unknown=0)
    return replace(state, hands=tuple(filled), hidden=(0,) * state.seats, drawn=drawn, swapping=swapping)


def sample(state: SpectrumoState, rng: Random) -> Chance:
    """Returns a random draw: all cards together if that has the same odds, else one card of the decks or of a trade.

    Raises:
        BadEvent: No draw is due.
    """
    due = state.due
    if due is None:
        raise BadEvent("No card is drawn now. Make a move.")
    if state.trading is not None:
        events, weights = zip(*outcomes(state), strict=True)
        trade: Chance = rng.choices(events, weights)[0]
        return trade
    cards = [PIECES[card] for card, count in state.drawable() for _ in range(count)]
    if due.count > len(cards) or (state.stage == "play" and due.count > state.draw):
        return Drawn(due.seat, (rng.choice(cards),))
    return Drawn(due.seat, tuple(rng.sample(cards, due.count)))

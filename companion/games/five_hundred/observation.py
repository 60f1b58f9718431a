"""The expected reading of a position, and the event that explains a change.

Hands are private: a camera sees the discards and the cards before the players.
"""

from __future__ import annotations

from companion.core.contract import Drawn, ToDraw
from companion.core.layout import Layout
from companion.games.five_hundred.moves import (
    DISCARDS,
    TAKES,
    Discard,
    LayMeld,
    LayOff,
    TakeDiscards,
    lay_meld,
    lay_off,
)
from companion.games.five_hundred.situation import Situation
from companion.games.five_hundred.violations import DISCARDS_SPOT, melds_spot
from companion.games.shared.cards.deck_layout import changed_cards, drawn, heap, known_hands
from companion.games.shared.cards.hands import hand_spot
from companion.games.shared.search.bit_sets import bits


def layout(situation: Situation) -> Layout:
    """The discards, what lies before each seat, and the hands that are known throughout."""
    melds = {melds_spot(seat): heap(bits(cards)) for seat, cards in enumerate(situation.laid)}
    discards = heap(sorted(situation.discards))
    return Layout(heaps={DISCARDS_SPOT: discards, **melds, **known_hands(situation.hands)})


def infer_event(situation: Situation, seen: Layout) -> LayMeld | LayOff | Discard | TakeDiscards | Drawn | None:
    """The event that the change from the position to `seen` looks like, judged by best candidates.

    Discards that are gone were taken, a new one was discarded, and cards that have come before a player are a meld, or
    if it is one card, laid off where it fits. Where a draw is due, new cards are that draw.
    """
    due = situation.expected
    if isinstance(due, ToDraw):
        return _drawn(situation, due, seen)
    gone, come = changed_cards(situation.discards, seen, DISCARDS_SPOT)
    seat = situation.turn
    if gone and not come:
        deepest = next(card for card in situation.discards if card in gone)
        return TAKES[seat][deepest]
    if len(come) == 1 and not gone:
        return DISCARDS[seat][come.pop()]
    for other in range(situation.seats):
        _, laid = changed_cards(bits(situation.laid[other]), seen, melds_spot(other))
        if len(laid) == 1:
            card = laid.pop()
            fits = [number for number, cards in enumerate(situation.table.fits) if cards >> card & 1]
            return lay_off(other, card, fits[0]) if fits else None
        if laid:
            return lay_meld(other, tuple(sorted(laid)))
    return None


def _drawn(situation: Situation, due: ToDraw, seen: Layout) -> Drawn | None:
    spot = DISCARDS_SPOT if due.source == "first discard" else hand_spot(due.seat)
    held = () if due.source == "first discard" else situation.hands.known[due.seat]
    _, come = changed_cards(held, seen, spot)
    return drawn(due, come)

"""The expected reading of a position, and the event that explains a change.

Hands are private: a camera sees the open cards, and a hand when it is turned up.
"""

from __future__ import annotations

from companion.core.contract import Drawn, ToDraw
from companion.core.layout import Layout, Spot
from companion.games.poker.moves import Exchange
from companion.games.poker.situation import Situation
from companion.games.poker.violations import SHARED_SPOT
from companion.games.shared.cards.deck import CARDS
from companion.games.shared.cards.deck_layout import changed_cards, drawn, heap, known_hands
from companion.games.shared.cards.hands import hand_spot
from companion.games.shared.search.bit_sets import bits


def given_spot(seat: int) -> Spot:
    """The heap of the cards that a seat has laid away."""
    return f"seat{seat}.given"


def layout(situation: Situation) -> Layout:
    """The open cards, and the hands and laid-away cards that are known throughout."""
    heaps = {SHARED_SPOT: heap(situation.shared), **known_hands(situation.hands)}
    for seat, given in enumerate(situation.given):
        if not situation.given_hidden[seat]:
            heaps[given_spot(seat)] = heap(bits(given))
    return Layout(heaps=heaps)


def infer_event(situation: Situation, seen: Layout) -> Exchange | Drawn | None:
    """The event that the change from the position to `seen` looks like, judged by best candidates.

    Where a draw is due, new cards are that draw; cards gone from a known hand are exchanged.
    """
    due = situation.due
    if isinstance(due, ToDraw):
        spot, held = hand_spot(due.seat), situation.hands.known[due.seat]
        if due.source == "deck, open":
            spot, held = SHARED_SPOT, situation.shared
        _, come = changed_cards(held, seen, spot)
        return drawn(due, come)
    seat = situation.turn
    gone, _ = changed_cards(situation.hands.known[seat], seen, hand_spot(seat))
    if not gone or situation.hands.hidden[seat] or not situation.exchanges:
        return None
    return Exchange(seat, tuple(CARDS[card] for card in gone))

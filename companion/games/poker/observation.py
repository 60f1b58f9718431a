"""Infers events of Poker from what a camera sees: the open cards, and each hand once it is turned up.

Hands are private until the showdown. Players only say that they turn up, fold or exchange nothing; open cards before a
seat show that it has turned up its hand.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.contract import Drawn, ToDraw, ToMove
from companion.core.layout import Layout, Spot
from companion.core.pieces import Piece
from companion.games.poker.moves import TURN_UPS, Exchange, Fold, PokerEvent, TurnUp
from companion.games.poker.situation import Situation
from companion.games.shared.cards.deck import CARDS
from companion.games.shared.cards.hands import changed_cards, drawn, hand_spot, heap, numbers_seen, pieces
from companion.games.shared.search.bit_sets import bits

SHARED_SPOT = "shared"


def given_spot(seat: int) -> Spot:
    """Returns the heap of the cards that a seat has laid away."""
    return f"seat{seat}.given"


def layout(situation: Situation) -> Layout:
    """Returns the open cards, the hands, which may lie face down until they are turned up, and cards that were laid
    away.
    """
    heaps = {SHARED_SPOT: heap(situation.shared)}
    covered: dict[Spot, tuple[Piece, ...]] = {}
    for seat, cards in enumerate(situation.hands.known):
        heaps[hand_spot(seat)] = heap(cards)
        if cards and not situation.shown >> seat & 1:
            covered[hand_spot(seat)] = pieces(cards)
    for seat, given in enumerate(situation.given):
        if not situation.given_hidden[seat]:
            heaps[given_spot(seat)] = heap(bits(given))
    return Layout(heaps=heaps, covered=covered)


def candidates(situation: Situation, seen: Layout) -> Iterator[PokerEvent]:
    """Returns the legal events that may be the next step toward a seen table."""
    due = situation.due
    if isinstance(due, ToDraw):
        found = infer_event(situation, seen)
        if isinstance(found, Drawn) and (due.source != "hand" or len(found.pieces) == due.count):
            yield found
    elif isinstance(due, ToMove):
        seat = situation.turn
        if situation.exchanges:
            found = infer_event(situation, seen)
            yield Exchange(seat, ()) if found is None else found
        elif numbers_seen(seen, hand_spot(seat)):
            yield TURN_UPS[seat]


def is_said(situation: Situation, event: PokerEvent) -> bool:
    """True for an event that players only say and that no picture shows."""
    return isinstance(event, TurnUp | Fold) or (isinstance(event, Exchange) and not event.cards)


def pending_prompt(situation: Situation, seen: Layout) -> str | None:
    """Returns the words for the hand that must be shown next, if another hand lies open; None otherwise."""
    due = situation.due
    if not isinstance(due, ToMove) or situation.exchanges or numbers_seen(seen, hand_spot(situation.turn)):
        return None
    waiting = [seat for seat in range(situation.seats) if not situation.shown >> seat & 1 and situation.is_in(seat)]
    if any(numbers_seen(seen, hand_spot(seat)) for seat in waiting):
        return f"Player {situation.turn + 1} is next to turn up or to fold. Show that hand, or enter the fold (POK-1)."
    return None


def infer_event(situation: Situation, seen: Layout) -> Exchange | Drawn | None:
    """Returns the event that best explains the change from the position to `seen`, by the best candidates; None without
    one.

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

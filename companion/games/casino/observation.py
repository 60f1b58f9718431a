"""The expected reading of a position, and the event that explains a change.

Hands are private: a camera sees the board, and hands only where they are laid open for the referee.
"""

from __future__ import annotations

from companion.core.contract import Drawn, ToDraw
from companion.core.layout import Layout, Spot
from companion.games.casino.moves import PUTS, Put, Take
from companion.games.casino.situation import BOARD_SPOT, Situation
from companion.games.shared.cards.deck import CARDS
from companion.games.shared.cards.deck_layout import changed_cards, drawn, heap, known_hands
from companion.games.shared.cards.hands import hand_spot
from companion.games.shared.search.bit_sets import bits


def won_spot(seat: int) -> Spot:
    """The heap of the cards that a seat has won."""
    return f"seat{seat}.won"


def layout(situation: Situation) -> Layout:
    """The board, the won cards, and the hands that are known throughout."""
    won = {won_spot(seat): heap(bits(cards)) for seat, cards in enumerate(situation.won)}
    return Layout(heaps={BOARD_SPOT: heap(situation.board), **won, **known_hands(situation.hands)})


def infer_event(situation: Situation, seen: Layout) -> Take | Put | Drawn | None:
    """The event that the change from the position to `seen` looks like, judged by best candidates.

    Cards that left the board with one that left the hand are a take; a new card on the board is a put, or what comes
    from deck and pile where that is due.
    """
    gone, come = changed_cards(situation.board, seen, BOARD_SPOT)
    due = situation.expects()
    if isinstance(due, ToDraw):
        if not due.shown:
            missing, come = changed_cards(situation.hands.known[due.seat], seen, hand_spot(due.seat))
            gone = gone | missing
        return None if gone else drawn(due, come)
    if situation.ended:
        return None
    if len(come) == 1 and not gone:
        return PUTS[situation.turn][come.pop()]
    seat = situation.turn
    played, more = changed_cards(situation.hands.known[seat], seen, hand_spot(seat))
    if situation.hands.hidden[seat]:
        _, taken = changed_cards(bits(situation.won[seat]), seen, won_spot(seat))
        played, more = taken - set(situation.board), set()
    if gone and len(played) == 1 and not come and not more:
        return Take(seat, CARDS[played.pop()], tuple(CARDS[card] for card in gone))
    return None

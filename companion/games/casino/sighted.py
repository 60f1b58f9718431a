"""What a camera should see in a position, and which event a change looks like.

Hands are private: a camera sees the board, and hands only where they are laid open for the referee.
"""

from __future__ import annotations

from companion.contract import Drawn, ToDraw
from companion.games.bit_sets import bits
from companion.games.casino.moves import PUTS, Put, Take
from companion.games.casino.situation import BOARD_SPOT, Situation
from companion.games.deck import CARDS, NUMBER, NUMBER_CARDS, PIECES
from companion.games.deck_layout import heap
from companion.games.hands import hand_spot
from companion.layout import Layout, Spot


def won_spot(seat: int) -> Spot:
    """The heap of the cards that a seat has won."""
    return f"seat{seat}.won"


def layout(situation: Situation) -> Layout:
    """The board, the won cards, and the hands that are known throughout."""
    heaps = {BOARD_SPOT: heap(situation.board)}
    for seat, won in enumerate(situation.won):
        heaps[won_spot(seat)] = heap(bits(won))
        if not situation.hands.hidden[seat]:
            heaps[hand_spot(seat)] = heap(situation.hands.known[seat])
    return Layout(heaps=heaps)


def suggest(situation: Situation, seen: Layout) -> Take | Put | Drawn | None:
    """The event that the change from the position to `seen` looks like, judged by best candidates.

    Cards that left the board with one that left the hand are a take; a new card on the board is a put, or what comes
    from deck and pile where that is due.
    """
    gone, come = _change(situation.board, seen, BOARD_SPOT)
    due = situation.expects()
    if isinstance(due, ToDraw):
        if not due.shown:
            missing, come = _change(situation.hands.known[due.seat], seen, hand_spot(due.seat))
            gone = gone | missing
        return Drawn(due.seat, tuple(PIECES[card] for card in sorted(come))) if come and not gone else None
    if situation.ended:
        return None
    if len(come) == 1 and not gone:
        return PUTS[situation.turn][come.pop()]
    seat = situation.turn
    played, drawn = _change(situation.hands.known[seat], seen, hand_spot(seat))
    if situation.hands.hidden[seat]:
        won = sum(1 << card for card in _seen(seen, won_spot(seat)) or ())
        played, drawn = {card for card in bits(won & ~situation.won[seat]) if card not in situation.board}, set()
    if gone and len(played) == 1 and not come and not drawn:
        return Take(seat, CARDS[played.pop()], tuple(CARDS[card] for card in gone))
    return None


def _seen(seen: Layout, spot: Spot) -> set[int] | None:
    """The number cards seen in a heap; None where nobody looked."""
    there = seen.heaps.get(spot)
    if there is None:
        return None
    numbers = {NUMBER.get(sighting.piece, NUMBER_CARDS) for sighting in there}
    return {number for number in numbers if number < NUMBER_CARDS}


def _change(cards: tuple[int, ...], seen: Layout, spot: Spot) -> tuple[set[int], set[int]]:
    """The cards of a heap that are gone, and those that have come."""
    there = _seen(seen, spot)
    return (set(), set()) if there is None else (set(cards) - there, there - set(cards))

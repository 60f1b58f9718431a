"""What a camera should see in a position, and which event a change looks like.

Hands are private: a camera sees the cards that were played, the starter, and what is cut or turned up.
"""

from __future__ import annotations

from companion.contract import Drawn, Over, ToDraw
from companion.games.cribbage.breaches import CRIB_SPOT, STARTER_SPOT, played_spot
from companion.games.cribbage.moves import PLAYS, LayAway, Play
from companion.games.cribbage.situation import Situation
from companion.games.deck import CARDS, NUMBER, NUMBER_CARDS, PIECES
from companion.games.deck_layout import NOTHING, SURE, heap, numbers_seen
from companion.games.hands import hand_spot
from companion.layout import Layout, Spot


def cut_spot(seat: int) -> Spot:
    """Where a seat's cut card lies."""
    return f"seat{seat}.cut"


def layout(situation: Situation) -> Layout:
    """Hands and crib where all of their cards are known, what was played, and the starter."""
    starter = situation.starter
    cells = {STARTER_SPOT: NOTHING if starter is None else SURE[starter]}
    heaps = {}
    for seat in range(situation.seats):
        if not situation.hands.hidden[seat]:
            heaps[hand_spot(seat)] = heap(situation.hands.known[seat])
        heaps[played_spot(seat)] = heap(sorted(situation.played[seat]))
        if situation.cut:
            card = situation.cut[seat]
            cells[cut_spot(seat)] = NOTHING if card < 0 else SURE[card]
    if not any(situation.laid_hidden):
        heaps[CRIB_SPOT] = heap(situation.crib)
    return Layout(cells, heaps)


def suggest(situation: Situation, seen: Layout) -> Play | LayAway | Drawn | None:
    """The event that the change from the position to `seen` looks like, judged by best candidates.

    A new card among those played is a play, cards gone from a hand into the crib are laid away, and where cards are due
    they are what has come.
    """
    due = situation.due
    if isinstance(due, Over):
        return None
    if isinstance(due, ToDraw):
        return _drawn(situation, due, seen)
    if situation.starter is not None:
        for seat in range(situation.seats):
            come = _come(seen, played_spot(seat), situation.played[seat])
            if len(come) == 1:
                return PLAYS[seat][come.pop()]
        return None
    for seat in situation.to_lay:
        there = numbers_seen(seen, hand_spot(seat))
        if there is not None and not situation.hands.hidden[seat]:
            gone = set(situation.hands.known[seat]) - there
            if gone and not there - set(situation.hands.known[seat]):
                return LayAway(seat, tuple(CARDS[card] for card in gone))
    return None


def _drawn(situation: Situation, due: ToDraw, seen: Layout) -> Drawn | None:
    if due.source in ("starter", "cut"):
        spot = STARTER_SPOT if due.source == "starter" else cut_spot(due.seat)
        sighting = seen.cells.get(spot)
        card = NUMBER.get(sighting.piece, NUMBER_CARDS) if sighting is not None else NUMBER_CARDS
        return Drawn(due.seat, (PIECES[card],)) if card < NUMBER_CARDS else None
    spot = CRIB_SPOT if due.source == "crib" else hand_spot(due.seat)
    held = situation.crib if due.source == "crib" else situation.hands.known[due.seat]
    come = _come(seen, spot, held)
    return Drawn(due.seat, tuple(PIECES[card] for card in sorted(come))) if come else None


def _come(seen: Layout, spot: Spot, held: tuple[int, ...]) -> set[int]:
    """Cards seen in a heap that the position does not have there."""
    return (numbers_seen(seen, spot) or set()) - set(held)

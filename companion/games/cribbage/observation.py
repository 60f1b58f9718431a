"""The expected reading of a position, and the event that explains a change.

Hands are private: a camera sees the cards that were played, the starter, and what is cut or turned up.
"""

from __future__ import annotations

from companion.core.contract import Drawn, Over, ToDraw
from companion.core.layout import Layout, Spot
from companion.games.cribbage.moves import PLAYS, LayAway, Play
from companion.games.cribbage.situation import Situation
from companion.games.cribbage.violations import CRIB_SPOT, STARTER_SPOT, played_spot
from companion.games.shared.cards.deck import CARDS, number_card
from companion.games.shared.cards.deck_layout import NOTHING, SURE, changed_cards, drawn, heap, known_hands
from companion.games.shared.cards.hands import hand_spot


def cut_spot(seat: int) -> Spot:
    """Where a seat's cut card lies."""
    return f"seat{seat}.cut"


def layout(situation: Situation) -> Layout:
    """Hands and crib if all of their cards are known, the played cards, and the starter."""
    starter = situation.starter
    cells = {STARTER_SPOT: NOTHING if starter is None else SURE[starter]}
    heaps = known_hands(situation.hands)
    for seat in range(situation.seats):
        heaps[played_spot(seat)] = heap(sorted(situation.played[seat]))
        if situation.cut:
            card = situation.cut[seat]
            cells[cut_spot(seat)] = NOTHING if card < 0 else SURE[card]
    if not any(situation.laid_hidden):
        heaps[CRIB_SPOT] = heap(situation.crib)
    return Layout(cells, heaps)


def infer_event(situation: Situation, seen: Layout) -> Play | LayAway | Drawn | None:
    """The event that the change from the position to `seen` looks like, judged by best candidates.

    A new card among those played is a play, cards gone from a hand into the crib are laid away, and new cards are the
    draw where one is due.
    """
    due = situation.due
    if isinstance(due, Over):
        return None
    if isinstance(due, ToDraw):
        return _drawn(situation, due, seen)
    if situation.starter is not None:
        for seat in range(situation.seats):
            _, come = changed_cards(situation.played[seat], seen, played_spot(seat))
            if len(come) == 1:
                return PLAYS[seat][come.pop()]
        return None
    for seat in situation.to_lay:
        gone, come = changed_cards(situation.hands.known[seat], seen, hand_spot(seat))
        if gone and not come and not situation.hands.hidden[seat]:
            return LayAway(seat, tuple(CARDS[card] for card in gone))
    return None


def _drawn(situation: Situation, due: ToDraw, seen: Layout) -> Drawn | None:
    if due.source in ("starter", "cut"):
        spot = STARTER_SPOT if due.source == "starter" else cut_spot(due.seat)
        sighting = seen.cells.get(spot)
        card = None if sighting is None else number_card(sighting.piece)
        return None if card is None else drawn(due, [card])
    spot = CRIB_SPOT if due.source == "crib" else hand_spot(due.seat)
    held = situation.crib if due.source == "crib" else situation.hands.known[due.seat]
    _, come = changed_cards(held, seen, spot)
    return drawn(due, come)

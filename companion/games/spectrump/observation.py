"""Spectrump as a camera sees it: a card before each seat; sets and taken cards where they lie open."""

from __future__ import annotations

from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import Piece
from companion.games.shared.cards.deck import NUMBER, NUMBER_CARDS
from companion.games.shared.cards.deck_layout import NOTHING, SURE, heap, pieces
from companion.games.spectrump.moves import PLAYS, SpectrumpEvent
from companion.games.spectrump.situation import Situation


def layout(state: Situation) -> Layout:
    """The trick on the table, or the last one until the next card is led, and the cards before each seat.

    While cards are dealt the trick is not predicted. Taken cards lie face down in a pile, so they may be unseen.
    """
    seats = state.seats
    shown = () if state.dealing else state.trick or (state.last if any(state.won) else ())
    leader = state.leader if state.trick else state.last_leader
    cells: dict[Spot, Detection] = {}
    if not state.dealing:
        cells = {f"seat{seat}.trick": NOTHING for seat in range(seats)}
        for step, card in enumerate(shown):
            cells[f"seat{(leader + step) % seats}.trick"] = SURE[card]
    lying = set() if state.trick else set(shown)
    heaps: dict[Spot, tuple[Detection, ...]] = {}
    covered: dict[Spot, tuple[Piece, ...]] = {}
    for seat in range(seats):
        for place, cards in enumerate(state.sets[seat]):
            if not state.hidden[seat][place]:
                heaps[f"seat{seat}.set{place + 1}"] = heap(cards)
        taken = [card for card in state.won[seat] if card not in lying]
        heaps[f"seat{seat}.won"] = heap(taken)
        if taken:
            covered[f"seat{seat}.won"] = pieces(taken)
    return Layout(cells, heaps, covered)


def infer_event(state: Situation, seen: Layout) -> SpectrumpEvent | None:
    """The card that newly lies before a seat, as a play of that seat; the seat on turn first."""
    if state.ending is not None or state.phase != "play":
        return None
    before = layout(state).cells
    for seat in state.clockwise(state.mover):
        spot = f"seat{seat}.trick"
        there = seen.cells.get(spot)
        if there is None or there.piece is None or there.piece == before[spot].piece:
            continue
        card = NUMBER.get(there.piece, NUMBER_CARDS)
        if card < NUMBER_CARDS:
            return PLAYS[seat][card]
    return None

"""Infers events of Spectrumo from what a camera sees: the table card, cards laid aside, and open hands."""

from __future__ import annotations

from companion.core.contract import Drawn
from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import Piece
from companion.games.shared.cards.deck import NUMBER, PIECES
from companion.games.shared.cards.hands import heap, pieces
from companion.games.spectrumo.moves import DRAWS, PLAYS, SpectrumoEvent
from companion.games.spectrumo.situation import Situation

DISCARD, STOCK = "discard", "stock"
"""The spots of the discard deck and of the draw deck."""


def layout(state: Situation) -> Layout:
    """Returns the discard deck, of which only the table card need be seen, and the known cards elsewhere."""
    heaps: dict[Spot, tuple[Detection, ...]] = {DISCARD: heap(state.discard)}
    covered: dict[Spot, tuple[Piece, ...]] = {}
    if len(state.discard) > 1:
        covered[DISCARD] = pieces(state.discard[:-1])
    for seat, hand in enumerate(state.hands):
        if not state.hidden[seat]:
            heaps[f"seat{seat}.hand"] = heap(hand)
    swapping = state.swapping
    if swapping is not None and not swapping.unknown:
        heaps[f"seat{state.turn}.aside"] = heap(swapping.given)
    return Layout(heaps=heaps, covered=covered)


def infer_event(state: Situation, seen: Layout) -> SpectrumoEvent | None:
    """Returns the event of a new card on the discard deck: the first table card, or a play of the seat to move."""
    there = seen.heaps.get(DISCARD)
    if there is None or state.ending is not None or state.stage not in ("turn-up", "play"):
        return None
    lying = [PIECES[card] for card in state.discard]
    for sighting in there:
        piece = sighting.piece
        if piece in lying:
            lying.remove(piece)
        elif piece is not None and piece in NUMBER:
            if state.stage == "turn-up":
                return Drawn(state.first, (piece,))
            return PLAYS[state.turn][NUMBER[piece]]
    return None


def visit(state: Situation, visited: frozenset[Spot]) -> SpectrumoEvent | None:
    """Returns the draw that a hand over the draw deck means: of the seat on turn, for want of a playable card (UMO-4).

    How many cards it took no picture shows; the rules say how many.
    """
    if STOCK not in visited or state.ending is not None or state.stage != "play" or state.due is not None:
        return None
    return None if state.swapping is not None else DRAWS[state.turn]

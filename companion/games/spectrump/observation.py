"""Spectrump as a camera sees it: a card before each seat; sets and taken cards where they lie open."""

from __future__ import annotations

from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import Piece
from companion.games.shared.cards.deck import NUMBER, NUMBER_CARDS
from companion.games.shared.cards.deck_layout import heap, pieces
from companion.games.spectrump.moves import PLAYS, SpectrumpEvent
from companion.games.spectrump.situation import Situation


def trick_spot(seat: int) -> Spot:
    """The place before a seat on which its card to the trick lies."""
    return f"seat{seat}.trick"


def layout(state: Situation) -> Layout:
    """The trick on the table, and the cards before each seat.

    A trick that is complete may lie there still or be gathered, until the next card is led. While cards are dealt
    the trick is not predicted. Taken cards lie face down in a pile, so they may be unseen.
    """
    seats = state.seats
    heaps: dict[Spot, tuple[Detection, ...]] = {}
    covered: dict[Spot, tuple[Piece, ...]] = {}
    shown = () if state.dealing else state.trick or (state.last if any(state.won) else ())
    leader = state.leader if state.trick else state.last_leader
    if not state.dealing:
        heaps = {trick_spot(seat): () for seat in range(seats)}
        for step, card in enumerate(shown):
            spot = trick_spot((leader + step) % seats)
            heaps[spot] = heap((card,))
            if not state.trick:
                covered[spot] = pieces((card,))
    lying = set() if state.trick else set(shown)
    for seat in range(seats):
        for place, cards in enumerate(state.sets[seat]):
            if not state.hidden[seat][place]:
                heaps[f"seat{seat}.set{place + 1}"] = heap(cards)
        taken = [card for card in state.won[seat] if card not in lying]
        heaps[f"seat{seat}.won"] = heap(taken)
        if taken:
            covered[f"seat{seat}.won"] = pieces(taken)
    return Layout({}, heaps, covered)


def infer_event(state: Situation, seen: Layout) -> SpectrumpEvent | None:
    """The card that newly lies before a seat, as a play of that seat; the seat on turn first."""
    if state.ending is not None or state.phase != "play":
        return None
    before = layout(state).heaps
    for seat in state.clockwise(state.mover):
        spot = trick_spot(seat)
        held = [one.piece for one in before[spot]]
        for sighting in seen.heaps.get(spot, ()):
            card = NUMBER.get(sighting.piece, NUMBER_CARDS)
            if card < NUMBER_CARDS and sighting.piece not in held:
                return PLAYS[seat][card]
    return None

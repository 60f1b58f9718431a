"""Solitaire as a camera sees it, and what a change on the table looks like.

A pile's face-up cards are a heap: they run down by rank, so their order needs no spots. Of waste and foundations only
the top card need be in sight; those below count as covered.
"""

from __future__ import annotations

from companion.core.contract import Drawn
from companion.core.layout import Layout, Spot
from companion.games.shared.cards.deck import COLOR, RANK, RANKS, number_card
from companion.games.shared.cards.deck_layout import heap, pieces
from companion.games.shared.cards.hands import BIT
from companion.games.solitaire.moves import HOMES, PUTS, TURN_OVER, SolitaireEvent
from companion.games.solitaire.situation import FOUNDATION_SPOTS, PILE_SPOTS, Situation


def layout(state: Situation) -> Layout:
    """Face-up cards; face-down ones are left out."""
    stacks: dict[Spot, tuple[int, ...]] = {"waste": state.waste}
    for color, rank in enumerate(state.foundations):
        stacks[FOUNDATION_SPOTS[color]] = tuple(range(color * RANKS, color * RANKS + rank))
    spots = dict(zip(PILE_SPOTS, state.ups, strict=True)) | stacks
    return Layout(
        heaps={spot: heap(cards) for spot, cards in spots.items()},
        covered={spot: pieces(cards[:-1]) for spot, cards in stacks.items() if len(cards) > 1},
    )


def infer_event(state: Situation, seen: Layout) -> SolitaireEvent | None:
    """The event that the first new card on a spot looks like; None if no spot has one."""
    if state.is_over:
        return None
    come: dict[Spot, list[int]] = {
        spot: [number for piece in there if piece not in expected and (number := number_card(piece)) is not None]
        for spot, expected, there in layout(state).differences(seen)
    }
    if state.due is not None:
        told = [card for spot in state.due_spots for card in come.get(spot, ()) if state.unknown & BIT[card]]
        return Drawn(0, pieces(told[: state.due.count])) if told else None
    for pile, spot in enumerate(PILE_SPOTS):
        if come.get(spot):
            return PUTS[pile][max(come[spot], key=RANK.__getitem__)]
    for color, spot in enumerate(FOUNDATION_SPOTS):
        for card in come.get(spot, ()):
            if COLOR[card] == color:
                return HOMES[card]
    return TURN_OVER if state.waste and not seen.heaps.get("waste", heap(state.waste)) else None

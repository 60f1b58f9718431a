"""Infers events of Solitaire from what a camera sees.

The face-up cards of a pile are a heap: they run down by rank, so their order needs no spots. Of waste and foundations
only the top card must be visible; the cards below count as covered. The cards of a packet lie slightly spread on the
waste, so that each shows its number and no player needs to name them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.contract import Drawn
from companion.core.foundation.errors import BadRecord
from companion.core.layout import Layout, Spot
from companion.games.shared.cards.deck import CODES, COLOR, RANK, RANKS, number_card
from companion.games.shared.cards.hands import BIT, WHOLE_DECK, heap, pieces
from companion.games.shared.search.bit_sets import mask_of
from companion.games.solitaire.moves import HOMES, PUTS, TURN, TURN_OVER, SolitaireEvent
from companion.games.solitaire.situation import FOUNDATION_SPOTS, PILE_SPOTS, UNKNOWN, Situation


def layout(state: Situation) -> Layout:
    """Returns the layout of the face-up cards."""
    stacks: dict[Spot, tuple[int, ...]] = {"waste": state.waste}
    for color, rank in enumerate(state.foundations):
        stacks[FOUNDATION_SPOTS[color]] = tuple(range(color * RANKS, color * RANKS + rank))
    spots = dict(zip(PILE_SPOTS, state.ups, strict=True)) | stacks
    return Layout(
        heaps={spot: heap(cards) for spot, cards in spots.items()},
        covered={spot: pieces(cards[:-1]) for spot, cards in stacks.items() if len(cards) > 1},
    )


def infer_event(state: Situation, seen: Layout) -> SolitaireEvent | None:
    """Returns the event that the new cards on the spots look like; None if no spot has one.

    A card that lay face up before has moved; one that did not was turned up.
    """
    if state.is_over:
        return None
    come: dict[Spot, list[int]] = {
        spot: [
            number
            for sighting in seen.heaps.get(spot, ())
            if sighting.piece not in expected and (number := number_card(sighting.piece)) is not None
        ]
        for spot, expected, _ in layout(state).differences(seen)
    }
    if state.due is not None:
        told = [card for spot in state.due_spots for card in come.get(spot, ()) if state.unknown & BIT[card]]
        if told:
            return Drawn(0, pieces(told[: state.due.count]))
    in_stock = mask_of(card for card in state.stock if card != UNKNOWN)
    face_up = WHOLE_DECK & ~state.unknown & ~in_stock
    for pile, spot in enumerate(PILE_SPOTS):
        moved = [card for card in come.get(spot, ()) if face_up & BIT[card]]
        if moved:
            return PUTS[pile][max(moved, key=RANK.__getitem__)]
    for color, spot in enumerate(FOUNDATION_SPOTS):
        for card in come.get(spot, ()):
            if COLOR[card] == color and face_up & BIT[card]:
                return HOMES[card]
    if state.waste and not seen.heaps.get("waste", heap(state.waste)):
        return TURN_OVER
    return TURN if state.due is None and any(not face_up & BIT[card] for card in come.get("waste", ())) else None


def seen_position(seats: int, options: object, seen: Layout) -> Mapping[str, Any]:
    """Returns the position that a picture of a fresh deal shows.

    Raises:
        BadRecord: Not every pile shows one card.
    """
    piles = []
    for pile, spot in enumerate(PILE_SPOTS):
        there = seen.heaps.get(spot, ())
        top = number_card(there[0].piece) if len(there) == 1 else None
        if top is None:
            raise BadRecord(
                f"Pile {pile + 1} does not show one card. Begin with the deal: each pile's top card face up."
            )
        piles.append(" ".join((*("??",) * pile, CODES[top])))
    return {"piles": piles}

"""Solitaire as a camera sees it, and what a change on the table looks like.

A pile's face-up cards are a heap: they run down by rank, so their order needs no spots. Of waste and foundations only
the top card need be in sight; those below count as covered.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.contract import Drawn
from companion.games.deck import COLOR, COLORS, NUMBER, NUMBER_CARDS, PIECES, RANK, RANKS
from companion.games.deck_layout import heap, pieces
from companion.games.solitaire.moves import HOMES, PILES, PUTS, TURN_OVER, SolitaireEvent
from companion.games.solitaire.situation import Situation
from companion.layout import Layout, Sighting, Spot
from companion.pieces import WHEEL, Piece

PILE_SPOTS: tuple[Spot, ...] = tuple(f"pile{pile + 1}" for pile in range(PILES))
FOUNDATION_SPOTS: tuple[Spot, ...] = tuple(f"foundation.{color}" for color in WHEEL)


def layout(state: Situation) -> Layout:
    """Face-up cards; face-down ones show nothing."""
    heaps: dict[Spot, tuple[Sighting, ...]] = {
        spot: heap(cards) for spot, cards in zip(PILE_SPOTS, state.ups, strict=True)
    }
    heaps["waste"] = heap(state.waste)
    covered: dict[Spot, tuple[Piece, ...]] = {}
    if len(state.waste) > 1:
        covered["waste"] = pieces(state.waste[:-1])
    for color, rank in enumerate(state.foundations):
        there = range(color * RANKS, color * RANKS + rank)
        heaps[FOUNDATION_SPOTS[color]] = heap(there)
        if rank > 1:
            covered[FOUNDATION_SPOTS[color]] = pieces(there[:-1])
    return Layout(heaps=heaps, covered=covered)


def suggest(state: Situation, seen: Layout) -> SolitaireEvent | None:
    """The event that the first new card on a spot looks like; None if no spot has one."""
    come = _come(state, seen)
    if state.outcome() is not None:
        return None
    due = state.due
    if due is not None:
        spots = ("waste",) if state.turning else tuple(PILE_SPOTS[pile] for pile in state.uncovered)
        told = [card for spot in spots for card in come.get(spot, ())]
        fresh = [card for card in told if state.unknown >> card & 1]
        return Drawn(0, tuple(PIECES[card] for card in fresh[: due.count])) if fresh else None
    for pile, spot in enumerate(PILE_SPOTS):
        if come.get(spot):
            return PUTS[pile][max(come[spot], key=RANK.__getitem__)]
    for color in range(COLORS):
        for card in come.get(FOUNDATION_SPOTS[color], ()):
            if COLOR[card] == color:
                return HOMES[card]
    if state.waste and not seen.heaps.get("waste", heap(state.waste)):
        return TURN_OVER
    return None


def _come(state: Situation, seen: Layout) -> Mapping[Spot, list[int]]:
    """By spot: number cards that are seen there and not predicted."""
    found = {}
    for spot, expected, there in layout(state).differences(seen):
        numbers = [NUMBER[piece] for piece in there if piece in NUMBER and piece not in expected]
        found[spot] = [number for number in numbers if number < NUMBER_CARDS]
    return found

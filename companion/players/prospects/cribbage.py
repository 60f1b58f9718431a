"""What was kept and what was laid away decides a hand of Cribbage before anything is pegged (CRB-2, CRB-7)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.contract import Seat
from companion.games.cribbage.counting import points_by_kind
from companion.games.cribbage.situation import Situation
from companion.games.deck import common_shades


def prospects(state: Situation, seat: Seat) -> float:
    """Points that the known cards bring without the starter, from when they are laid away until it is turned up.

    Cards in the crib count for the dealer's side.
    """
    if state.starter is not None or state.dealer is None or not state.laid[seat]:
        return 0.0
    crib = _points(state.laid[seat])
    mine = state.side(state.dealer) == state.side(seat)
    kept = state.hands.known[seat]
    flush = len(kept) if kept and common_shades(kept) else 0
    return _points(kept) + flush + (crib if mine else -crib)


def _points(cards: Sequence[int]) -> float:
    """Eighteens, pairs and runs of cards among themselves."""
    return float(sum(points_by_kind(cards[:-1], cards[-1], crib=True)[:3])) if len(cards) > 1 else 0.0

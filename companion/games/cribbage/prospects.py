"""Hands and crib of Cribbage are decided when cards are laid away, and counted at the very end (CRB-2, CRB-6)."""

from __future__ import annotations

from functools import lru_cache

from companion.core.contract import Seat
from companion.games.cribbage.counting import points_by_kind
from companion.games.cribbage.situation import Situation
from companion.games.shared.cards.deck import common_shades


def prospects(state: Situation, seat: Seat) -> float:
    """Points of hands and crib that are known and not counted yet: those of the own side less those of the other."""
    if state.dealer is None or not any(state.laid):
        return 0.0
    side, found = state.side(seat), 0
    for place in range(state.counted, state.seats):
        one = (state.dealer + 1 + place) % state.seats
        if state.laid[one] and not state.hands.hidden[one]:
            cards = tuple(sorted((*state.hands.known[one], *state.played[one])))
            found += _points(cards, state.starter, False) * (1 if state.side(one) == side else -1)
    if state.counted <= state.seats:
        crib = _points(state.crib, state.starter, True)
        found += crib if state.side(state.dealer) == side else -crib
    return float(found)


@lru_cache(maxsize=20_000)
def _points(cards: tuple[int, ...], starter: int | None, crib: bool) -> int:
    """The points of cards; without a starter those of their eighteens, pairs, runs and flush alone."""
    if len(cards) < 2:
        return 0
    if starter is not None:
        return sum(points_by_kind(cards, starter, crib=crib))
    flush = len(cards) if not crib and common_shades(cards) else 0
    return flush + sum(points_by_kind(cards[:-1], cards[-1], crib=True)[:3])

"""Spectrumo counts when a hand is over: until then it is good to hold few cards, and cheap ones (UMO-16)."""

from __future__ import annotations

from companion.core.contract import Seat
from companion.games.spectrumo.scoring import points_of
from companion.games.spectrumo.situation import Situation

_UNKNOWN = 8.4
"""The mean cost of a card of the deck: 936 ranks and 24 specials of 20 points, over 168 cards."""
_TURN = 3.0
"""The cost of a card beside its points: the turn that it takes to play it."""
_SURE = 0.7
"""How sure it is that cards in hands will be paid for."""


def prospects(state: Situation, seat: Seat) -> float:
    """By how much the own hand is cheaper than the cheapest other."""
    if state.stage not in ("play", "count"):
        return 0.0
    costs = [_cost(state, one) for one in range(state.seats) if one != seat and state.is_in(one)]
    return _SURE * (min(costs) - _cost(state, seat)) if costs else 0.0


def _cost(state: Situation, seat: Seat) -> float:
    unknown = state.hidden[seat] + state.owed[seat]
    return points_of(state.hands[seat]) + _UNKNOWN * unknown + _TURN * (len(state.hands[seat]) + unknown)

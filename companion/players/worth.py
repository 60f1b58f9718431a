"""How good a position is for a seat, from its scores and prospects: what greedy and searching players look at.

A finished game counts for more than any score. In games where points are penalties the sign turns. Where scores say
nothing until the very end, the sums that a game keeps on its way (stars, escapes, stones laid) are its scores; where
even those are missing, `prospects` estimates what the position promises.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.contract import Seat
from companion.players.prospects import PROSPECTS

WON = 10_000.0
"""A place ahead of another seat at the end of the game."""
PENALTIES: Mapping[str, float] = {"SpectrumoState": -1.0}
"""State class name: points that one wants few of (UMO-16)."""


def worth(state: Any, seat: Seat) -> float:
    """Own total less the best other one, and prospects; at the end, the difference in places."""
    name = type(state).__name__
    sign = PENALTIES.get(name, 1.0)
    totals = [sign * float(score.total) for score in state.scores()]
    own = totals[seat] if seat < len(totals) else totals[seat % len(totals)]
    others = [total for at, total in enumerate(totals) if at != seat % len(totals)]
    lead = own - max(others) if others else own
    outcome = state.outcome()
    if outcome is None:
        return lead + PROSPECTS[name](state, seat) if name in PROSPECTS else lead
    if not others:
        return lead
    place = {one: at for at, seats in enumerate(outcome.places) for one in seats}
    if len(place) < 2 or seat not in place:
        return lead + (WON if outcome.places and seat in place else 0.0)
    behind = sum(place[seat] < at for one, at in place.items() if one != seat)
    ahead = sum(place[seat] > at for one, at in place.items() if one != seat)
    return lead + WON * (behind - ahead)

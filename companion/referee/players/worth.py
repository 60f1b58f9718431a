"""The worth of a position for a seat, from its scores and prospects: greedy and searching players use it.

A finished game counts for more than any score. In games where points are penalties the sign turns. If scores are empty
until the very end, the sums that a game keeps on its way (stars, escapes, stones laid) are its scores; if even those
are missing, `prospects` estimates the position.
"""

from __future__ import annotations

from typing import Any

from companion.core.capabilities import Heuristics
from companion.core.contract import Seat
from companion.core.game import Game

_NOTHING: Heuristics[Any] = Heuristics()
WON = 10_000.0
"""A place ahead of another seat at the end of the game."""


def worth(game: Game[Any], state: Any, seat: Seat) -> float:
    """Own total less the best other one, and prospects; at the end, the difference in places."""
    known = game.heuristics or _NOTHING
    sign = -1.0 if game.lead == "fewest" else 1.0
    totals = [sign * float(score.total) for score in state.scores()]
    own = totals[seat] if seat < len(totals) else totals[seat % len(totals)]
    others = [total for at, total in enumerate(totals) if at != seat % len(totals)]
    lead = own - max(others) if others else own
    outcome = state.outcome()
    if outcome is None:
        return lead if known.prospects is None else lead + known.prospects(state, seat)
    if not others:
        return lead
    place = {one: at for at, seats in enumerate(outcome.places) for one in seats}
    if len(place) < 2 or seat not in place:
        return lead + (WON if outcome.places and seat in place else 0.0)
    behind = sum(place[seat] < at for one, at in place.items() if one != seat)
    ahead = sum(place[seat] > at for one, at in place.items() if one != seat)
    return lead + WON * (behind - ahead)

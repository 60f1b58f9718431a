"""The worth of the taken stalks, and the winner (ICE-17 to ICE-20)."""

from __future__ import annotations

from companion.core.contract import Outcome, Score, ScoreLine, Seat
from companion.games.ice_stalks.growth import RAINBOW, Stalk, height, is_solid, pieces_of
from companion.games.ice_stalks.situation import Situation
from companion.games.shared.ruled_state import places

FULL_RAINBOW = 10
"""The points of a stalk with all seven colors (ICE-18)."""
SOLID = 1
"""The points of a solid stalk (ICE-18)."""
SOLID_SET = 15
"""The points for solid stalks in all seven colors (ICE-19)."""


def line(stalk: Stalk) -> ScoreLine:
    """Returns the points of one completed stalk (ICE-18)."""
    bottom, top = pieces_of(stalk)[0].color, pieces_of(stalk)[-1].color
    if is_solid(stalk):
        return ScoreLine(SOLID, "ICE-18", f"{bottom} solid")
    tall = height(stalk)
    points = FULL_RAINBOW if tall == len(RAINBOW) else tall
    return ScoreLine(points, "ICE-18", f"rainbow of {tall}, {bottom} to {top}")


def scores(situation: Situation) -> tuple[Score, ...]:
    """Returns the points of each seat; a completed stalk counts even before it is taken (ICE-16)."""
    return tuple(_score(situation, seat) for seat in range(situation.seats))


def _score(situation: Situation, seat: Seat) -> Score:
    stalks = situation.taken[seat]
    if situation.done is not None and seat == situation.turn:
        stalks = (*stalks, situation.done)
    lines = [line(stalk) for stalk in stalks]
    solids = {stalk[0] for stalk in stalks if is_solid(stalk)}
    if len(solids) == len(RAINBOW):
        more = SOLID_SET - (SOLID * len(RAINBOW) if situation.options.solid_set == "replace" else 0)
        lines.append(ScoreLine(more, "ICE-19", "solid stalks of all seven colors"))
    return Score.of(lines)


def outcome(situation: Situation) -> Outcome | None:
    """Returns the places once the game is over, with ties for equal scores (ICE-20)."""
    if not situation.is_over:
        return None
    totals = [score.total for score in scores(situation)]
    return Outcome(places(totals), "ICE-17", "All rocks are drawn and the last piece is placed.")

"""The policy of a seat within a playout of Roll & Color, where a few random moves would miss the good ones."""

from __future__ import annotations

from random import Random

from companion.core.contract import Move, Seat
from companion.games.roll_and_color.expectation import cost
from companion.games.roll_and_color.moves import ENTRIES, REROLLS, SIZES, Enter
from companion.games.roll_and_color.sheet import POINTS, open_rows
from companion.games.roll_and_color.situation import Situation


def routine(state: Situation, seat: Seat, random: Random) -> Move:
    """The entry that brings most beyond its row's par, if one brings more; before the last re-roll else any re-roll."""
    levels, entries = state.levels, ENTRIES[seat]
    best = max([entries[row][levels[row]][-1] for row in open_rows(state.sheets[seat])], key=_beyond_par)
    if state.rerolls == len(SIZES) or _beyond_par(best) > 0:
        return best
    return random.choice(REROLLS[seat][state.rerolls])


def _beyond_par(enter: Enter) -> float:
    return POINTS[enter.entry] - cost(enter.row, "sheet")

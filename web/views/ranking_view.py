"""The ranking of a game that is over: places, names, points and the gaps to the first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.contract import Points, Seat


def ranking(
    places: Sequence[Sequence[Seat]], names: Sequence[str], totals: Sequence[Points], *, scored: bool
) -> list[dict[str, Any]]:
    """One line for each player, the winner first; those who tie have the same place.

    Args:
        places: Seats by place, ties together.
        totals: Points by seat.
        scored: False in games whose points mean nothing: then there are neither points nor gaps.
    """
    best = totals[places[0][0]]
    lines: list[dict[str, Any]] = []
    for tied in places:
        place = len(lines) + 1
        for seat in tied:
            gap = totals[seat] - best
            total = {"total": totals[seat], "gap": gap} if scored else {}
            lines.append({"place": place, "seat": seat, "name": names[seat], **total})
    return lines

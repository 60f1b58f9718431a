"""The points for a played card (CRB-5).

Cards of one rank peg two for each pair among them: 2, 6, 12, 20, 30 for two to six.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.cribbage.counting import EIGHTEEN, SHORTEST_RUN

FULL = 37
"""The count may not go above this (CRB-4)."""
Pegged = tuple[int, str]
"""Points, and what for: "18", "pair", "run"."""


def pegged(ranks: Sequence[int]) -> list[Pegged]:
    """The points for the last card of a count with those before it, without going out and 37.

    Args:
        ranks: Ranks of all cards of the count, in the order in which they were played.
    """
    found: list[Pegged] = []
    if sum(ranks) == EIGHTEEN:
        found.append((2, "18"))
    last = ranks[-1]
    alike = 1
    while alike < len(ranks) and ranks[-1 - alike] == last:
        alike += 1
    if alike > 1:
        found.append((alike * (alike - 1), "pair"))
    else:
        run = longest_run(ranks)
        if run:
            found.append((run, "run"))
    return found


def longest_run(ranks: Sequence[int]) -> int:
    """The number of last cards that form the longest run, in any order; 0 if fewer than three do."""
    if len(ranks) < SHORTEST_RUN:
        return 0
    longest = seen = 0
    low = high = ranks[-1]
    for length, rank in enumerate(reversed(ranks), 1):
        bit = 1 << rank
        if seen & bit:
            break
        seen |= bit
        low, high = min(low, rank), max(high, rank)
        if length >= SHORTEST_RUN and high - low == length - 1:
            longest = length
    return longest

"""Which cards of a board a card can take, by value and by building (CAS-3, CAS-4).

Only ranks matter. A board is its ranks in rising order, and what is taken is a mask over their places, so that boards
of the same ranks share one table. A group is one card or several that add up to a value; groups do not overlap.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from companion.games.deck import RANKS

Ranks = tuple[int, ...]
"""Ranks of the board's cards, rising."""


class Way(NamedTuple):
    """How cards are taken: the value, the cards that the played one is laid on, and the groups of that value."""

    value: int
    base: tuple[int, ...]
    """Places on the board; empty if the card takes by its own value."""
    groups: tuple[tuple[int, ...], ...]


class Captures:
    """What can be taken from one board; worked out as far as it is asked for."""

    def __init__(self, ranks: Ranks, high_builds: bool) -> None:
        self.ranks = ranks
        self.highest = max(sum(ranks), RANKS) if high_builds else RANKS
        """The highest value that may be built."""
        self.by = _ByRank(self)
        """By rank of the played card: every set of cards that it can take, as masks in rising order."""
        self._groups: list[list[int]] | None = None
        self._unions: dict[int, tuple[int, ...]] = {}

    def taken_by(self, rank: int) -> tuple[int, ...]:
        """What `by` holds for a rank, worked out."""
        found = set(self.unions(rank))
        groups = self.groups()
        for value in range(rank + 1, self.highest + 1):
            bases = groups[value - rank]
            if bases:
                for union in self.unions(value):
                    found.update([base | union for base in bases if not base & union])
        return tuple(sorted(found))

    def groups(self) -> list[list[int]]:
        """By value up to the highest: the groups that have it."""
        if self._groups is None:
            highest = self.highest
            by_sum: list[list[int]] = [[] for _ in range(highest + 1)]
            by_sum[0].append(0)
            most = 0
            for place, rank in enumerate(self.ranks):
                bit = 1 << place
                most = min(most + rank, highest)
                for value in range(most, rank - 1, -1):
                    smaller = by_sum[value - rank]
                    if smaller:
                        by_sum[value] += [bit | group for group in smaller]
            self._groups = by_sum
        return self._groups

    def unions(self, value: int) -> tuple[int, ...]:
        """Every set of one or more groups of a value that do not overlap."""
        found = self._unions.get(value)
        if found is None:
            unions = {0}
            for group in self.groups()[value] if value <= self.highest else ():
                unions.update([union | group for union in unions if not union & group])
            unions.remove(0)
            found = self._unions[value] = tuple(unions)
        return found

    def ways(self, rank: int, taken: int) -> tuple[Way, ...]:
        """One way for each value by which a card of this rank can take exactly these cards, its own value first."""
        found = []
        for value in range(rank, self.highest + 1):
            for base in self.groups()[value - rank]:
                if base & taken == base and base != taken:
                    groups = self._partition(taken ^ base, value)
                    if groups is not None:
                        found.append(Way(value, places(base), groups))
                        break
        return tuple(found)

    def _partition(self, cards: int, value: int) -> tuple[tuple[int, ...], ...] | None:
        """Cards split into groups of a value, None if they cannot be."""
        if not cards:
            return ()
        lowest = cards & -cards
        for group in self.groups()[value]:
            if group & lowest and group & cards == group:
                rest = self._partition(cards ^ group, value)
                if rest is not None:
                    return (places(group), *rest)
        return None


class _ByRank(dict[int, tuple[int, ...]]):
    """Worked out for a rank when it is first asked for; from then on a plain, quick dictionary."""

    def __init__(self, captures: Captures) -> None:
        super().__init__()
        self._captures = captures

    def __missing__(self, rank: int) -> tuple[int, ...]:
        found = self[rank] = self._captures.taken_by(rank)
        return found


@lru_cache(maxsize=1 << 13)
def captures(ranks: Ranks, high_builds: bool) -> Captures:
    """The table of a board."""
    return Captures(ranks, high_builds)


def places(mask: int) -> tuple[int, ...]:
    """The places of a mask."""
    return tuple(place for place in range(mask.bit_length()) if mask >> place & 1)

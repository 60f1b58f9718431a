"""Finds the board cards that a card can take, by value and by building (CAS-3, CAS-4).

Only ranks matter. A board is the rising sequence of its ranks, and a take is a mask over the board's places, so boards
with the same ranks share one table. A group is one or more cards that add up to a value; groups do not overlap.

The number of takes grows without bound on a crowded board, so at most `MOST_LISTED` takes of each card are listed. The
check of a single play does not depend on that list.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.games.shared.cards.deck import RANKS

# Decides whether cards split into groups of one value (CAS-3, CAS-4), for one play however many there are.
#
# A card takes cards by a value if it and they together split into two groups or more of that value: the group with the
# played card is the card itself, or what it was laid on. So one search answers for both rules. Cards of one rank are
# alike, and the search goes by how many of each rank there are.

MOST_SPLIT_STEPS = 50_000
"""No more groups than this are tried for one value. Cards that keep a secret beyond it are believed to split."""

Groups = tuple[tuple[int, ...], ...]
"""Groups of ranks; the ranks of each group fall."""


class TooMany(Exception):
    """Raised if there are too many cards to try every split."""


def values(rank: int, taken: Sequence[int], highest: int) -> Iterator[int]:
    """Yields the values by which a card may take cards of these ranks, judged by their sum."""
    total = rank + sum(taken)
    for value in range(rank, min(highest, total // 2) + 1):
        if not total % value and max(taken) <= value:
            yield value


def split(ranks: Sequence[int], value: int) -> Groups | None:
    """Ranks in groups that each add up to a value; None if there is no such way.

    Raises:
        TooMany: No way was found within `MOST_SPLIT_STEPS`.
    """
    counts = [0] * (max(ranks) + 1)
    for rank in ranks:
        counts[rank] += 1
    return _SplitSearch(value).of(counts)


def may_split(ranks: Sequence[int], value: int) -> bool:
    """True if ranks split into groups of a value, or if the search is too long to decide."""
    try:
        return split(ranks, value) is not None
    except TooMany:
        return True


class _SplitSearch:
    def __init__(self, value: int) -> None:
        self._value = value
        self._steps = 0
        self._failed: set[tuple[int, ...]] = set()

    def of(self, counts: list[int]) -> Groups | None:
        """Returns a split of the counted ranks: the search puts the largest card into a group first and then splits the
        rest.
        """
        highest = next((rank for rank in range(len(counts) - 1, 0, -1) if counts[rank]), 0)
        if not highest:
            return ()
        key = tuple(counts)
        if highest > self._value or key in self._failed:
            return None
        counts[highest] -= 1
        for group in self._filled(counts, highest, self._value - highest):
            rest = self.of(counts)
            if rest is not None:
                counts[highest] += 1
                return ((highest, *group), *rest)
        counts[highest] += 1
        self._failed.add(key)
        return None

    def _filled(self, counts: list[int], most: int, missing: int) -> Iterator[tuple[int, ...]]:
        """Yields every way to add up to the missing sum, in falling ranks; while a way is in use, `counts` lacks its
        cards.
        """
        if not missing:
            yield ()
            return
        if not _adds_up(counts, most, missing):
            return
        for rank in range(min(most, missing), 0, -1):
            if not counts[rank]:
                continue
            self._steps += 1
            if self._steps > MOST_SPLIT_STEPS:
                raise TooMany
            counts[rank] -= 1
            for others in self._filled(counts, rank, missing - rank):
                yield (rank, *others)
            counts[rank] += 1


def _adds_up(counts: Sequence[int], most: int, missing: int) -> bool:
    """True if some of the cards of rank `most` or less add up to the missing sum."""
    reached = 1
    for rank in range(1, min(most, missing) + 1):
        for _ in range(min(counts[rank], missing // rank)):
            reached |= reached << rank
    return bool(reached >> missing & 1)


Ranks = tuple[int, ...]
"""The ranks of the board's cards, rising."""
MOST_LISTED = 2000
"""The largest number of takes that are listed for one card. Boards of up to ten cards never reach it."""
MOST_STEPS = 100_000
"""The largest number of combinations of groups that are tried for one list."""


class Way(NamedTuple):
    """One way to take cards: the value, the cards on which the played one is laid, and the groups of that value."""

    value: int
    base: tuple[int, ...]
    """The board places of the cards on which the played one is laid; empty if the card takes by its own value."""
    groups: tuple[tuple[int, ...], ...]


class Captures:
    """The takes that one board allows, computed on demand."""

    def __init__(self, ranks: Ranks, high_builds: bool) -> None:
        self.ranks = ranks
        self.highest = max(sum(ranks), RANKS) if high_builds else RANKS
        """The highest value that may be built."""
        self.by = _ByRank(self)
        """Rank of the played card to the sets of cards that it can take, as masks in rising order."""
        self._groups: list[list[int]] | None = None
        self._unions: dict[int, tuple[int, ...]] = {}
        self._is_cut = False
        """True if some groups or combinations are missing because there are too many."""

    def may_take(self, rank: int, taken: int) -> bool:
        """True if a card of a rank may take exactly these cards. The answer does not depend on the limited list."""
        ranks = [self.ranks[place] for place in places(taken)]
        return bool(ranks) and any(may_split([rank, *ranks], value) for value in values(rank, ranks, self.highest))

    def taken_by(self, rank: int) -> tuple[int, ...]:
        """Computes the entry of `by` for a rank."""
        found = set(self.unions(rank))
        groups = self.groups()
        steps = 0
        for value in range(rank + 1, self.highest + 1):
            bases = groups[value - rank]
            if bases and groups[value]:
                for union in self.unions(value):
                    found.update([base | union for base in bases if not base & union])
                    steps += len(bases)
                    if len(found) > MOST_LISTED or steps > MOST_STEPS:
                        self._is_cut = True
                        break
        if not found and self._is_cut:
            found.update(self._any_build(rank))
        return tuple(sorted(found)[:MOST_LISTED])

    def groups(self) -> list[list[int]]:
        """Returns the groups of each value up to the highest one, at most `MOST_LISTED` of each."""
        if self._groups is None:
            highest = self.highest
            by_sum: list[list[int]] = [[] for _ in range(highest + 1)]
            by_sum[0].append(0)
            most = 0
            for place, rank in enumerate(self.ranks):
                bit = 1 << place
                most = min(most + rank, highest)
                for value in range(most, rank - 1, -1):
                    smaller, here = by_sum[value - rank], by_sum[value]
                    if smaller:
                        here += [bit | group for group in smaller]
                        if len(here) > MOST_LISTED:
                            self._is_cut = True
                            del here[MOST_LISTED:]
            self._groups = by_sum
        return self._groups

    def unions(self, value: int) -> tuple[int, ...]:
        """Returns the sets of one or more groups of a value that do not overlap: all of them, unless there are too
        many.
        """
        found = self._unions.get(value)
        if found is None:
            groups = self.groups()[value] if value <= self.highest else []
            if len(groups) < 2:
                found = tuple(groups)
            else:
                unions = {0}
                steps = 0
                for group in groups:
                    steps += len(unions)
                    unions.update([union | group for union in unions if not union & group])
                    if len(unions) > MOST_LISTED or steps > MOST_STEPS:
                        self._is_cut = True
                        break
                unions.remove(0)
                found = tuple(unions)
            self._unions[value] = found
        return found

    def _any_build(self, rank: int) -> tuple[int, ...]:
        """Returns one take by building, or none. Card by card, it tracks the sums that a base and a group can reach."""
        reached: dict[tuple[int, int], int] = {(0, 0): 0}
        for place, other in enumerate(self.ranks):
            bit = 1 << place
            for (base, group), mask in list(reached.items()):
                if base + other <= self.highest - rank:
                    reached.setdefault((base + other, group), mask | bit)
                if group + other <= self.highest:
                    reached.setdefault((base, group + other), mask | bit)
        return tuple(mask for (base, group), mask in reached.items() if base and base + rank == group)[:1]

    def ways(self, rank: int, taken: int) -> tuple[Way, ...]:
        """Returns one way for each value by which a card of this rank can take exactly these cards, its own value
        first.
        """
        found = []
        cards = places(taken)
        ranks = [self.ranks[place] for place in cards]
        for value in values(rank, ranks, self.highest) if ranks else ():
            try:
                groups = split([rank, *ranks], value)
            except TooMany:
                continue
            if groups is not None:
                found.append(self._way(rank, value, groups, cards))
        return tuple(found)

    def _way(self, rank: int, value: int, groups: Groups, cards: tuple[int, ...]) -> Way:
        """Converts groups of ranks to board places. The group of the played card, without that card, becomes the
        base.
        """
        at = next(at for at, group in enumerate(groups) if rank in group)
        base = list(groups[at])
        base.remove(rank)
        left = list(cards)

        def taken(ranks: Sequence[int]) -> tuple[int, ...]:
            found = []
            for one in ranks:
                place = next(place for place in left if self.ranks[place] == one)
                left.remove(place)
                found.append(place)
            return tuple(sorted(found))

        laid_on = taken(base)
        others = [taken(group) for other, group in enumerate(groups) if other != at]
        return Way(value, laid_on, tuple(sorted(others)))


class _ByRank(dict[int, tuple[int, ...]]):
    """A dictionary that computes the takes of a rank at its first access."""

    def __init__(self, captures: Captures) -> None:
        super().__init__()
        self._captures = captures

    def __missing__(self, rank: int) -> tuple[int, ...]:
        found = self[rank] = self._captures.taken_by(rank)
        return found


FEW = 7
"""The largest number of board cards for which tables are kept in a large cache: small boards recur often."""

_of_few = lru_cache(maxsize=1 << 10)(Captures)
_of_many = lru_cache(maxsize=1 << 6)(Captures)


def captures(ranks: Ranks, high_builds: bool) -> Captures:
    """Returns the table of a board; the most recently used tables are cached."""
    return (_of_few if len(ranks) <= FEW else _of_many)(ranks, high_builds)


def places(mask: int) -> tuple[int, ...]:
    """Returns the places of a mask."""
    return tuple(place for place in range(mask.bit_length()) if mask >> place & 1)

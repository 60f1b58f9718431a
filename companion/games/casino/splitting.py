"""Decides whether cards split into groups of one value (CAS-3, CAS-4), for one play however many there are.

A card takes cards by a value if it and they together split into two groups or more of that value: the group with the
played card is the card itself, or what it was laid on. So one search answers for both rules. Cards of one rank are
alike, and the search goes by how many of each rank there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

MOST_STEPS = 50_000
"""No more groups than this are tried for one value. Cards that keep a secret beyond it are believed to split."""

Groups = tuple[tuple[int, ...], ...]
"""Ranks of each group, falling."""


class TooMany(Exception):
    """There are too many cards to look at every way to split them."""


def values(rank: int, taken: Sequence[int], highest: int) -> Iterator[int]:
    """The values by which a card may take cards of these ranks, as far as their sum allows."""
    total = rank + sum(taken)
    for value in range(rank, min(highest, total // 2) + 1):
        if not total % value and max(taken) <= value:
            yield value


def split(ranks: Sequence[int], value: int) -> Groups | None:
    """Ranks in groups that each add up to a value; None if there is no such way.

    Raises:
        TooMany: No way was found within `MOST_STEPS`.
    """
    counts = [0] * (max(ranks) + 1)
    for rank in ranks:
        counts[rank] += 1
    return _SplitSearch(value).of(counts)


def may_split(ranks: Sequence[int], value: int) -> bool:
    """True if ranks split into groups of a value; where that is too much to look through, they are believed to."""
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
        """The largest card goes into a group first, then the rest is split."""
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
        """Every way to add up to the missing sum, ranks not rising; meanwhile its cards are out of `counts`."""
        if not missing:
            yield ()
            return
        if not _adds_up(counts, most, missing):
            return
        for rank in range(min(most, missing), 0, -1):
            if not counts[rank]:
                continue
            self._steps += 1
            if self._steps > MOST_STEPS:
                raise TooMany
            counts[rank] -= 1
            for others in self._filled(counts, rank, missing - rank):
                yield (rank, *others)
            counts[rank] += 1


def _adds_up(counts: Sequence[int], most: int, missing: int) -> bool:
    """True if some cards of at most a rank add up to a number."""
    reached = 1
    for rank in range(1, min(most, missing) + 1):
        for _ in range(min(counts[rank], missing // rank)):
            reached |= reached << rank
    return bool(reached >> missing & 1)

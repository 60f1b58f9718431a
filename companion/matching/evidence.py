"""How strongly a picture speaks against a prediction, in nats.

The *regret* of a prediction is how much likelier the picture's best reading is than the prediction: 0 where they agree,
ln 20 where the reader would bet 20 to 1 against it. Regrets of independent spots add up, so a whole table has one
number, and a prediction that differs from another in two spots needs only those two weighed again.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import log
from typing import NamedTuple

from companion.layout import Layout, Sighting, Spot
from companion.pieces import Piece

FLOOR = 1e-4
"""No prediction is held for less likely than this: any reader may be wrong once in ten thousand spots."""
EMPTY_SHARE = 0.25
"""Part of a sighting's unlisted probability that goes to "empty": the commonest thing that a reader forgets to list."""
PIECE_SHARE = 0.05
"""Part that goes to each single unlisted piece: there are about twenty that it may be."""
MISSED = log(50)
"""Regret of a piece that should lie in a heap and is not seen there: one in fifty hides under a sleeve."""

_EXACT = 6
"""Up to this many pieces a side are paired exactly, beyond it greedily: the count of pairings explodes."""


def likelihood(sighting: Sighting, piece: Piece | None) -> float:
    """How likely the sighting is `piece`, listed or not; never below `FLOOR`."""
    listed = 0.0
    for candidate in sighting.candidates:
        if candidate.piece == piece:
            return max(candidate.probability, FLOOR)
        listed += candidate.probability
    return max((1.0 - listed) * (EMPTY_SHARE if piece is None else PIECE_SHARE), FLOOR)


def sighting_regret(sighting: Sighting, piece: Piece | None) -> float:
    """Nats by which the best reading beats `piece`."""
    if sighting.candidates[0].piece == piece:
        return 0.0
    return max(0.0, log(max(sighting.confidence, FLOOR) / likelihood(sighting, piece)))


class Pile(NamedTuple):
    """What is predicted of a heap."""

    pieces: tuple[Piece | None, ...]
    covered: tuple[Piece, ...] = ()
    """Those of the pieces that may stand unseen inside others."""


def pile(layout: Layout, spot: Spot) -> Pile | None:
    """What a layout predicts of a heap; None if nothing."""
    heap = layout.heaps.get(spot)
    if heap is None:
        return None
    return Pile(tuple([sighting.piece for sighting in heap]), layout.covered.get(spot, ()))


class Evidence:
    """One picture, with every regret worked out once."""

    def __init__(self, seen: Layout) -> None:
        self.seen = seen
        self._cells: dict[Spot, dict[Piece | None, float]] = {spot: {} for spot in seen.cells}
        self._heaps: dict[tuple[Spot, Pile], float] = {}

    def cell(self, spot: Spot, piece: Piece | None) -> float:
        """Regret of `piece` on a cell; 0 where nobody looked."""
        known = self._cells.get(spot)
        if known is None:
            return 0.0
        regret = known.get(piece)
        if regret is None:
            regret = known[piece] = sighting_regret(self.seen.cells[spot], piece)
        return regret

    def heap(self, spot: Spot, expected: Pile | None) -> float:
        """Regret of a heap's pieces, in any order; 0 where nobody looked or nothing is predicted."""
        if expected is None or spot not in self.seen.heaps:
            return 0.0
        key = spot, expected
        regret = self._heaps.get(key)
        if regret is None:
            regret = self._heaps[key] = self._pair(spot, expected)[0]
        return regret

    def extras(self, spot: Spot, expected: Pile) -> tuple[Sighting, ...]:
        """What lies in a heap beside the pieces that are expected."""
        return self._pair(spot, expected)[1]

    def _pair(self, spot: Spot, expected: Pile) -> tuple[float, tuple[Sighting, ...]]:
        missed = 0.0 if spot in self.seen.partial else MISSED
        return pair(expected, self.seen.heaps.get(spot, ()), missed)

    def total(self, layout: Layout) -> float:
        """Regret of a whole predicted table."""
        cells = sum(self.cell(spot, sighting.piece) for spot, sighting in layout.cells.items())
        return cells + sum(self.heap(spot, pile(layout, spot)) for spot in layout.heaps)


def pair(expected: Pile, seen: tuple[Sighting, ...], missed: float = MISSED) -> tuple[float, tuple[Sighting, ...]]:
    """Pair predicted pieces with sightings in the way that regrets least.

    A predicted piece that nothing shows costs `missed`, or nothing if it may be covered; a sighting that nothing
    predicts costs as much as taking it for nothing at all.

    :return: the regret, and the sightings left over.
    """
    rest = list(seen)
    hideable = Counter(expected.covered)
    missing: list[tuple[Piece | None, float]] = []
    for piece in sorted(expected.pieces, key=lambda piece: piece in hideable) if hideable else expected.pieces:
        for place, sighting in enumerate(rest):
            if sighting.piece == piece:
                del rest[place]
                break
        else:
            missing.append((piece, missed))
    if hideable:
        missing = [(piece, _missing_cost(piece, hideable, missed)) for piece, _ in missing]
    if not missing or not rest:
        gone = sum(cost for _, cost in missing)
        return gone + sum(sighting_regret(sighting, None) for sighting in rest), tuple(rest)
    if max(len(missing), len(rest)) <= _EXACT:
        return _pair_exactly(missing, rest)
    return _pair_greedily(missing, rest)


def _missing_cost(piece: Piece | None, hideable: Counter[Piece], missed: float) -> float:
    """0 for as many copies as may be covered, which are used up one by one."""
    if piece is not None and hideable[piece] > 0:
        hideable[piece] -= 1
        return 0.0
    return missed


def _pair_exactly(
    missing: list[tuple[Piece | None, float]], seen: list[Sighting]
) -> tuple[float, tuple[Sighting, ...]]:
    """Best pairing by going through the subsets of sightings that the first pieces may have used."""
    spurious = [sighting_regret(sighting, None) for sighting in seen]
    best: dict[int, float] = {0: 0.0}
    for piece, cost in missing:
        after: dict[int, float] = {}
        for used, regret in best.items():
            after[used] = min(after.get(used, 1e9), regret + cost)
            for place, sighting in enumerate(seen):
                if not used >> place & 1:
                    taken = used | 1 << place
                    after[taken] = min(after.get(taken, 1e9), regret + sighting_regret(sighting, piece))
        best = after

    def whole(used: int) -> float:
        return best[used] + sum(cost for place, cost in enumerate(spurious) if not used >> place & 1)

    used = min(best, key=whole)
    return whole(used), tuple(sighting for place, sighting in enumerate(seen) if not used >> place & 1)


def _pair_greedily(
    missing: list[tuple[Piece | None, float]], seen: list[Sighting]
) -> tuple[float, tuple[Sighting, ...]]:
    regret = 0.0
    rest = list(seen)
    for piece, cost in missing:
        costs = [sighting_regret(sighting, piece) for sighting in rest]
        place = min(range(len(rest)), key=costs.__getitem__, default=None)
        if place is None or costs[place] >= cost + sighting_regret(rest[place], None):
            regret += cost
        else:
            regret += costs[place]
            del rest[place]
    return regret + sum(sighting_regret(sighting, None) for sighting in rest), tuple(rest)


def choices_of(extras: tuple[Sighting, ...], count: int, least: float) -> list[tuple[Piece, ...]]:
    """What `count` of the leftover sightings may be, by candidates of at least probability `least`; likeliest first."""
    found: list[tuple[float, tuple[Piece, ...]]] = []
    for some in combinations(extras, count):
        ways: list[tuple[float, tuple[Piece, ...]]] = [(1.0, ())]
        for sighting in some:
            ways = [
                (chance * candidate.probability, (*way, candidate.piece))
                for chance, way in ways
                for candidate in sighting.candidates[:3]
                if candidate.piece is not None and candidate.probability >= least
            ]
        found += ways
    return [way for _, way in sorted(found, key=lambda one: -one[0])][:24]

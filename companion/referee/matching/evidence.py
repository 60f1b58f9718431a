"""The strength of a picture's evidence against a prediction, in nats.

The negative log-likelihood ratio (`nll_ratio`) of a prediction is how much likelier the picture's best reading is than
the prediction: 0 where they agree, ln 20 where the reader would bet 20 to 1 against it. Independent spots add up, so a
whole table has one number, and a prediction that differs from another in two spots needs only those two weighed again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Mapping, Sequence
from itertools import combinations
from math import log
from types import MappingProxyType
from typing import NamedTuple

from companion.core.contract import Drawn, Event
from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import Piece
from companion.referee.observation import FLOOR, observation_of

MISSED = log(50)
"""The cost in nats of a piece that should lie in a heap and is not seen there: one in fifty hides under a sleeve.
Chosen."""

UNDER_FOREIGN = log(5)
"""The same cost where something foreign lies over a part of the heap's zone: the piece may have been pushed under it.
Chosen."""
VEILED = 1.3
"""Nats against a move of a piece if a piece like it is seen elsewhere while something hides its place. This is less
than the cost of one more piece of the kind, so people are asked. Chosen."""
LIKELY_ENOUGH = 0.05
"""The least probability of a candidate of a new piece to be considered."""
_EXACT = 6
"""The number of pieces a side up to which they are paired exactly, and beyond which they are paired greedily, because
the number of pairings explodes. Chosen."""


def likelihood(sighting: Detection, piece: Piece | None) -> float:
    """Returns the probability that the detection is `piece`, whether or not it lists it; never below `FLOOR`."""
    return max(observation_of(sighting.piece).probability(sighting, piece), FLOOR)


def sighting_nll_ratio(sighting: Detection, piece: Piece | None) -> float:
    """Returns the nats by which the best reading beats `piece`."""
    if sighting.candidates[0].piece == piece:
        return 0.0
    return max(0.0, log(likelihood(sighting, sighting.piece) / likelihood(sighting, piece)))


def owner_of(spot: Spot) -> str:
    """Returns the owner of a spot, as "seat0" of "seat0.trees"; empty if it has no owner."""
    owner, dot, _ = spot.partition(".")
    return owner if dot else ""


class Pile(NamedTuple):
    """The predicted contents of a heap."""

    pieces: tuple[Piece | None, ...]
    covered: tuple[Piece, ...] = ()
    """Those of the pieces that may stand unseen inside others."""


def pile(layout: Layout, spot: Spot) -> Pile | None:
    """Returns the predicted contents of a heap in a layout; None if there is no prediction."""
    heap = layout.heaps.get(spot)
    if heap is None:
        return None
    return Pile(tuple([sighting.piece for sighting in heap]), layout.covered.get(spot, ()))


class DetectionPair(NamedTuple):
    """A predicted piece of a heap and the detection that it is paired with."""

    piece: Piece | None
    sighting: Detection | None
    """The detection; None if the piece is not seen."""
    nll_ratio: float


class DetectionPairing(NamedTuple):
    """The cheapest pairing of a heap's predicted pieces and its detections."""

    nll_ratio: float
    extras: tuple[Detection, ...] = ()
    """Sightings that no predicted piece explains."""
    pairs: tuple[DetectionPair, ...] = ()
    """One for each predicted piece that is not covered."""
    covered: tuple[Piece, ...] = ()
    """Unseen predicted pieces that may stand inside others."""

    def completed(self, elsewhere: Container[Piece | None] = ()) -> DetectionPairing:
        """Returns the pairing if the predicted pieces are known to be there: it also pairs the leftovers of both sides.

        An unseen piece is then a misread detection; the least unlikely pair comes first.

        Args:
            elsewhere: The unpredicted pieces of other heaps: such a piece is not misread here, but about to be put
                back.
        """
        moved = [one for one in self.pairs if one.nll_ratio > 0.0 and one.piece in elsewhere]
        pairs = [*(one for one in self.pairs if one not in moved), *(one._replace(sighting=None) for one in moved)]
        free = (*self.extras, *(one.sighting for one in moved if one.sighting is not None))
        extras = [one for one in free if one.piece is not None]
        lost = [one for one in pairs if one.sighting is None and one.nll_ratio > 0.0 and one.piece not in elsewhere]
        ways = sorted(
            (
                (sighting_nll_ratio(extra, one.piece), i, j)
                for i, one in enumerate(lost)
                for j, extra in enumerate(extras)
            )
        )
        found: dict[int, tuple[int, float]] = {}
        for nll_ratio, i, j in ways:
            if i not in found and all(j != taken for taken, _ in found.values()):
                found[i] = j, nll_ratio
        made = [DetectionPair(lost[i].piece, extras[j], nll_ratio) for i, (j, nll_ratio) in found.items()]
        used = [id(extras[j]) for j, _ in found.values()]
        gone = [id(lost[i]) for i in found]
        return DetectionPairing(
            self.nll_ratio,
            tuple(one for one in free if id(one) not in used),
            (*(one for one in pairs if id(one) not in gone), *made),
            self.covered,
        )


class Evidence:
    """One picture, with each cost computed only once."""

    def __init__(
        self,
        seen: Layout,
        absent: Mapping[Spot, Sequence[Piece]] = MappingProxyType({}),
        *,
        fresh: Container[str] = frozenset(),
        before: Layout | None = None,
        veiled: Mapping[Spot, Sequence[Piece]] = MappingProxyType({}),
    ) -> None:
        """
        Args:
            absent: By heap, pieces there that cannot be seen: missing them is no evidence.
            veiled: Those of them at hidden places: one that is seen elsewhere was moved.
            fresh: Places whose picture has changed.
            before: The earlier contents of the table.
        """
        self.seen = seen
        self._absent = absent
        self._fresh = fresh
        self._before = before
        self._veiled = veiled
        self.read = self if before is None else Evidence(seen, absent)
        """The evidence of the readings alone, without the fresh places."""
        self._cells: dict[Spot, dict[Piece | None, float]] = {spot: {} for spot in seen.cells}
        self._heaps: dict[Spot, dict[Pile, DetectionPairing]] = {spot: {} for spot in seen.heaps}

    def with_seen(self, seen: Layout) -> Evidence:
        """Returns the evidence of another reading, with the same pieces out of sight."""
        return Evidence(seen, self._absent)

    def away(self, spot: Spot) -> Sequence[Piece]:
        """Returns the pieces of a heap that cannot be seen."""
        return self._absent.get(spot, ())

    def cell(self, spot: Spot, piece: Piece | None) -> float:
        """Returns the cost of `piece` on a cell, in nats; 0 if the cell was not looked at."""
        known = self._cells.get(spot)
        if known is None:
            return 0.0
        nll_ratio = known.get(piece)
        if nll_ratio is None:
            nll_ratio = known[piece] = sighting_nll_ratio(self.seen.cells[spot], piece)
        return nll_ratio

    def heap(self, spot: Spot, expected: Pile | None) -> float:
        """Returns the cost of a heap's pieces in any order, in nats; 0 if the heap was not looked at or is not
        predicted.
        """
        return 0.0 if expected is None else self.pairing(spot, expected).nll_ratio

    def pairing(self, spot: Spot, expected: Pile) -> DetectionPairing:
        """Returns the pairing of predicted and seen pieces of a heap; it costs nothing if the heap was not looked
        at.
        """
        known = self._heaps.get(spot)
        if known is None:
            return _UNSEEN
        found = known.get(expected)
        if found is None:
            missed = UNDER_FOREIGN if spot in self.seen.obscured else MISSED
            missed = 0.0 if spot in self.seen.partial else missed
            stood = None if self._before is None else pile(self._before, spot)
            found = known[expected] = pair(
                expected,
                self.seen.heaps[spot],
                missed,
                self._absent.get(spot, ()),
                fresh=self._fresh,
                stood=() if stood is None else stood.pieces,
                veiled=self._veiled.get(spot, ()),
            )
        return found

    def extras(self, spot: Spot, expected: Pile) -> tuple[Detection, ...]:
        """Returns the detections in a heap beside the expected pieces."""
        return self.pairing(spot, expected).extras

    def misread(self, layout: Layout) -> float:
        """Returns the cost of those pieces of a predicted table that are there and read as something else, in nats."""
        cells = sum(self.cell(spot, sighting.piece) for spot, sighting in layout.cells.items())
        found = [self.pairing(spot, expected) for spot in layout.heaps if (expected := pile(layout, spot)) is not None]
        return cells + sum(pair.nll_ratio for one in found for pair in one.pairs if pair.sighting is not None)

    def lost(self, spot: Spot, expected: Pile) -> float:
        """Returns the cost of the unseen pieces of a heap that should lie in view, in nats."""
        return sum(pair.nll_ratio for pair in self.pairing(spot, expected).pairs if pair.sighting is None)

    def missing(self, layout: Layout) -> set[Piece]:
        """Returns the unseen pieces of a predicted table's heaps that should lie in view."""
        found = [self.pairing(spot, expected) for spot in layout.heaps if (expected := pile(layout, spot)) is not None]
        pairs = [pair for one in found for pair in one.pairs]
        return {
            pair.piece for pair in pairs if pair.sighting is None and pair.nll_ratio > 0.0 and pair.piece is not None
        }

    def unexplained(self, layout: Layout) -> set[Piece | None]:
        """Returns the pieces that may have come to a predicted table's heaps.

        These are the likely readings of extras, and of pieces that look exchanged; an unlikely one was not seen.
        """
        found: set[Piece | None] = set()
        for spot in layout.heaps:
            expected = pile(layout, spot)
            if expected is not None:
                pairing = self.pairing(spot, expected)
                odd = [pair.sighting for pair in pairing.pairs if pair.sighting is not None and pair.nll_ratio > 0.0]
                for sighting in (*pairing.extras, *odd):
                    found.add(sighting.piece)
                    found.update(one.piece for one in sighting.candidates if one.probability >= LIKELY_ENOUGH)
        return found

    def total(self, layout: Layout) -> float:
        """Returns the cost of a whole predicted table, in nats."""
        cells = sum(self.cell(spot, sighting.piece) for spot, sighting in layout.cells.items())
        return cells + sum(self.heap(spot, pile(layout, spot)) for spot in layout.heaps)

    def touched(self, layout: Layout) -> float:
        """Returns the part of a predicted table's cost that comes from changed places, in nats."""
        return 0.0 if self.read is self else self.total(layout) - self.read.total(layout)


_UNSEEN = DetectionPairing(0.0)


def pair(
    expected: Pile,
    seen: tuple[Detection, ...],
    missed: float = MISSED,
    absent: Sequence[Piece] = (),
    *,
    fresh: Container[str] = frozenset(),
    stood: Sequence[Piece | None] = (),
    veiled: Sequence[Piece] = (),
) -> DetectionPairing:
    """Pairs predicted pieces with detections at the least cost.

    An unseen predicted piece costs `missed`, or 0 if it may be covered or is one of the `absent`; an unpredicted
    detection costs as much as "no piece", less in a `fresh` place if all other pieces that `stood` there were pushed. A
    piece that reads as another one in a fresh place, or a `veiled` piece that is seen there, must also have been
    touched.
    """
    rest = list(seen)
    hideable, behind = Counter(expected.covered), Counter(veiled)
    missing: list[tuple[Piece | None, float]] = []
    pairs: list[DetectionPair] = []
    for piece in sorted(expected.pieces, key=lambda piece: piece in hideable) if hideable else expected.pieces:
        alike = [sighting for sighting in rest if sighting.candidates[0].piece == piece]
        if veiled and all(one.place in fresh for one in alike) and _taken(piece, behind):
            missing.append((piece, missed))
        elif alike:
            surest = alike[0] if len(alike) == 1 else max(alike, key=lambda sighting: sighting.confidence)
            rest.remove(surest)
            pairs.append(DetectionPair(piece, surest, 0.0))
        else:
            missing.append((piece, missed))
    away = Counter(absent)
    unseen = [(_taken(piece, away), _taken(piece, hideable)) for piece, _ in missing] if away or hideable else []
    missing = (
        [(one[0], 0.0) if any(why) else one for one, why in zip(missing, unseen, strict=True)] if unseen else missing
    )
    ratios = [[sighting_nll_ratio(one, piece) for one in rest] for piece, _ in missing]
    spurious = [sighting_nll_ratio(sighting, None) for sighting in rest]
    touched = bool(stood) and any(one.place in fresh for one in rest)
    come = Counter(expected.pieces) - Counter(stood) if touched else Counter[Piece | None]()
    pushed = _pushed(pairs, come, fresh) if touched else []
    if pushed and all(pushed):
        spurious = [_beside_pushed(one, cost, fresh) for one, cost in zip(rest, spurious, strict=True)]
    if missing and rest:
        if touched:
            against = _touches(rest, any(pushed), fresh)
            veils = Counter(veiled)
            for at, (piece, _) in enumerate(missing):
                if _taken(piece, veils):
                    ratios[at] = [
                        ratio + (VEILED if one.place in fresh else 0.0)
                        for ratio, one in zip(ratios[at], rest, strict=True)
                    ]
                elif not _taken(piece, come) and not (unseen and unseen[at][0]):
                    ratios[at] = [ratio + touch for ratio, touch in zip(ratios[at], against, strict=True)]
        exactly = max(len(missing), len(rest)) <= _EXACT
        places = (_paired_exactly if exactly else _paired_greedily)(missing, spurious, ratios)
    else:
        places = [None] * len(missing)
    covered: list[Piece] = []
    for at, ((piece, cost), place) in enumerate(zip(missing, places, strict=True)):
        if place is not None:
            pairs.append(DetectionPair(piece, rest[place], ratios[at][place]))
        elif unseen and unseen[at] == (False, True) and missed > 0.0 and piece is not None:
            covered.append(piece)
        else:
            pairs.append(DetectionPair(piece, None, cost))
    used = {place for place in places if place is not None}
    extras = tuple([sighting for place, sighting in enumerate(rest) if place not in used])
    nll_ratio = sum([one.nll_ratio for one in pairs])
    nll_ratio += sum([cost for place, cost in enumerate(spurious) if place not in used])
    return DetectionPairing(nll_ratio, extras, tuple(pairs), tuple(covered))


def _taken(piece: Piece | None, left: Counter[Piece] | Counter[Piece | None]) -> bool:
    """Removes one of this piece from those that are left; returns true if there was one."""
    if piece is None or left[piece] <= 0:
        return False
    left[piece] -= 1
    return True


def _pushed(pairs: Sequence[DetectionPair], come: Counter[Piece | None], fresh: Container[str]) -> list[bool]:
    """Returns, for each piece that stayed and reads as expected, true if it was clearly pushed: its place is fresh.

    Args:
        come: The pieces that have come to the heap; their pairs are left out.
    """
    stayed = [one.sighting for one in pairs if not _taken(one.piece, come)]
    return [one.place in fresh for one in stayed if one is not None]


def _touches(rest: Sequence[Detection], pushed: bool, fresh: Container[str]) -> list[float]:
    """Returns, for each other detection, the nats against a touch of the piece that stood there; 0 unless its place is
    fresh.

    Args:
        pushed: True if another piece of its heap was clearly pushed: one push moves several pieces.
    """
    kinds = [observation_of(one.piece) if one.place in fresh else None for one in rest]
    return [0.0 if kind is None else -log(kind.touched_too if pushed else kind.touched) for kind in kinds]


def _beside_pushed(sighting: Detection, spurious: float, fresh: Container[str]) -> float:
    """Returns the nats against "no piece" for a detection where all other pieces of its heap were pushed."""
    if sighting.place not in fresh:
        return spurious
    return max(0.0, spurious - log(observation_of(sighting.piece).more_beside_pushed))


def _paired_exactly(
    missing: list[tuple[Piece | None, float]], spurious: list[float], ratios: list[list[float]]
) -> list[int | None]:
    """Returns, for each piece, the index of its detection, by trying all subsets that the earlier pieces may have
    used.
    """
    best: dict[int, tuple[float, tuple[int | None, ...]]] = {0: (0.0, ())}
    for (_, cost), costs in zip(missing, ratios, strict=True):
        after: dict[int, tuple[float, tuple[int | None, ...]]] = {}
        for used, (nll_ratio, places) in best.items():
            if used not in after or nll_ratio + cost < after[used][0]:
                after[used] = nll_ratio + cost, (*places, None)
            for place, more in enumerate(costs):
                taken = used | 1 << place
                if taken != used and (taken not in after or nll_ratio + more < after[taken][0]):
                    after[taken] = nll_ratio + more, (*places, place)
        best = after

    def whole(used: int) -> float:
        return best[used][0] + sum([cost for place, cost in enumerate(spurious) if not used >> place & 1])

    return list(best[min(best, key=whole)][1])


def _paired_greedily(
    missing: list[tuple[Piece | None, float]], spurious: list[float], ratios: list[list[float]]
) -> list[int | None]:
    places: list[int | None] = []
    for (_, cost), row in zip(missing, ratios, strict=True):
        costs = {place: one for place, one in enumerate(row) if place not in places}
        place = min(costs, key=costs.__getitem__, default=None)
        worth = place is not None and costs[place] < cost + spurious[place]
        places.append(place if worth else None)
    return places


def choices_of(extras: tuple[Detection, ...], count: int, least: float) -> list[tuple[Piece, ...]]:
    """Returns the possible pieces of `count` leftover detections, the likeliest first, from candidates of at least
    probability `least`.
    """
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


def whole_draws(
    tried: Collection[tuple[Piece, ...]], told: Event | None, count: int
) -> Collection[tuple[Piece | None, ...]]:
    """Returns the pieces of possible draws; where the table shows as many new ones as are due, no draw has fewer.

    A part of them may be left over alone, because another one lies where an old piece lay.

    Args:
        told: The event that the table looks like at first sight.
    """
    if not isinstance(told, Drawn) or len(told.pieces) != count:
        return tried
    return [told.pieces, *(pieces for pieces in tried if len(pieces) == count and pieces != told.pieces)]

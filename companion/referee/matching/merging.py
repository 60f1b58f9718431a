"""Merges several readings of one table into one.

Pictures taken a moment apart share their light, glare and angle, and so most of their mistakes: together they are worth
little more than one. Their worth is measured for each kind of piece (`Observation.twice`). Readings of different tables
are never mixed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import prod

from msgspec.structs import replace

from companion.core.contract import State
from companion.core.layout import Candidate, Detection, Layout, Spot
from companion.core.pieces import Piece
from companion.referee.matching.doubts import differences
from companion.referee.matching.evidence import Evidence, likelihood
from companion.referee.observation import FLOOR, observation_of


def agree(state: State, one: Layout, other: Layout) -> bool:
    """Returns true if two readings differ from the position in the same spots and in the same way, clearly or by their
    best candidates.

    Where the reader follows places, both readings must have the same places: a thing in a new place was touched in
    between.
    """
    if _places(one) != _places(other):
        return False
    table = state.layout()
    if differences(table, Evidence(one)) == differences(table, Evidence(other)):
        return True
    return table.differences(one) == table.differences(other)


def _places(layout: Layout) -> frozenset[str]:
    return frozenset(sighting.place for heap in layout.heaps.values() for sighting in heap if sighting.place)


def merge(*readings: Layout) -> Layout:
    """Combines readings of one table, the first of which sets the order; at least one is needed.

    A followed piece that only some of them found is as likely as their share of all. A spot that only some of them have
    is merged from those. `Layout.looks` counts the readings that showed each piece.
    """
    first = readings[0]
    cells: dict[Spot, list[Detection]] = defaultdict(list)
    heaps: dict[Spot, list[tuple[Detection, ...]]] = defaultdict(list)
    for layout in readings:
        for spot, sighting in layout.cells.items():
            cells[spot].append(sighting)
        for spot, heap in layout.heaps.items():
            heaps[spot].append(heap)
    merged_cells = {spot: merged(sightings) for spot, sightings in cells.items()}
    looks = Counter({spot: _alike(cells[spot], one) for spot, one in merged_cells.items()})
    merged_heaps = {}
    for spot, seen in heaps.items():
        merged_heaps[spot], counts = _merged_heap(spot, seen)
        looks.update(counts)
    return replace(
        first,
        cells=merged_cells,
        heaps=merged_heaps,
        partial=frozenset().union(*(layout.partial for layout in readings)),
        hidden=first.hidden.intersection(*(layout.hidden for layout in readings)),
        elsewhere={place: one for layout in reversed(readings) for place, one in layout.elsewhere.items()},
        blind=frozenset().union(*(layout.blind for layout in readings)),
        obscured=first.obscured.intersection(*(layout.obscured for layout in readings)),
        at_mm={place: at for layout in reversed(readings) for place, at in layout.at_mm.items()},
        overlooked={place: more for layout in reversed(readings) for place, more in layout.overlooked.items()},
        looks=dict(looks),
        again=False,
    )


def merged(sightings: Sequence[Detection], twice: float | None = None) -> Detection:
    """Merges detections of one thing: the geometric mean of their likelihoods, to the power that two looks are worth.

    More than two are worth as much as two. They correct the mistake of a single one, but mistakes that all of them
    share do not get rarer; if they counted for more, readers that repeat their mistakes would accuse people.

    Args:
        twice: The exponent of the product of the likelihoods of two; None for the exponent measured for their kinds.
    """
    if len(sightings) == 1:
        return sightings[0]
    kinds = [observation_of(sighting.piece) for sighting in sightings]
    worth = 2 * (min(kind.twice for kind in kinds) if twice is None else twice)
    exponent = worth / len(sightings)
    pieces = dict.fromkeys(candidate.piece for sighting in sightings for candidate in sighting.candidates)
    weights = {piece: prod(_read(one, piece) for one in sightings) ** exponent for piece in pieces}
    rest = prod(map(_unlisted, sightings)) ** exponent
    rest *= min(kind.unlisted_ways for kind in kinds) ** (1 - worth)
    total = sum(weights.values()) + rest
    found = sorted(weights.items(), key=lambda item: -item[1])
    candidates = tuple(Candidate(piece, weight / total) for piece, weight in found)
    return Detection(candidates, sightings[0].place, any(one.glimpsed for one in sightings))


def _read(sighting: Detection, piece: Piece | None) -> float:
    """Returns the reader's probability of a piece; its reliability is applied once, after readings are combined."""
    listed = sighting.probability(piece)
    return max(listed, FLOOR) if listed > 0.0 else likelihood(sighting, piece)


def _unlisted(sighting: Detection) -> float:
    return max(FLOOR, 1.0 - sum(candidate.probability for candidate in sighting.candidates))


def _merged_heap(
    spot: Spot, readings: Sequence[tuple[Detection, ...]]
) -> tuple[tuple[Detection, ...], Mapping[str, int]]:
    """Merges heaps piece by piece; also returns how many readings showed the heap and each place like this.

    Pairs pieces by place; else by best candidate, the doubtful with the doubtful, in those readings that have the most
    common set of pieces. The pieces stay in the order of the first of these readings.
    """
    if all(sighting.place for heap in readings for sighting in heap):
        by_place: dict[str, list[Detection]] = defaultdict(list)
        for heap in readings:
            for sighting in heap:
                by_place[sighting.place].append(sighting)
        together = [_doubted(merged(found), len(found) / len(readings)) for found in by_place.values()]
        counts = {one.place: _alike(by_place[one.place], one) for one in together}
        return tuple(together), {spot: len(readings), **counts}
    held = [_pieces(heap) for heap in readings]
    commonest = max(reversed(held), key=held.count)
    alike = [heap for heap, pieces in zip(readings, held, strict=True) if pieces == commonest]
    if len(alike) == 1:
        return alike[0], {spot: 1}
    each = zip(*(sorted(heap, key=_kind_and_doubt) for heap in alike), strict=True)
    first = sorted(range(len(alike[0])), key=lambda at: _kind_and_doubt(alike[0][at]))
    in_order = dict(zip(first, map(merged, each), strict=True))
    return tuple(in_order[at] for at in sorted(in_order)), {spot: len(alike)}


def _alike(sightings: Sequence[Detection], together: Detection) -> int:
    """Returns the number of detections whose best reading is the common one; one less for a glimpsed thing."""
    return sum(one.piece == together.piece for one in sightings) - together.glimpsed


def _doubted(sighting: Detection, share: float) -> Detection:
    """Returns a detection, made less likely, of a piece that only this share of all readings found."""
    if share == 1:
        return sighting
    return replace(
        sighting, candidates=tuple(Candidate(one.piece, one.probability * share) for one in sighting.candidates)
    )


def _pieces(heap: Sequence[Detection]) -> list[str]:
    return sorted(repr(sighting.piece) for sighting in heap)


def _kind_and_doubt(sighting: Detection) -> tuple[str, float]:
    """Orders a heap so that equal pieces of several readings stand in the same places."""
    return repr(sighting.piece), sighting.confidence

"""Two readings of one table as one.

Two pictures taken a moment apart share their light, glare and angle, and so most of their mistakes: together they are
worth little more than one. How much is measured for each kind of piece (`Observation.twice`). Readings of different
tables are never mixed.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.contract import State
from companion.layout import Candidate, Layout, Sighting
from companion.matching.doubts import differences
from companion.matching.evidence import Evidence, likelihood
from companion.observation import FLOOR, observation_of
from companion.pieces import Piece

ONCE = 0.5
"""What only one of two readings of a place found is half as likely. Chosen; `python -m bench.turns` holds it."""


def agree(state: State, one: Layout, other: Layout) -> bool:
    """Whether two readings differ from the position in the same spots and in the same way, clearly or at their best."""
    table = state.layout()
    if differences(table, Evidence(one)) == differences(table, Evidence(other)):
        return True
    return table.differences(one) == table.differences(other)


def merge(one: Layout, other: Layout) -> Layout:
    """What two readings of one table say together. A spot that only one of them has stays as it is."""
    cells = dict(one.cells)
    for spot, sighting in other.cells.items():
        cells[spot] = merged(cells[spot], sighting) if spot in cells else sighting
    heaps = dict(one.heaps)
    for name, heap in other.heaps.items():
        heaps[name] = _merged_heap(heaps[name], heap) if name in heaps else heap
    return replace(
        one,
        cells=cells,
        heaps=heaps,
        partial=one.partial | other.partial,
        hidden=one.hidden & other.hidden,
        elsewhere={**other.elsewhere, **one.elsewhere},
        blind=one.blind | other.blind,
    )


def merged(one: Sighting, other: Sighting, twice: float | None = None) -> Sighting:
    """Two sightings of one thing as one.

    :param twice: the exponent of the product of their likelihoods; None: as it was measured for their kinds.
    """
    kinds = [observation_of(sighting.piece) for sighting in (one, other)]
    exponent = min(kind.twice for kind in kinds) if twice is None else twice
    pieces: dict[Piece | None, None] = {}
    for sighting in (one, other):
        pieces.update((candidate.piece, None) for candidate in sighting.candidates)
    weights = {piece: (_read(one, piece) * _read(other, piece)) ** exponent for piece in pieces}
    rest = (_unlisted(one) * _unlisted(other)) ** exponent
    rest *= min(kind.unlisted_ways for kind in kinds) ** (1 - 2 * exponent)
    total = sum(weights.values()) + rest
    found = sorted(weights.items(), key=lambda item: -item[1])
    return Sighting(tuple(Candidate(piece, weight / total) for piece, weight in found), one.place)


def _read(sighting: Sighting, piece: Piece | None) -> float:
    """What a reader says of a piece by itself: what readings are worth is weighed once, when they are one."""
    listed = sighting.probability(piece)
    return max(listed, FLOOR) if listed > 0.0 else likelihood(sighting, piece)


def _unlisted(sighting: Sighting) -> float:
    return max(FLOOR, 1.0 - sum(candidate.probability for candidate in sighting.candidates))


def _merged_heap(one: tuple[Sighting, ...], other: tuple[Sighting, ...]) -> tuple[Sighting, ...]:
    """Heaps piece by piece; different heaps are not mixed.

    Pieces are paired by place, else by best candidate, the doubtful with the doubtful.
    """
    places = {sighting.place: sighting for sighting in one if sighting.place}
    if places and len(places) == len(one):
        both = {two.place: merged(places[two.place], two) if two.place in places else two for two in other}
        return (*both.values(), *[_doubted(lost) for place, lost in places.items() if place not in both])
    mine, theirs = sorted(one, key=_kind_and_doubt), sorted(other, key=_kind_and_doubt)
    if [sighting.piece for sighting in mine] != [sighting.piece for sighting in theirs]:
        return other
    return tuple(merged(a, b) for a, b in zip(mine, theirs, strict=True))


def _doubted(sighting: Sighting) -> Sighting:
    """What only one of two readings found."""
    return replace(
        sighting, candidates=tuple(Candidate(one.piece, one.probability * ONCE) for one in sighting.candidates)
    )


def _kind_and_doubt(sighting: Sighting) -> tuple[str, float]:
    """Orders a heap so that equal pieces of two readings stand in the same places."""
    return repr(sighting.piece), sighting.confidence

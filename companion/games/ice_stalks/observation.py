"""Predicts the reading of a position: stalks in the middle, taken stalks at the sides, and rocks laid aside.

A heap has no order, but each stalk in it is a stack that has one. If a stalk grows, one stack disappears and another
one appears, regardless of its place and of players who push it around.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import Piece, Pyramid, Rock, Stack
from companion.games.ice_stalks.growth import (
    EACH,
    KIND,
    RAINBOW,
    ROCKS,
    ROCKS_SPOT,
    STALKS_SPOT,
    Stalk,
    pieces_of,
    stalk_of,
    taken_spot,
)
from companion.games.ice_stalks.situation import Situation
from companion.games.shared.search.ways import once_a_picture

FLOOR = 0.02
"""Candidates less likely than this are ignored."""
SURE = 0.9
"""A best candidate with at least this probability is not doubted."""

_ROCKS = tuple(Detection.sure(ROCKS[color]) for color in RAINBOW)


@lru_cache(maxsize=1 << 12)
def _sighting(stalk: Stalk) -> Detection:
    return Detection.sure(Stack(pieces_of(stalk)))


def layout(situation: Situation) -> Layout:
    """Returns the layout of every stalk; a completed stalk stands among the others until a player takes it."""
    growing = situation.stalks if situation.done is None else (*situation.stalks, situation.done)
    heaps = {STALKS_SPOT: tuple([_sighting(stalk) for stalk in growing])}
    for seat, taken in enumerate(situation.taken):
        heaps[taken_spot(seat)] = tuple([_sighting(stalk) for stalk in taken])
    heaps[ROCKS_SPOT] = tuple([rock for rock, left in zip(_ROCKS, aside(situation), strict=True) for _ in range(left)])
    return Layout(heaps=heaps)


def aside(situation: Situation) -> tuple[int, ...]:
    """Returns the number of rocks of each color that were drawn and shown, including the one in the hand."""
    return tuple([EACH - left for left in situation.rocks])


def stalk_in(piece: Piece | None) -> Stalk | None:
    """Returns the stalk that a seen piece shows; None if the piece is not of the set."""
    pieces = piece.pieces if isinstance(piece, Stack) else (piece,) if isinstance(piece, Pyramid) else ()
    if not pieces or any(one not in KIND for one in pieces):
        return None
    return stalk_of(pieces)


class StalksRead(NamedTuple):
    """The stalks that the detections of a heap may show."""

    may_be: Counter[Stalk]
    """Every stalk that the detections may show; a doubtful reading adds all of its candidates."""
    must_be: Counter[Stalk]
    """The stalks that the detections certainly show."""
    doubtful: tuple[Stalk, ...]
    """The possible stalks of detections whose named candidates add up to less than `SURE`."""


@once_a_picture
def stalks_in(seen: Layout) -> Mapping[Spot, StalksRead]:
    """Returns the possible stalks of each heap."""
    return {spot: _stalks_read(heap) for spot, heap in seen.heaps.items()}


def _stalks_read(sightings: tuple[Detection, ...]) -> StalksRead:
    unsure = [one for one in sightings if sum(other.probability for other in one.candidates) < SURE]
    return StalksRead(Counter(_may_be(sightings)), Counter(_must_be(sightings)), tuple(_may_be(unsure)))


def _may_be(sightings: Iterable[Detection]) -> Iterator[Stalk]:
    for sighting in sightings:
        for candidate in sighting.candidates:
            stalk = stalk_in(candidate.piece)
            if stalk is not None and (candidate.probability >= FLOOR or candidate.piece == sighting.piece):
                yield stalk


def _must_be(sightings: Iterable[Detection]) -> Iterator[Stalk]:
    for sighting in sightings:
        stalk = stalk_in(sighting.piece)
        alone = all(one.probability < FLOOR for one in sighting.candidates[1:])
        if stalk is not None and (alone or sighting.confidence >= SURE):
            yield stalk


def rocks_in(sightings: tuple[Detection, ...]) -> tuple[int, ...]:
    """Returns the number of rocks of each color among the sightings, by best candidate."""
    seen = [sighting.piece.color for sighting in sightings if isinstance(sighting.piece, Rock)]
    return tuple(seen.count(color) for color in RAINBOW)


def sharpened(seen: Layout) -> Layout:
    """Returns the same table in which every best candidate is certain and lone pyramids are stacks of one."""
    heaps = {}
    for spot, heap in seen.heaps.items():
        pieces = [sighting.piece for sighting in heap]
        heaps[spot] = tuple(
            Detection.sure(Stack((piece,)) if isinstance(piece, Pyramid) else piece) for piece in pieces
        )
    return Layout(heaps=heaps)

"""Recorded readings put right by the labels, in the confidences, identities and occlusions of the reader.

What then goes wrong in a game is the referee's own doing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from bench.readings_file import RecordedLook, RecordedReadings
from companion.core.layout import Candidate, Detection, Layout, Spot
from companion.core.pieces import Piece, Pyramid, Stack, Tile
from companion.core.plan import Plan, Point, PyramidZone
from vision.readers.pyramids.blind_zones import REACH_MM, depths_mm

NEAR_MM = 9.0
"""A thing that was read no farther than this from where the labels have one is that thing; no two things stand closer
than 11 mm."""
UNREAD = 0.95
"""Confidence of a piece that the reader did not see and that `exact` puts there."""


class _Thing(NamedTuple):
    """A stack or a lying piece as it was read."""

    sightings: tuple[Detection, ...]
    place: Point


def exact(recorded: RecordedReadings) -> RecordedReadings:
    """Returns the same recording with every reading put right by the labels, place by place.

    What is right is left as it was read. What is wrong gets the true piece with the confidence of the wrong one, which
    becomes the runner-up. What was not seen is there, unless the reader says that its place is hidden; what was
    invented is not.
    """
    known: dict[str, Point] = {}
    looks = []
    for look in recorded.looks:
        known |= look.places
        reads = tuple(_exact_layout(layout, look, recorded.plan, known) for layout in look.reads)
        looks.append(replace(look, reads=reads, further=reads[-1:]))
    return replace(recorded, looks=tuple(looks))


def _exact_layout(layout: Layout, look: RecordedLook, plan: Plan, known: Mapping[str, Point]) -> Layout:
    cells = dict(layout.cells)
    for number, tile in enumerate(look.truth.get("cells", ())):
        spot = f"c{number}"
        if spot in cells:
            piece = None if tile is None else Tile(tile["left"], tile["right"], tile["flat"], tile["value"])
            cells[spot] = _righted(cells[spot], piece)
    zones = {zone.spot: zone for zone in plan.zones if isinstance(zone, PyramidZone) and zone.spot in layout.heaps}
    heaps: dict[Spot, list[Detection]] = {spot: [] for spot in zones}
    things = [thing for spot in zones for thing in _things(layout.heaps[spot], look.places)]
    veiled = [known[key] for key in layout.hidden if key in known]
    for place, pieces in _standing(look.truth):
        zone = _zone_at(place, list(zones.values()))
        if zone is None:
            continue
        thing = min(things, key=lambda one: _apart(one.place, place), default=None)
        if thing is not None and _apart(thing.place, place) < NEAR_MM:
            things.remove(thing)
        elif any(_apart(one, place) < NEAR_MM for one in veiled):
            continue
        else:
            thing = _Thing((), place)
        heaps[zone.spot] += _true_sightings(thing, pieces, zone)
    told = {**layout.heaps, **{spot: tuple(heap) for spot, heap in heaps.items()}}
    return replace(layout, cells=cells, heaps=told)


def _standing(truth: Mapping[str, Any]) -> list[tuple[Point, tuple[Pyramid, ...]]]:
    """Returns the place and the pieces, bottom to top, of each thing in the labels."""
    stacks = [
        ((one["x"], one["y"]), tuple(Pyramid(p["color"], p["size"]) for p in one["pieces"]))
        for one in truth.get("stacks", ())
    ]
    lying = [((one["x"], one["y"]), (Pyramid(one["color"], one["size"]),)) for one in truth.get("lying", ())]
    return [*stacks, *lying]


def _things(heap: Sequence[Detection], places: Mapping[str, Point]) -> list[_Thing]:
    """Returns the sightings of a heap by stack: those of one stack follow each other and have one place."""
    found: list[_Thing] = []
    for sighting in heap:
        place = places.get(sighting.place, (float("inf"), float("inf")))
        if found and found[-1].place == place:
            found[-1] = _Thing((*found[-1].sightings, sighting), place)
        else:
            found.append(_Thing((sighting,), place))
    return found


def _true_sightings(thing: _Thing, pieces: tuple[Pyramid, ...], zone: PyramidZone) -> list[Detection]:
    """Returns the true sightings of a thing, with the confidences and identities that the reader gave it."""
    if zone.kind == "stalks":
        read = thing.sightings[0] if thing.sightings else _unread(thing.place, 0)
        return [_righted(read, Stack(pieces))]
    known = (*thing.sightings, *[_unread(thing.place, level) for level in range(len(thing.sightings), len(pieces))])
    return [_righted(sighting, piece) for sighting, piece in zip(known, pieces, strict=False)]


def _unread(place: Point, level: int) -> Detection:
    """Returns a sighting for a piece that the reader missed; its place names it."""
    return Detection((Candidate(None, UNREAD),), f"unread {place[0]:.0f} {place[1]:.0f} {level}")


def _righted(sighting: Detection, piece: Piece | None) -> Detection:
    if sighting.piece == piece:
        return sighting
    rest = [one for one in sighting.candidates if one.piece != piece]
    true = Candidate(piece, sighting.confidence)
    left = 1 - true.probability
    scale = min(1.0, left / max(sum(one.probability for one in rest), 1e-6))
    return replace(sighting, candidates=(true, *[Candidate(o.piece, o.probability * scale) for o in rest]))


def _apart(one: Point, other: Point) -> float:
    return math.hypot(one[0] - other[0], one[1] - other[1])


def _zone_at(place: Point, zones: Sequence[PyramidZone]) -> PyramidZone | None:
    """Returns the zone that a place is deepest inside of; None if it is far outside of all."""
    depths = depths_mm(place, zones)
    deepest = int(np.argmax(depths))
    return zones[deepest] if depths[deepest] >= -REACH_MM else None

"""Readings in which things on the line between two zones are in the other zone.

The reader says in which zone such a thing more likely is, and how likely it is in the other. It is in exactly one of
them, so a picture is not weighed spot by spot here: it is read in each way.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import log
from typing import NamedTuple

from msgspec.structs import replace

from companion.core.layout import Layout

_MOST = 3
"""The number of things whose zones are combined in all ways; more of them, as the pieces of one tall stack, move only
together."""


class OtherWay(NamedTuple):
    """The same table with one or several things in their second zones."""

    layout: Layout
    cost: float
    """Nats by which this way is less likely than the way in which the table was read."""


def other_ways(layout: Layout) -> Iterator[OtherWay]:
    """Yields all other ways in which a table may be read; none where every thing is clearly in one zone."""
    places = [
        place for place in layout.elsewhere if any(one.place == place for h in layout.heaps.values() for one in h)
    ]
    if len(places) > _MOST:
        yield _moved(layout, places)
        return
    for taken in product((False, True), repeat=len(places)):
        if any(taken):
            yield _moved(layout, [place for place, moves in zip(places, taken, strict=True) if moves])


def _moved(layout: Layout, places: list[str]) -> OtherWay:
    heaps, cost = dict(layout.heaps), 0.0
    elsewhere = dict(layout.elsewhere)
    for place in places:
        to = elsewhere.pop(place)
        for spot, heap in layout.heaps.items():
            for sighting in heap:
                if sighting.place == place:
                    heaps[spot] = tuple(one for one in heaps[spot] if one.place != place)
                    heaps[to.spot] = (*heaps.get(to.spot, ()), sighting)
        cost += log((1 - to.probability) / to.probability)
    return OtherWay(replace(layout, heaps=heaps, elsewhere=elsewhere), cost)

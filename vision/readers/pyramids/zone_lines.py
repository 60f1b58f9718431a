"""The zone of a pyramid; on the line between two zones, both, with the probability of each.

A guess there would accuse players of moves that did not happen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from companion.core.plan import Point, PyramidZone
from vision.readers.pyramids.hypothesis import StackHypothesis

REACH_MM = 12.0
"""A piece whose middle is so far outside of a zone still belongs to it: people do not aim at lines."""


OFF_MM = 1.2
"""Places are wrong by 0.9 to 1.2 mm in the median (docs/accuracy.md): the scale of a logistic distribution."""
UNSURE = 0.1
"""A second zone that is less probable is not named: farther than 2.6 mm from the line a piece is surely in one."""


class ZoneShare(NamedTuple):
    """A zone that something may stand in, and how probably."""

    zone: PyramidZone
    share: float


def depths_mm(place_mm: Point, zones: Sequence[PyramidZone]) -> list[float]:
    """Returns how deep a place on the table is inside of each zone, in millimeters; below 0 outside of it."""
    at = float(place_mm[0]), float(place_mm[1])
    outlines = [np.array(zone.outline_mm, np.float32).reshape(-1, 1, 2) for zone in zones]
    return [float(cv2.pointPolygonTest(outline, at, True)) for outline in outlines]


def zones_of(place: StackHypothesis, zones: Sequence[PyramidZone]) -> list[ZoneShare]:
    """The zones that a piece may stand in, likeliest first; none if it is beyond `REACH_MM` of all.

    A piece is in the zone that it is deepest inside of, or nearest to. How far it is from the line to another zone,
    beside what places may be off by, says how surely: on the line both are as likely.
    """
    depths = depths_mm((place.x_mm, place.y_mm), zones)
    order = sorted((k for k, depth in enumerate(depths) if depth >= -REACH_MM), key=lambda k: -depths[k])[:2]
    if len(order) < 2:
        return [ZoneShare(zones[k], 1.0) for k in order]
    first, second = order
    # The line is where both depths are alike; each changes by a millimeter for one.
    other = 1 / (1 + math.exp((depths[first] - depths[second]) / 2 / OFF_MM))
    if other < UNSURE:
        return [ZoneShare(zones[first], 1.0)]
    return [ZoneShare(zones[first], 1 - other), ZoneShare(zones[second], other)]

"""Pyramids of a plan's zones: which heap each piece stands in, kept from picture to picture.

In zones of kind "stalks" a stack is one piece; elsewhere every pyramid counts for itself, whatever it stands on.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.eyes import Mark
from companion.layout import Candidate, Sighting, Spot
from companion.pieces import Pyramid, Stack
from companion.plan import PyramidZone
from vision.pyramids.reader import Memory, read
from vision.pyramids.recognition import found_mark
from vision.pyramids.scene import Found
from vision.table import Table

REACH_MM = 12.0
"""A piece whose middle is so far outside of a zone still belongs to it: people do not aim at lines."""


class PyramidZones:
    """Reads the pyramids of one table."""

    def __init__(self) -> None:
        self._memory: Memory | None = None

    def read(
        self, table: Table, zones: Sequence[PyramidZone]
    ) -> tuple[dict[Spot, tuple[Sighting, ...]], tuple[Mark, ...]]:
        """Heaps by spot, empty ones too, and marks in the original picture's pixels. Pieces in no zone are nobody's."""
        memory = read(table.picture, table.pose, table.light, table.mat, self._memory)
        self._memory = memory
        heaps: dict[Spot, list[Sighting]] = {zone.spot: [] for zone in zones}
        marks = []
        for found in memory.scene.found:
            zone = zone_of(found, zones)
            if zone is not None:
                heaps[zone.spot] += [stacked(found)] if zone.kind == "stalks" else found.levels
            marks.append(found_mark(table, found, None if zone is None else zone.spot))
        return {spot: tuple(heap) for spot, heap in heaps.items()}, tuple(marks)


def zone_of(found: Found, zones: Sequence[PyramidZone]) -> PyramidZone | None:
    """The zone that a piece stands in: the one it is deepest inside of, or nearest to within `REACH_MM`."""
    depths = [
        cv2.pointPolygonTest(
            np.array(zone.outline_mm, np.float32).reshape(-1, 1, 2), (found.place.x_mm, found.place.y_mm), True
        )
        for zone in zones
    ]
    if not depths or max(depths) < -REACH_MM:
        return None
    return zones[int(np.argmax(depths))]


def stacked(found: Found) -> Sighting:
    """A stack as one sighting: the best reading of all levels, then those that differ from it in one level."""
    best = tuple(level.piece for level in found.levels if isinstance(level.piece, Pyramid))
    sure = float(np.prod([level.confidence for level in found.levels]))
    candidates = [Candidate(Stack(best), sure)]
    for at, level in enumerate(found.levels):
        for other in level.candidates[1:]:
            if isinstance(other.piece, Pyramid):
                pieces = (*best[:at], other.piece, *best[at + 1 :])
                candidates.append(Candidate(Stack(pieces), sure * other.probability / max(level.confidence, 1e-6)))
    return Sighting((candidates[0], *sorted(candidates[1:], key=lambda one: -one.probability)))

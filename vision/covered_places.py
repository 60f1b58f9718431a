"""Marks the parts of a reading under things that reach in: they come from an earlier picture, so they are not visible
now.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from msgspec import structs

from companion.core.layout import Layout, Spot
from companion.core.plan import Plan, Point, PyramidBoard, PyramidZone, TileHeap
from vision.image.likeness import SHRINK, Mask
from vision.readers.pyramids.blind_zones import CellGrid, obscured_zones
from vision.registration.registered_image import RegisteredImage

MUCH = 1 / 3
"""The covered share from which a zone is obscured; players do not set pieces down under the edge of an arm."""
AT_MM = 8.0
"""The height in millimeters above the table at which a piece's middle must be covered for the piece to be hidden."""


def without_covered(
    layout: Layout, covered: Mask, table: RegisteredImage, plan: Plan, middles_mm: Mapping[Spot, Point]
) -> Layout:
    """Returns a reading in which covered pieces and cells are hidden, and zones that are covered in part are obscured.

    Args:
        covered: (h, w) 1 where something reaches in, of any size.
        middles_mm: Of the cells, where known.
    """
    size = table.picture.shape[1] // SHRINK, table.picture.shape[0] // SHRINK
    small = np.asarray(cv2.resize(covered, size, interpolation=cv2.INTER_NEAREST), np.uint8)
    places = {key for key, at in layout.at_mm.items() if _is_under(small, table, at)}
    boards = [CellGrid(zone) for zone in plan.zones if isinstance(zone, PyramidBoard)]
    middles = {spot: at for board in boards for spot, at in board.middles().items()} | dict(middles_mm)
    spots = {spot for spot in layout.cells if spot in middles and _is_under(small, table, middles[spot])}
    heaps = [zone for zone in plan.zones if isinstance(zone, PyramidZone | TileHeap)]
    much = [zone for zone in heaps if _share(small, table, zone) >= MUCH]
    return structs.replace(
        layout,
        cells={spot: sighting for spot, sighting in layout.cells.items() if spot not in spots},
        heaps={spot: tuple(one for one in heap if one.place not in places) for spot, heap in layout.heaps.items()},
        hidden=layout.hidden | places | spots,
        obscured=layout.obscured | obscured_zones(small, table.pose.project, SHRINK, much),
    )


def _share(small: Mask, table: RegisteredImage, zone: PyramidZone | TileHeap) -> float:
    """Returns the covered share of a zone's visible part, 0 to 1."""
    flat = np.array([(*corner, 0.0) for corner in zone.outline_mm])
    outline = np.round(table.pose.project(flat) / SHRINK).astype(np.int32)
    inside = np.asarray(cv2.fillPoly(np.zeros(small.shape, np.uint8), [outline], 1), np.uint8)
    return float((inside & small).sum()) / max(1, int(inside.sum()))


def _is_under(small: Mask, table: RegisteredImage, at_mm: Point) -> bool:
    column, row = np.round(table.pose.project(np.array([[*at_mm, AT_MM]]))[0] / SHRINK).astype(int)
    inside = 0 <= row < small.shape[0] and 0 <= column < small.shape[1]
    return bool(inside and small[row, column])

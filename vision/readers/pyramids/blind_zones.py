"""The zones in which a pyramid could stand unread, behind another thing.

A referee must not conclude that an unseen piece is absent: a drawn piece may stand behind a large. So each zone is
searched for such a place, for a small, which is the easiest to hide. At several heights the shadows that all things
throw, seen from the camera, are drawn over the table; a small of which most lies in them, and which overlaps no other
base, could stand there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.layout import Spot
from companion.core.pieces import SHAPES
from companion.core.plan import Point, PyramidBoard, PyramidZone, TileHeap
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.registration.registered_image import RegisteredImage

Floats = NDArray[Any]

# The zone of a pyramid; on the line between two zones, both, with the probability of each.
#
# A guess there would accuse players of moves that did not happen.

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


REACH = 0.2
"""A piece may stand so much of a cell's side outside of the board and still belong to its outermost cell."""
_SHOWN = 0.35
"""A cell counts as looked at where this much of it around its middle lies in the picture, as a share of its side."""


class CellGrid:
    """One board's cells on the table."""

    def __init__(self, board: PyramidBoard) -> None:
        self.rows = board.rows
        self.columns = len(board.rows[0])
        corners = np.array(board.outline_mm, np.float32)
        grid = np.array([(0, 0), (self.columns, 0), (self.columns, len(self.rows)), (0, len(self.rows))], np.float32)
        self._to_grid = cv2.getPerspectiveTransform(corners, grid)
        self._to_table = cv2.getPerspectiveTransform(grid, corners)

    def spot_at(self, x_mm: float, y_mm: float) -> Spot | None:
        """The cell at a place of the table; None off the board and where it has no cell."""
        place = cv2.perspectiveTransform(np.array([[[x_mm, y_mm]]], np.float64), self._to_grid)
        across, down = (float(part) for part in place.reshape(2))
        if not (-REACH <= across < self.columns + REACH and -REACH <= down < len(self.rows) + REACH):
            return None
        column = min(max(int(np.floor(across)), 0), self.columns - 1)
        row = min(max(int(np.floor(down)), 0), len(self.rows) - 1)
        return self.rows[row][column] or None

    def middles(self) -> dict[Spot, tuple[float, float]]:
        """The middle of each cell in table millimeters."""
        cells = [
            (spot, (column + 0.5, row + 0.5))
            for row, spots in enumerate(self.rows)
            for column, spot in enumerate(spots)
            if spot
        ]
        there = cv2.perspectiveTransform(np.array([[at for _, at in cells]], np.float64), self._to_table)[0].tolist()
        return {spot: (x, y) for (spot, _), (x, y) in zip(cells, there, strict=True)}

    def looked_at(self, table: RegisteredImage) -> Iterator[Spot]:
        """Cells whose middle parts lie in the picture."""
        height, width = table.picture.shape[:2]
        around = np.array([(0, 0), (_SHOWN, 0), (-_SHOWN, 0), (0, _SHOWN), (0, -_SHOWN)])
        for row, spots in enumerate(self.rows):
            for column, spot in enumerate(spots):
                if not spot:
                    continue
                places = (around + np.array((column + 0.5, row + 0.5))).reshape(-1, 1, 2)
                flat = cv2.perspectiveTransform(places, self._to_table).reshape(-1, 2)
                at = table.pose.project(np.column_stack([flat, np.zeros(len(flat))]))
                if ((at >= 0) & (at < (width, height))).all():
                    yield spot


GRID_MM = 2.0
"""The distance between the places that are tried."""
HIDDEN = 0.7
"""A small of which at least so much is hidden may not be read. Chosen."""
SLICES = 4
"""The number of heights at which shadows are drawn."""
_SMALL = SHAPES["small"]


def blind_zones(eye_mm: Floats, solids: Iterable[Floats], zones: Sequence[PyramidZone]) -> frozenset[Spot]:
    """Returns the zones in which a small pyramid could stand out of sight.

    Args:
        eye_mm: (3,) where the camera is, in table millimeters, z upward.
        solids: The corners (N, 3) of each convex thing that stands on the table, in table millimeters.
        zones: The zones in question.
    """
    shapes = [np.asarray(solid, np.float64) for solid in solids]
    lower = [solid for solid in shapes if solid[:, 2].max() < eye_mm[2]]
    if not lower or not zones:
        return frozenset()
    corners = np.concatenate([np.array(zone.outline_mm, np.float64) for zone in zones])
    origin, size = corners.min(axis=0), np.ceil((corners.max(axis=0) - corners.min(axis=0)) / GRID_MM).astype(int) + 1

    def drawn(polygons: Iterable[Floats]) -> NDArray[np.uint8]:
        mask = np.zeros((size[1], size[0]), np.uint8)
        for polygon in polygons:
            if len(polygon):
                hull = cv2.convexHull(((polygon - origin) / GRID_MM).astype(np.float32).reshape(-1, 1, 2))
                cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), 1)
        return mask

    hidden, total = np.zeros((size[1], size[0]), np.float32), 0.0
    for k in range(SLICES):
        weight = 1 - k / SLICES
        side = max(1, round(_SMALL.base_mm * weight / GRID_MM))
        shadows = drawn(_shadow(eye_mm, solid, _SMALL.height_mm * k / SLICES) for solid in lower)
        hidden += weight * cv2.boxFilter(shadows, cv2.CV_32F, (side, side), borderType=cv2.BORDER_CONSTANT)
        total += weight
    around = round(_SMALL.base_mm / GRID_MM)
    taken = cv2.dilate(drawn(solid[:, :2] for solid in shapes), np.ones((around, around), np.uint8))
    places = (hidden >= HIDDEN * total) & (taken == 0)
    return frozenset(zone.spot for zone in zones if (places & (drawn([np.array(zone.outline_mm)]) > 0)).any())


def obscured_zones(
    foreign: NDArray[np.uint8],
    project: Callable[[Floats], Floats],
    shrink: float,
    zones: Sequence[PyramidZone | TileHeap],
) -> frozenset[Spot]:
    """Returns the zones over a part of which something foreign lies that is large enough to hide a small pyramid.

    Args:
        foreign: (h, w) 1 where neither the table nor a known thing is seen, in a picture made smaller.
        project: From (N, 3) table millimeters, z upward, to (N, 2) pixels of the whole picture.
        shrink: How many pixels of the whole picture one of `foreign` is wide.
    """
    if not zones or not foreign.any():
        return frozenset()
    found = []
    side = max(1, round(_SMALL.base_mm / GRID_MM))
    for zone in zones:
        corners = np.array(zone.outline_mm, np.float64)
        (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
        xs, ys = np.meshgrid(np.arange(x0, x1 + GRID_MM, GRID_MM), np.arange(y0, y1 + GRID_MM, GRID_MM))
        hidden = np.ones(xs.shape, np.uint8)
        for z in (0.0, _SMALL.height_mm):
            pixels = project(np.column_stack([xs.ravel(), ys.ravel(), np.full(xs.size, z)]))
            columns, rows = np.round((pixels + 0.5) / shrink - 0.5).astype(int).T
            inside = (columns >= 0) & (rows >= 0) & (columns < foreign.shape[1]) & (rows < foreign.shape[0])
            seen = np.zeros(xs.size, np.uint8)
            seen[inside] = foreign[rows[inside], columns[inside]]
            hidden &= seen.reshape(xs.shape)
        outline = np.round((corners - (x0, y0)) / GRID_MM).astype(np.int32)
        within = cv2.fillPoly(np.zeros(xs.shape, np.uint8), [outline], 1)
        if cv2.erode(cv2.bitwise_and(hidden, within), np.ones((side, side), np.uint8), borderValue=0).any():
            found.append(zone.spot)
    return frozenset(found)


def _shadow(eye_mm: Floats, solid: Floats, z_mm: float) -> Floats:
    """Returns the corners (K, 2) of what a solid hides of the plane at a height; none if it does not reach it."""
    corners = _above(solid, z_mm)
    share = (eye_mm[2] - z_mm) / (eye_mm[2] - corners[:, 2])
    return np.asarray(eye_mm[:2] + share[:, None] * (corners[:, :2] - eye_mm[:2]))


def _above(solid: Floats, z_mm: float) -> Floats:
    """Returns the corners (K, 3) of the part of a convex solid that is not below a height."""
    over = solid[solid[:, 2] >= z_mm]
    under = solid[solid[:, 2] < z_mm]
    if not len(over) or not len(under):
        return over
    low, high = under[:, None], over[None]
    share = (z_mm - low[..., 2:]) / (high[..., 2:] - low[..., 2:])
    return np.concatenate([over, (low + share * (high - low)).reshape(-1, 3)])

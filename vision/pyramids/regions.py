"""Which parts of the picture are worth a close look: whatever differs from the bare table inside the mat.

Markers are cut out, small gaps are bridged, and what is left becomes boxes; a box that is far larger than any stack is
cut into tiles, because a piece may lie beside a phone.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.plan import Mat
from vision.pyramids.evidence import Box
from vision.pyramids.models import Projector
from vision.pyramids.reference import SHRINK

TALLEST_MM = 95.0
"""Seven large pieces in a stack."""
MARKER_QUIET = 0.72
"""Half side of a printed marker with its white border, in sides of the black square; as a radius."""
TILE_PX = 200
"""Longest side of a box."""


def mat_mask(pose: Projector, mat: Mat, size_px: tuple[int, int], shrink: int = 1) -> NDArray[np.uint8]:
    """(H, W) 1 where a piece inside the mat may show, markers left out; of the picture shrunk by `shrink`."""
    # cv2.resize rounds the same way.
    width, height = round(size_px[0] / shrink), round(size_px[1] / shrink)
    mask = np.zeros((height, width), np.uint8)

    def fill(points_mm: NDArray[np.float64], value: int) -> None:
        pixels = ((pose.project(points_mm) + 0.5) / shrink - 0.5) * 16
        hull = cv2.convexHull(np.clip(pixels, -1e6, 1e6).round().astype(np.int32).reshape(-1, 1, 2))
        cv2.fillConvexPoly(mask, hull, value, shift=4)

    margin = 12.0
    w, h = mat.width_mm, mat.height_mm
    corners = [(x, y) for x in (-margin, w + margin) for y in (-margin, h + margin)]
    fill(np.array([(x, y, z) for x, y in corners for z in (0.0, TALLEST_MM)]), 1)
    radius = mat.marker_mm * MARKER_QUIET * 1.2
    for x, y in mat.corners_mm():
        turns = np.linspace(0, 2 * math.pi, 16, endpoint=False)
        circle = np.column_stack([x + radius * np.cos(turns), y + radius * np.sin(turns), np.zeros(16)])
        fill(circle, 0)
    return mask


def boxes(other: NDArray[np.uint8], mask: NDArray[np.uint8], px_per_mm: float, size_px: tuple[int, int]) -> list[Box]:
    """Boxes of the picture around what is other than the table.

    `other` and `mask` (H / 4, W / 4) are of the quarter picture.
    """
    # Printed lines are thinner than any piece; left in, they would join all boxes to one.
    spot = cv2.morphologyEx(other & mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    spot = cv2.morphologyEx(spot, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(spot, connectivity=8)
    least = 0.12 * (14.3 * px_per_mm / SHRINK) ** 2
    margin = math.ceil(5 * px_per_mm)
    found: list[Box] = []
    for x, y, w, h, area in stats[1:count]:
        if area < least:
            continue
        x0, y0 = max(x * SHRINK - margin, 0), max(y * SHRINK - margin, 0)
        x1 = min((x + w) * SHRINK + margin, size_px[0])
        y1 = min((y + h) * SHRINK + margin, size_px[1])
        found.append((int(x0), int(y0), int(x1), int(y1)))
    return [tile for box in merged(found) for tile in tiles(box)]


def tiles(box: Box) -> list[Box]:
    """A box cut into even parts of at most `TILE_PX` a side."""
    x0, y0, x1, y1 = box
    columns, rows = -(-(x1 - x0) // TILE_PX), -(-(y1 - y0) // TILE_PX)
    xs = [x0 + (x1 - x0) * i // columns for i in range(columns + 1)]
    ys = [y0 + (y1 - y0) * i // rows for i in range(rows + 1)]
    return [(xs[i], ys[j], xs[i + 1], ys[j + 1]) for j in range(rows) for i in range(columns)]


def merged(found: list[Box]) -> list[Box]:
    """Boxes that overlap, joined, as long as the joint box stays small."""
    pool = list(found)
    done: list[Box] = []
    while pool:
        box = pool.pop()
        for i, other in enumerate(pool):
            apart = box[0] >= other[2] or other[0] >= box[2] or box[1] >= other[3] or other[1] >= box[3]
            joint = min(box[0], other[0]), min(box[1], other[1]), max(box[2], other[2]), max(box[3], other[3])
            if not apart and max(joint[2] - joint[0], joint[3] - joint[1]) <= TILE_PX:
                pool[i] = joint
                break
        else:
            done.append(box)
    return sorted(done)

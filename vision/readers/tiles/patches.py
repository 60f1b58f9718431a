"""Cuts square patches around triangles, each seen from straight above with its tip up.

Cells and loose tiles are cut out in the same way, so the code for sectors, digits and glare exists once. A patch is
small enough to be interpolated between its four projected corners.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.light import LINEAR, Light
from vision.image.pose import Floats, Pose
from vision.readers.tiles.lattice import CELLS, Placement

PX_PER_MM = 1.5
SIDE_PX = 78
"""The side of a patch in pixels; 52 mm hold a 50 mm triangle around its middle."""


class Spot(NamedTuple):
    """A triangle on the table: its middle and the direction from there to its tip, between its left and right edges."""

    x_mm: float
    y_mm: float
    heading_deg: float


class Patches(NamedTuple):
    """N patches on one plane."""

    levels: NDArray[np.uint8]
    """(N, S, S, 3): B, G, R of the picture."""
    shown: NDArray[np.bool_]
    """(N, S, S): True where the picture shows the place."""
    white: NDArray[np.float32]
    """(N, 3): linear light of white paper there as B, G, R."""

    def reflectance(self, levels: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Returns levels (N, ..., 3) relative to white paper, in linear light."""
        white = self.white.reshape(len(self.white), *(1,) * (levels.ndim - 2), 3)
        return np.asarray(LINEAR[levels] / white)


def cell_spots(placement: Placement) -> tuple[Spot, ...]:
    """Returns the place and heading of each of the 36 cells; a downward cell is turned by 180 degrees."""
    middles = placement.to_table(np.array([cell.middle for cell in CELLS]))
    return tuple(
        Spot(float(x), float(y), placement.heading_deg + (0 if cell.upward else 180))
        for (x, y), cell in zip(middles, CELLS, strict=True)
    )


@lru_cache(maxsize=1)
def patch_axes() -> tuple[Floats, Floats]:
    """Returns (S, S) u and v in millimeters of each pixel of a patch, from the triangle's middle, v toward the tip."""
    axis = (np.arange(SIDE_PX) - (SIDE_PX - 1) / 2) / PX_PER_MM
    u, v = np.meshgrid(axis, -axis)
    return u, v


@lru_cache(maxsize=1)
def _shares() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    share = np.arange(SIDE_PX, dtype=np.float32) / (SIDE_PX - 1)
    x, y = (np.asarray(axis, np.float32) for axis in np.meshgrid(share, share))
    return x, y


def cut(picture: NDArray[np.uint8], pose: Pose, light: Light, spots: Sequence[Spot], z_mm: float) -> Patches:
    """Cuts the patches of `spots` out of a picture, on the plane at height `z_mm`."""
    count = len(spots)
    if not count:
        none = np.zeros((0, SIDE_PX, SIDE_PX), bool)
        return Patches(np.zeros((*none.shape, 3), np.uint8), none, np.zeros((0, 3), np.float32))
    half = (SIDE_PX - 1) / 2 / PX_PER_MM
    corners = np.array([[-half, half], [half, half], [-half, -half], [half, -half]])
    places = np.stack([Placement(s.x_mm, s.y_mm, s.heading_deg).to_table(corners) for s in spots])
    flat = places.reshape(-1, 2)
    pixels = pose.project(np.column_stack([flat, np.full(len(flat), z_mm)]))
    ends = np.clip(pixels, -1e4, 1e5).astype(np.float32).reshape(count, 4, 2)
    x, y = _shares()
    a, b, c, d = (ends[:, k, None, None, :] for k in range(4))
    right, down = x[..., None], y[..., None]
    grid = (a * (1 - right) + b * right) * (1 - down) + (c * (1 - right) + d * right) * down
    lookup = np.ascontiguousarray(grid.reshape(count * SIDE_PX, SIDE_PX, 2), dtype=np.float32)
    levels = cv2.remap(picture, lookup, cast(Any, None), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    height, width = picture.shape[:2]
    shown = (
        (lookup[..., 0] >= 0) & (lookup[..., 1] >= 0) & (lookup[..., 0] <= width - 1) & (lookup[..., 1] <= height - 1)
    )
    white = light.white(np.array([(s.x_mm, s.y_mm) for s in spots])).astype(np.float32)
    whole = np.asarray(levels, dtype=np.uint8).reshape(count, SIDE_PX, SIDE_PX, 3)
    return Patches(whole, shown.reshape(count, SIDE_PX, SIDE_PX), white)

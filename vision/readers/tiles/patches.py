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
from vision.readers.tiles.inks import root
from vision.readers.tiles.lattice import CELL_MM, CELLS, Placement

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
    """Returns the 36 cells; downward ones with their tip down."""
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


# The three colored sectors of a tile, and its middle.
#
# A tile shows three colors that meet at its middle, under a digit that may stand on a disc. Each sector is sampled
# between disc and edge, clear of the lines that some artworks draw between the colors; the median of a hundred pixels
# shrugs off digits, scratches and a misplaced millimeter. The middle of a bare cell is flat, that of a tile is not.

INRADIUS_MM = CELL_MM / (2 * np.sqrt(3.0))
"""The distance in millimeters from a cell's middle to its edges."""
_INNER_MM = 8.4
"""The radius in millimeters that discs and digits do not reach."""
_INSET_MM = 2.4
"""The margin in millimeters at the edge: the gap between tiles, and a tile that is slightly off."""
_CLEAR_MM = 1.7
"""The margin in millimeters beside the lines between sectors."""
_MIDDLE_MM = 5.6
"""The radius in millimeters around a tile's middle that digits reach."""

_SATURATED = 235
"""The level from which a pixel may have been any brighter."""


_BURNT = 250
"""The level from which, in every channel, a pixel shows only a reflection."""


class Sectors(NamedTuple):
    """The look of the three sectors of N triangles, in the order left, right, flat of the patch."""

    color: Floats
    """(N, 3, 3): the median reflectance as B, G, R relative to white paper."""
    spread: Floats
    """(N, 3): the typical deviation of a pixel's reflectance from its sector's median."""
    shown: Floats
    """(N, 3): the share of the pixels that are in the picture."""
    ceiling: Floats
    """(N, 3): the reflectance at which B, G, R saturate there."""
    contrast: Floats
    """(N,): the variation of the middle in the channel that varies most, in root space."""
    burnt: Floats
    """(N, 3): the share of each sector's pixels that a mirrored lamp turns white."""
    washed: Floats
    """(N,): the share of the middle that a mirrored lamp saturates in all channels."""

    def swapped(self, flips: NDArray[np.bool_]) -> Sectors:
        """Returns the sectors with left and right exchanged where `flips` (N,): a downward cell seen tip up shows them
        swapped.
        """
        order = np.where(flips[:, None], [[1, 0, 2]], [[0, 1, 2]])
        rows = np.arange(len(order))[:, None]
        return self._replace(
            color=self.color[rows, order],
            spread=self.spread[rows, order],
            shown=self.shown[rows, order],
            burnt=self.burnt[rows, order],
        )


@lru_cache(maxsize=1)
def _masks() -> tuple[tuple[NDArray[np.int64], ...], NDArray[np.int64]]:
    """Returns flat pixel indices of the three sectors and of the middle of a patch."""
    u, v = patch_axes()
    away = np.hypot(u, v)
    sectors = []
    for normal_deg in (150.0, 30.0, 270.0):
        angle = np.radians(normal_deg)
        depth = u * np.cos(angle) + v * np.sin(angle)
        along = np.abs(-u * np.sin(angle) + v * np.cos(angle))
        # A sector is bounded by lines 60 degrees off its normal; the distance to the nearer one is kept.
        clear = depth * np.sin(np.radians(60)) - along * np.cos(np.radians(60))
        mask = (away > _INNER_MM) & (depth > 0) & (depth < INRADIUS_MM - _INSET_MM) & (clear > _CLEAR_MM)
        sectors.append(np.flatnonzero(mask))
    return tuple(sectors), np.flatnonzero(away <= _MIDDLE_MM)


def look(patches: Patches) -> Sectors:
    """Measures the sectors and middles of patches."""
    count = len(patches.levels)
    sectors, middle = _masks()
    levels = patches.levels.reshape(count, -1, 3)
    shown = patches.shown.reshape(count, -1)
    color = np.zeros((count, 3, 3))
    spread = np.zeros((count, 3))
    share = np.zeros((count, 3))
    burnt = np.zeros((count, 3))
    for k, pixels in enumerate(sectors):
        own, there = levels[:, pixels], shown[:, pixels]
        share[:, k] = there.mean(1)
        burnt[:, k] = (own[:, ::2].min(2) >= _BURNT).mean(1)
        # Medians of levels are medians of light, since one rises with the other, and bytes sort faster.
        usual = np.partition(own, len(pixels) // 2, axis=1)[:, len(pixels) // 2]
        for n in np.flatnonzero((share[:, k] > 0) & (share[:, k] < 1)):
            usual[n] = np.median(own[n, there[n]], axis=0)
        color[:, k] = patches.reflectance(usual)
        away = np.abs(patches.reflectance(own[:, ::2]) - color[:, k, None].astype(np.float32))
        spread[:, k] = np.median(away.mean(2), axis=1)
    low, high = int(0.1 * len(middle)), int(0.9 * len(middle))
    ranked = np.partition(levels[:, middle], (low, high), axis=1)[:, [low, high]]
    ends = root(patches.reflectance(ranked))
    contrast = (ends[:, 1] - ends[:, 0]).max(1) if count else np.zeros(0)
    washed = (levels[:, middle].min(2) >= _SATURATED).mean(1)
    ceiling = 1 / patches.white.astype(np.float64)
    return Sectors(color, spread, share, ceiling, np.asarray(contrast, dtype=np.float64), burnt, washed)

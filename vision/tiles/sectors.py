"""The three colored sectors of a tile: where to look in a picture, and what is there.

A tile shows three colors that meet at its middle, under a digit that may stand on a disc. Each sector is sampled
between disc and edge, clear of the lines that some artworks draw between the colors; the median of some fifty samples
shrugs off digits, scratches and a misplaced millimetre.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.light import LINEAR, Light
from vision.pose import Floats, Pose
from vision.tiles.lattice import CELL_MM, CELLS, Placement

INRADIUS_MM = CELL_MM / (2 * np.sqrt(3.0))
"""From a cell's middle to its edges."""
_INNER_MM = 8.6
"""Discs and digits end nearer to the middle than this."""
_INSET_MM = 2.4
"""Kept clear at the edge: the gap between tiles, and a tile that lies a little off."""
_CLEAR_MM = 3.2
"""Kept clear of the lines between sectors, measured along the edge."""


class Sectors(NamedTuple):
    """What the three sectors of N triangles look like; order left, right, flat."""

    color: Floats
    """(N, 3, 3): median reflectance in B, G, R relative to white paper."""
    spread: Floats
    """(N, 3): typical deviation of a sample's lightness from its median."""
    shown: Floats
    """(N, 3): share of the samples that lie in the picture."""
    ceiling: Floats
    """(N, 3): reflectance at which B, G, R saturate there."""


@lru_cache(maxsize=1)
def sector_samples() -> Floats:
    """(3, S, 2): sample points of the sectors left, right, flat of an upward triangle, from its middle, v up."""
    flat = []
    for depth in np.arange(_INNER_MM, INRADIUS_MM - _INSET_MM + 0.01, 0.6):
        half = depth * np.sqrt(3.0) - _CLEAR_MM
        flat += [(along, -depth) for along in np.arange(-half, half + 0.01, 0.9)]
    for depth in np.arange(4.5, _INNER_MM, 0.6):
        half = depth * np.sqrt(3.0) - _CLEAR_MM
        flat += [(a, -depth) for a in np.arange(-half, half + 0.01, 0.9) if np.hypot(a, depth) > _INNER_MM]
    points = np.array(flat)

    def turned(degrees: float) -> Floats:
        angle = np.radians(degrees)
        return points @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])

    return np.stack([turned(-120), turned(120), points])


def board_samples(placement: Placement) -> Floats:
    """(36, 3, S, 2): table places of the samples of every cell."""
    samples = sector_samples()
    # Half a turn carries an upward triangle onto a downward one, and its left sector to the right.
    downward = -samples[[1, 0, 2]]
    spots = np.stack([(samples if c.upward else downward) + np.array(c.middle) for c in CELLS])
    return placement.to_table(spots.reshape(-1, 2)).reshape(spots.shape)


def loose_samples(placements: Sequence[tuple[float, float, float]]) -> Floats:
    """(N, 3, S, 2): table places of the samples of tiles at x, y; the corner between left and right is at heading."""
    samples = sector_samples()
    spots = [
        Placement(x, y, heading).to_table(samples.reshape(-1, 2)).reshape(samples.shape) for x, y, heading in placements
    ]
    return np.stack(spots) if spots else np.zeros((0, *samples.shape))


def look(picture: NDArray[np.uint8], pose: Pose, light: Light, spots_mm: Floats, z_mm: float) -> Sectors:
    """What a picture shows at the samples (N, 3, S, 2) on the plane at height `z_mm`."""
    count, _, samples, _ = spots_mm.shape
    flat = spots_mm.reshape(-1, 2)
    if not count:
        empty = np.zeros((0, 3))
        return Sectors(np.zeros((0, 3, 3)), empty, empty, empty)
    pixels = pose.project(np.column_stack([flat, np.full(len(flat), z_mm)])).astype(np.float32)
    height, width = picture.shape[:2]
    grid = pixels.reshape(count, -1, 2)
    levels = cv2.remap(picture, grid[..., 0], grid[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    linear = LINEAR[levels].reshape(count, 3, samples, 3)
    there = (
        (pixels[:, 0] >= 0) & (pixels[:, 1] >= 0) & (pixels[:, 0] <= width - 1) & (pixels[:, 1] <= height - 1)
    ).reshape(count, 3, samples)
    white = light.white(spots_mm.mean((1, 2)))
    if there.all():
        color = np.median(linear, axis=2)
        spread = np.median(np.abs(linear - color[:, :, None]).mean(3), axis=2)
    else:
        masked = np.where(there[..., None], linear, np.nan)
        blind = ~there.any(2)
        masked[blind] = 0
        color = np.nanmedian(masked, axis=2)
        spread = np.nanmedian(np.abs(masked - color[:, :, None]).mean(3), axis=2)
    return Sectors(color / white[:, None, :], spread / white.mean(1, keepdims=True), there.mean(2), 1 / white)

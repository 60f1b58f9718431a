"""The three colored sectors of a tile, and its middle.

A tile shows three colors that meet at its middle, under a digit that may stand on a disc. Each sector is sampled
between disc and edge, clear of the lines that some artworks draw between the colors; the median of a hundred pixels
shrugs off digits, scratches and a misplaced millimeter. The middle of a bare cell is flat, that of a tile is not.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.image.pose import Floats
from vision.readers.tiles.inks import root
from vision.readers.tiles.lattice import CELL_MM
from vision.readers.tiles.patches import Patches, patch_axes

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

"""Tests whether something lies on the table with a card's straight sides: cups, hands and patterns have none."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.readers.cards.crops import WHOLE_OUT_MM

Floats = NDArray[Any]

_STEP = 9.0
"""The least difference in CIELAB between a card and its surroundings."""
_SLOPES = np.linspace(-0.12, 0.12, 9)
"""The slopes of a side in a card's crop, whose heading is known to a few degrees."""
_BESIDE_PX = 1.0
"""Steps within this distance of a line lie on it."""
_OUT_PX, _DEEP_PX, _AWAY_PX = round(WHOLE_OUT_MM), round(WHOLE_OUT_MM) + 3, 3
_FEWEST = 8
"""The least visible length in pixels of a side that counts."""


def straight_share(lab: Floats, seen: Floats) -> float:
    """Returns the share of a card's visible sides that are straight steps of color.

    Args:
        lab: (H, W, 3): the crop of a whole card with a margin, in CIELAB.
        seen: (H, W): a mask of the visible part.
    """
    found, length = 0, 0
    turned = lab.transpose(1, 0, 2)
    for lines, mask in ((lab, seen), (lab[::-1], seen[::-1]), (turned, seen.T), (turned[::-1], seen.T[::-1])):
        inside = slice(_OUT_PX + 6, lines.shape[1] - _OUT_PX - 6)
        there = mask[_DEEP_PX + 1, inside] > 0.5
        if there.sum() < _FEWEST:
            continue
        band = lines[: _DEEP_PX + _AWAY_PX, inside]
        steps = np.linalg.norm(band[_AWAY_PX:] - band[:-_AWAY_PX], axis=2)
        across = np.flatnonzero(there & (steps.max(axis=0) > _STEP))
        found += _longest_line(across, steps.argmax(axis=0)[across])
        length += int(there.sum())
    return found / length if length else 0.0


def _longest_line(across: NDArray[np.int64], deep: NDArray[np.int64]) -> int:
    """Returns the largest number of points that lie on one line."""
    if not len(across):
        return 0
    starts = deep[None, :] - _SLOPES[:, None] * across[None, :]
    lines = np.arange(np.floor(starts.min()), np.ceil(starts.max()) + 1)
    return int((np.abs(starts[:, None, :] - lines[None, :, None]) <= _BESIDE_PX).sum(axis=2).max())

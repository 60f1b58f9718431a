"""Prepares the net's input for each space: its crop, and a few numbers that a crop does not show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.readers.pawns.wheel import RINGS, Space

Floats = NDArray[Any]

_CLIP = 1.5
"""The bound for changes of the logarithm."""


def images(light: Floats, change: Floats) -> Floats:
    """Returns (N, S, S, 6): a crop's light and its change against the bare board, both about -1 to 1."""
    bright = light * np.float32(0.5) + np.float32(0.7)
    return np.concatenate([bright, np.clip(change, -_CLIP, _CLIP)], axis=-1)


def numbers(steepness: Floats, spaces: Sequence[Space]) -> Floats:
    """Returns (N, 4): the steepness of the view, and the print there: a start's star, the rim, a path's star."""
    start = [space.ring == 1 and space.path % 2 == 0 for space in spaces]
    rim = [space.ring == 1 for space in spaces]
    star = [space.ring == RINGS for space in spaces]
    return np.column_stack([(steepness - 0.85) * 5, start, rim, star]).astype(np.float32)

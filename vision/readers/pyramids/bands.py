"""The bands of a stack in a closeup: the visible part of each level, painted from the exact shape of a guess.

A band is three to ten pixels high. Its pixels are known, not learned, for each guess: the shape goes through the pose
of the camera, and parts behind a higher piece are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_SIZES
from vision.readers.pyramids.closeup import HEIGHT, WIDTH
from vision.readers.pyramids.naming import LEVELS
from vision.readers.pyramids.painting import painted_levels

Floats = NDArray[Any]

STRIDE = 2
"""Bands are shares of cells of so many pixels of a closeup."""
ROWS, COLUMNS = HEIGHT // STRIDE, WIDTH // STRIDE
FACTS = 8
"""Of each level: its size, one of three; how far up it is and how far from the top; the log of its area; the length of
a millimeter of height in the picture; and 1, to distinguish it from missing levels."""
_TALLEST = LEVELS - 1
_MOST_OF = 0.3
_RING = np.ones((5, 5), np.uint8)


def painted(outline: Floats) -> NDArray[np.uint8]:
    """(HEIGHT, WIDTH) 0, or 1 + the level that is seen.

    Args:
        outline: (levels, 5, 2) corners and tip of each piece, lowest first, in pixels of the closeup.
    """
    return painted_levels(outline, (HEIGHT, WIDTH))


def bands(seen: NDArray[np.uint8], levels: int) -> Floats:
    """(LEVELS + 1, ROWS, COLUMNS) float32, the share of each cell that each band has; last the ring around them all.

    Args:
        seen: As `painted` answers.
    """
    out = np.zeros((LEVELS + 1, ROWS, COLUMNS), np.float32)
    for level in range(levels):
        one = np.asarray(seen == level + 1, np.float32)
        out[level] = cv2.resize(one, (COLUMNS, ROWS), interpolation=cv2.INTER_AREA)
    whole = (out[:levels].sum(axis=0) > _MOST_OF).astype(np.uint8)
    out[LEVELS] = cv2.dilate(whole, _RING) - whole
    return out


def facts(sizes: Sequence[str], shares: Floats, rise: float) -> Floats:
    """(LEVELS, FACTS) float32, the known facts of each level of a guess.

    Args:
        shares: Its `bands`.
        rise: See `Closeup.rise`.
    """
    out = np.zeros((LEVELS, FACTS), np.float32)
    top = len(sizes) - 1
    for level, size in enumerate(sizes):
        out[level, PYRAMID_SIZES.index(size)] = 1
        out[level, 3:] = level / _TALLEST, (top - level) / _TALLEST, np.log1p(shares[level].sum()), rise, 1
    return out

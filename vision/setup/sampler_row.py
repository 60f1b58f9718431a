"""Known pieces in one row: which of those that are seen is which, from left to right.

People do not measure distances, and they leave a gap where they leave a color out. So what counts is the order: pieces
and things that are seen are aligned so that colors and sizes fit best, and either may be left over.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.core.pieces import PYRAMID_COLORS, Pyramid
from vision.readers.pyramids.assignment import share_of
from vision.readers.pyramids.sampler import Sample
from vision.readers.pyramids.scene import FoundPieces

_LEFT_OVER = 4.0
"""Nats that a piece which is not found costs, and a thing which is no piece of the row."""
_LEAST_SHARE = 0.02
"""A color is never less likely than this: a lamp may shift any of them, which is what a row is set out for."""
_WRONG_SIZE = 1.0


def in_row(found: Sequence[FoundPieces], row: Sequence[Pyramid]) -> list[Sample]:
    """What was read of each piece of a row, given from left to right."""
    seen = sorted(found, key=lambda one: one.place.x_mm)
    cost = np.full((len(row) + 1, len(seen) + 1), np.inf)
    cost[0] = _LEFT_OVER * np.arange(len(seen) + 1)
    cost[:, 0] = _LEFT_OVER * np.arange(len(row) + 1)
    for i, piece in enumerate(row, 1):
        for j, one in enumerate(seen, 1):
            left_over = min(cost[i - 1, j], cost[i, j - 1]) + _LEFT_OVER
            cost[i, j] = min(left_over, cost[i - 1, j - 1] + _unlike(piece, one))
    samples: list[Sample] = []
    i, j = len(row), len(seen)
    while i > 0:
        if j > 0 and cost[i, j] == cost[i - 1, j - 1] + _unlike(row[i - 1], seen[j - 1]):
            i, j = i - 1, j - 1
            samples.append(Sample(row[i], seen[j]))
        elif j > 0 and cost[i, j] == cost[i, j - 1] + _LEFT_OVER:
            j -= 1
        else:
            i -= 1
            samples.append(Sample(row[i], None))
    return samples[::-1]


def _unlike(piece: Pyramid, one: FoundPieces) -> float:
    """Nats against a thing being this piece."""
    if len(one.color_logs) != 1:
        return 2 * _LEFT_OVER
    share = float(share_of(one.color_logs[0])[PYRAMID_COLORS.index(piece.color)])
    return -float(np.log(max(share, _LEAST_SHARE))) + _WRONG_SIZE * (one.place.sizes != (piece.size,))

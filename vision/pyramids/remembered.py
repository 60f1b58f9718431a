"""What the game has confirmed to stand at a place of the table, and what it makes likely there.

A stack that stood somewhere a moment ago most likely still does, or has one piece more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.pieces import PYRAMID_COLORS, PYRAMID_SIZES, Pyramid

Floats = NDArray[Any]

REACH_MM = 8.0
"""Farther away it is not the same stack, or it was moved."""
_SAME, _GROWN = 3.0, 1.5
"""Log odds that a stack is as it was, and that it has just one piece more, against anything else."""
_COLOR = 2.5
"""The same for the colors of its pieces."""


class Remembered(Struct, frozen=True):
    """A stack, from the lowest piece up."""

    x_mm: float
    y_mm: float
    pieces: tuple[Pyramid, ...]

    @property
    def sizes(self) -> tuple[str, ...]:
        """From the lowest piece up."""
        return tuple(piece.size for piece in self.pieces)

    def likely(self) -> dict[tuple[str, ...], float]:
        """Log odds of the sizes that may be expected here."""
        fits = PYRAMID_SIZES[PYRAMID_SIZES.index(self.sizes[-1]) :]
        return {self.sizes: _SAME, **{(*self.sizes, size): _GROWN for size in fits}}

    def colors(self, sizes: Sequence[str]) -> Floats:
        """(levels, 10) log odds of colors in a stack of these sizes."""
        out = np.zeros((len(sizes), len(PYRAMID_COLORS)))
        for level, (piece, size) in enumerate(zip(self.pieces, sizes, strict=False)):
            if piece.size != size:
                break
            out[level, PYRAMID_COLORS.index(piece.color)] = _COLOR
        return out


def at(known: Sequence[Remembered], x_mm: float, y_mm: float) -> Remembered | None:
    """What is remembered of a place."""
    near = [one for one in known if np.hypot(one.x_mm - x_mm, one.y_mm - y_mm) < REACH_MM]
    return min(near, key=lambda one: float(np.hypot(one.x_mm - x_mm, one.y_mm - y_mm)), default=None)

"""The net's answers for each cell of a sheet, and the net itself.

An answer has the presence of plastic, its color, and the way to the place where its piece stands or lies. The net is
one term among others: exact shapes are fitted to its answers afterwards.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.readers.pyramids.packed import load_net
from vision.readers.pyramids.sheet import GEOMETRY, KNOWN, LIGHT, RATIO, STRIDE

Floats = NDArray[Any]

WEIGHTS = Path(__file__).parent / "weights"
FILE = "cells.npz"
COLORS = 10
OUTPUTS = 1 + COLORS + 3 + 1 + 2 + 1 + 1
"""Table, colors, sizes, lying, the way (2), base's height, edge; what reading does not use taught the net to see."""
CELL_CHANNELS = 2 * 3 * STRIDE * STRIDE + 3 + 1
OFFSET_PX = 16.0
"""Unit of the way to a base's middle, in sheet pixels."""
LIFT_MM = 20.0
"""Unit of a base's height."""


class Answers(Struct, frozen=True):
    """Maps over cells (h, w); a cell is `STRIDE` sheet pixels wide."""

    plastic: Floats
    """(h, w) log odds that a piece is seen."""
    colors: Floats
    """(10, h, w) log probability of each color, given that one is seen."""
    place_px: Floats
    """(2, h, w) where the place of the table is seen above which that piece stands or lies, in sheet pixels."""
    fine: Floats | None = None
    """(H, W) log odds at each pixel of the sheet, sharper than cells are; only beside an empty table."""
    bound: bool = True
    """True if a cell belongs only to the place at which it points; else it may belong to any."""

    def without(self, others: NDArray[np.bool_], fine: Floats | None) -> Answers:
        """The same answers, in which cells of `others` (h, w) are ignored, and the rest may belong to any place.

        Args:
            fine: (H, W) the same of `fine`.
        """
        return replace(self, plastic=np.where(others, 0.0, self.plastic), fine=fine, bound=False)


def packed(inputs: Floats) -> Floats:
    """(1, CELL_CHANNELS, h, w) of a sheet's `inputs` (CHANNELS, H, W): light and ratio in all detail, the rest once."""
    channels = len(inputs[LIGHT]) * STRIDE**2
    coarse = inputs[:, ::STRIDE, ::STRIDE]
    out = np.empty((1, CELL_CHANNELS, *coarse.shape[1:]), np.float32)
    light, geometry, ratio, known = np.split(out[0], np.cumsum([channels, len(inputs[GEOMETRY]), channels]))
    _all_pixels(inputs[LIGHT], light)
    geometry[:], known[:] = coarse[GEOMETRY], coarse[KNOWN]
    if known.any():
        _all_pixels(inputs[RATIO], ratio)
    else:
        ratio[:] = 0
    return out


def _all_pixels(values: Floats, out: Floats) -> None:
    """Put all pixels (3, H, W) of each cell into `out` (12, h, w)."""
    for y in range(STRIDE):
        for x in range(STRIDE):
            out[y * STRIDE + x :: STRIDE**2] = values[:, y::STRIDE, x::STRIDE]


def unpacked(out: Floats) -> Answers:
    """Answers from the net's own outputs (OUTPUTS, h, w); what else it says only taught it to see shapes."""
    table, colors = out[0], out[1 : 1 + COLORS]
    top = colors.max(axis=0)
    piece = np.log(np.exp(colors - top).sum(axis=0)) + top
    ys, xs = np.mgrid[0 : out.shape[1], 0 : out.shape[2]].astype(np.float32) * STRIDE + (STRIDE - 1) / 2
    return Answers(piece - table, colors - piece, np.stack([xs, ys]) + out[1 + COLORS + 4 : 1 + COLORS + 6] * OFFSET_PX)


class PyramidNet:
    """The trained net, run by OpenCV."""

    def __init__(self, path: Path = WEIGHTS / FILE) -> None:
        self._net = load_net(path)

    def __call__(self, inputs: Floats) -> Answers:
        """Answers for a sheet's inputs (CHANNELS, H, W)."""
        self._net.setInput(packed(inputs))
        return unpacked(self._net.forward()[0])

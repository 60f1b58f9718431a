"""What the net says about each cell of a sheet, and the net itself.

A cell tells whether plastic is seen there, its color and size, whether it lies, the way to the middle of its piece's
base and how high that base is. The net is one term among others: exact shapes are fitted to its answers afterwards.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.pyramids.cells.sheet import STRIDE

Floats = NDArray[Any]

WEIGHTS = Path(__file__).parent / "weights"
FILE = "cells.onnx"
COLORS = 10
OUTPUTS = 1 + COLORS + 3 + 1 + 2 + 1 + 1
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
    sizes: Floats
    """(3, h, w) log probability of large, medium, small."""
    lies: Floats
    """(h, w) log odds that it lies."""
    base_px: Floats
    """(2, h, w) where the middle of its base is seen, in sheet pixels."""
    lift_mm: Floats
    """(h, w) height of the base."""
    edge: Floats
    """(h, w) log odds that another piece, or the table, begins here."""


def packed(inputs: Floats) -> Floats:
    """(1, 15, h, w) cells of a sheet's `inputs` (6, H, W): light at full detail, the rest once a cell."""
    light = inputs[:3].reshape(3, inputs.shape[1] // STRIDE, STRIDE, inputs.shape[2] // STRIDE, STRIDE)
    fine = light.transpose(0, 2, 4, 1, 3).reshape(3 * STRIDE * STRIDE, light.shape[1], light.shape[3])
    return np.concatenate([fine, inputs[3:, ::STRIDE, ::STRIDE]])[None]


def unpacked(out: Floats) -> Answers:
    """Answers from the net's own outputs (OUTPUTS, h, w)."""
    named = out[: 1 + COLORS]
    top = named.max(axis=0)
    share = np.exp(named - top)
    rest = np.log(share[1:].sum(axis=0) + 1e-9) + top
    sizes = out[11:14] - out[11:14].max(axis=0)
    sizes = sizes - np.log(np.exp(sizes).sum(axis=0))
    ys, xs = np.mgrid[0 : out.shape[1], 0 : out.shape[2]].astype(np.float32) * STRIDE + (STRIDE - 1) / 2
    return Answers(
        rest - named[0],
        named[1:] - rest,
        sizes,
        out[14],
        np.stack([xs, ys]) + out[15:17] * OFFSET_PX,
        out[17] * LIFT_MM,
        out[18],
    )


class Net:
    """The trained net, run by OpenCV."""

    def __init__(self, path: Path = WEIGHTS / FILE) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(path))

    def __call__(self, inputs: Floats) -> Answers:
        """Answers for a sheet's inputs (6, H, W)."""
        self._net.setInput(np.ascontiguousarray(packed(inputs), dtype=np.float32))
        return unpacked(self._net.forward()[0])

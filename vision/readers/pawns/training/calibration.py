"""Making confidences true: two numbers, fitted to pictures that the judging net never saw."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.readers.pawns.net import PawnNet

Floats = NDArray[Any]
Ints = NDArray[Any]


class PawnCalibration(Struct, frozen=True):
    """How raw log probabilities become true ones."""

    sharpness: float = 1.0
    """All are multiplied by it."""
    nothing: float = 0.0
    """Then this is added to the bare space's: batches of training hold more pawns than tables do."""

    def apply(self, odds: Floats) -> Floats:
        """(..., 7) log probabilities made true."""
        out = odds * self.sharpness
        out[..., 0] += self.nothing
        return np.asarray(out - np.logaddexp.reduce(out, axis=-1, keepdims=True))

    def into(self, net: PawnNet) -> PawnNet:
        """The net that answers with true probabilities by itself."""
        offset = net.last_offset * self.sharpness
        offset[0] += self.nothing
        return replace(net, last=net.last * self.sharpness, last_offset=offset)


def calibrate(odds: Floats, classes: Ints) -> PawnCalibration:
    """The numbers that make `classes` (N,) likeliest, given log probabilities (N, 7)."""
    rows = np.arange(len(classes))

    def cost(sharpness: float, nothing: float) -> float:
        return float(-PawnCalibration(sharpness, nothing).apply(odds)[rows, classes].mean())

    best = min(((s, n) for s in np.linspace(0.4, 2.0, 17) for n in np.linspace(-3, 3, 25)), key=lambda at: cost(*at))
    return PawnCalibration(float(best[0]), float(best[1]))

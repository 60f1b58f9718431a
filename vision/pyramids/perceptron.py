"""Small perceptrons: evaluation only, so that a reader needs nothing but numpy.

The scaling of the inputs is folded into the first layer when weights are written, see `training`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Floats = NDArray[Any]

FOLDER = Path(__file__).with_name("weights")


class Perceptron(Struct, frozen=True):
    """Layers of weights; hidden values are cut at zero."""

    weights: tuple[Floats, ...]
    biases: tuple[Floats, ...]

    def __call__(self, features: Floats) -> Floats:
        """(N, out) raw outputs for features (N, in)."""
        values = features
        last = len(self.weights) - 1
        for i, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            values = values @ weight + bias
            if i < last:
                values = np.maximum(values, 0)
        return values

    def log_probabilities(self, features: Floats) -> Floats:
        """(N, out) logarithms of the softmax of the outputs."""
        out = self(features)
        out -= out.max(axis=1, keepdims=True)
        out -= np.log(np.exp(out).sum(axis=1, keepdims=True))
        return out

    def save(self, path: Path) -> None:
        """Write as half floats: the files stay small and nothing is lost that training could tell."""
        arrays = {f"w{i}": w.astype(np.float16) for i, w in enumerate(self.weights)}
        arrays |= {f"b{i}": b.astype(np.float32) for i, b in enumerate(self.biases)}
        np.savez_compressed(path, **arrays)  # type: ignore[arg-type]


@cache
def load(path: Path) -> Perceptron:
    """Weights from a file that `save` wrote."""
    with np.load(path) as stored:
        count = sum(name.startswith("w") for name in stored.files)
        weights = tuple(stored[f"w{i}"].astype(np.float32) for i in range(count))
        biases = tuple(stored[f"b{i}"].astype(np.float32) for i in range(count))
    return Perceptron(weights, biases)

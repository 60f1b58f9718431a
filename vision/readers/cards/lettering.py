"""Rows of ink read: which number they are, or which letters of a color."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.readers.cards.deck import LETTERS, RANKS
from vision.readers.cards.weights import LETTERING

Floats = NDArray[Any]

TEXTS = (*(str(rank) for rank in range(1, RANKS + 1)), *LETTERS)
"""The possible texts of a row; after these comes "none of them"."""


class Lettering(Struct, frozen=True):
    """A net with two hidden layers."""

    layers: tuple[tuple[Floats, Floats], ...]
    """Weights (in, out) and offsets (out,) of each layer."""

    def read(self, rows: Floats) -> Floats:
        """(N, texts + 1): logarithms of probabilities of rows (N, 24, 36)."""
        values = rows.reshape(len(rows), -1).astype(np.float32) - 0.3
        for number, (weights, offset) in enumerate(self.layers):
            values = values @ weights + offset
            if number + 1 < len(self.layers):
                values = np.maximum(values, 0)
        top = values.max(axis=1, keepdims=True)
        return np.asarray(values - top - np.log(np.exp(values - top).sum(axis=1, keepdims=True)))


@cache
def load_lettering(path: Path = LETTERING) -> Lettering:
    """The net from its file."""
    with np.load(path) as file:
        count = sum(name.startswith("weights") for name in file.files)
        return Lettering(
            tuple((file[f"weights{k}"].astype(np.float32), file[f"offset{k}"].astype(np.float32)) for k in range(count))
        )

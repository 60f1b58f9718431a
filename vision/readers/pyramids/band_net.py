"""The colors of the bands of a guessed stack, and the fit of the guess, by a third net.

The namer takes a closeup as a whole, and is unsure of narrow parts in the middle. Here the shape is given: a few
convolutions describe every place of the closeup, the mean over each band describes a level, and levels are named
together with the ones above and below them. So all levels are learned alike, wherever they are (pooling by regions that
are known: Girshick, Fast R-CNN, ICCV 2015).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.readers.pyramids.bands import COLUMNS, ROWS, STRIDE, bands, facts, painted
from vision.readers.pyramids.closeup import CHANNELS
from vision.readers.pyramids.naming import LEVELS
from vision.readers.pyramids.packed import load_net, load_weights

Floats = NDArray[Any]

FILE = "bands.npz"
_LEAST_AREA, _LEAST_VARIANCE = 0.25, 1e-4


class GuessedStack(Struct, frozen=True):
    """A guess at what stands in a closeup."""

    sizes: tuple[str, ...]
    """Lowest first."""
    outline: Floats
    """(levels, 5, 2) corners and tip of each piece in pixels of the closeup."""
    rise: float
    """See `Closeup.rise`."""


class Banded(Struct, frozen=True):
    """The evidence of the bands of a guess."""

    color_logs: Floats
    """(levels, 10) log probability of each color."""
    fit: float
    """Log odds of the guess beside others at the same place, up to a common offset."""


class BandNet:
    """The trained net: convolutions run by OpenCV, what follows them by numpy."""

    def __init__(self, path: Path) -> None:
        self._net = load_net(path)
        self._weights = load_weights(path)

    def __call__(self, closeups: Floats, stacks: Sequence[Sequence[GuessedStack]]) -> list[list[Banded]]:
        """For each of (N, CHANNELS, HEIGHT, WIDTH) closeups, what its bands say of each of its guesses."""
        if not len(closeups):
            return []
        self._net.setInput(np.ascontiguousarray(closeups, dtype=np.float32))
        out = self._net.forward().reshape(len(closeups), -1)
        return [self._told(*one) for one in zip(closeups, out, stacks, strict=True)]

    def _told(self, closeup: Floats, described: Floats, stacks: Sequence[GuessedStack]) -> list[Banded]:
        shares = [bands(painted(one.outline), len(one.sizes)) for one in stacks]
        known = np.stack([facts(s.sizes, share, s.rise) for s, share in zip(stacks, shares, strict=True)])
        pooled = _pooled(closeup, described, np.stack(shares))
        color_logs, fits = self._head(pooled, known)
        return [
            Banded(tone[: len(one.sizes)], float(fit)) for one, tone, fit in zip(stacks, color_logs, fits, strict=True)
        ]

    def _head(self, pooled: Floats, known: Floats) -> tuple[Floats, Floats]:
        """(K, LEVELS, 10) log probabilities and (K,) fits from the pooled features (K, LEVELS + 1, F) and the facts."""
        there = known[..., -1:]
        levels = self._dense("level", np.concatenate([pooled[:, :LEVELS], known], axis=2)) * there
        for layer in ("near", "far"):
            levels = levels + self._beside(layer, levels) * there
        count = np.maximum(there.sum(axis=1), 1)
        whole = [levels.sum(axis=1) / count, levels.max(axis=1), pooled[:, LEVELS], (known * there).sum(axis=1) / count]
        fits = self._linear("fit", self._dense("whole", np.concatenate(whole, axis=1)))[:, 0]
        colors = self._linear("color", levels)
        top = colors - colors.max(axis=-1, keepdims=True)
        return np.asarray(top - np.log(np.exp(top).sum(axis=-1, keepdims=True))), fits

    def _linear(self, layer: str, values: Floats) -> Floats:
        return np.asarray(values @ self._weights[f"{layer}.weight"].T + self._weights[f"{layer}.bias"])

    def _dense(self, layer: str, values: Floats) -> Floats:
        return np.asarray(np.maximum(self._linear(layer, values), 0))

    def _beside(self, layer: str, levels: Floats) -> Floats:
        """Each level (K, LEVELS, F) with the ones below and above it."""
        kernel = self._weights[f"{layer}.weight"]
        wide = np.pad(levels, ((0, 0), (1, 1), (0, 0)))
        out = np.sum([wide[:, k : k + LEVELS] @ kernel[:, :, k].T for k in range(3)], axis=0)
        return np.asarray(np.maximum(out + self._weights[f"{layer}.bias"], 0))


def _pooled(closeup: Floats, described: Floats, shares: Floats) -> Floats:
    """(K, LEVELS + 1, F) means over each band of what describes its cells: features fine and coarse, light, its spread.

    Only the part of the closeup that any band covers is gone through.

    Args:
        described: What the convolutions answer: (F1, ROWS, COLUMNS), then (F2, ROWS / 2, COLUMNS / 2), flat.
        shares: (K, LEVELS + 1, ROWS, COLUMNS).
    """
    rows, columns = _covered(shares)
    fine_size = len(described) * 4 // 5
    fine = described[:fine_size].reshape(-1, ROWS, COLUMNS)[:, rows, columns]
    wide_rows, wide_columns = (slice(part.start // 2, part.stop // 2) for part in (rows, columns))
    coarse = described[fine_size:].reshape(-1, ROWS // 2, COLUMNS // 2)[:, wide_rows, wide_columns]
    part = closeup[:, STRIDE * rows.start : STRIDE * rows.stop, STRIDE * columns.start : STRIDE * columns.stop]
    height, width = fine.shape[1:]
    light = part.reshape(CHANNELS, height, STRIDE, width, STRIDE).mean(axis=(2, 4)).reshape(CHANNELS, -1)
    flat = shares[..., rows, columns].reshape(-1, height * width)
    wide = flat.reshape(-1, height // 2, 2, width // 2, 2).sum(axis=(2, 4)).reshape(len(flat), -1)
    area = np.maximum(flat.sum(axis=1, keepdims=True), _LEAST_AREA)
    near = flat @ np.concatenate([fine.reshape(len(fine), -1), light, light**2]).T / area
    means, mean, square = np.split(near, [len(fine), len(fine) + CHANNELS], axis=1)
    spread = np.sqrt(np.maximum(square - mean**2, _LEAST_VARIANCE))
    parts = [means, wide @ coarse.reshape(len(coarse), -1).T / area, mean, spread]
    return np.asarray(np.concatenate(parts, axis=1).reshape(*shares.shape[:2], -1))


def _covered(shares: Floats) -> tuple[slice, slice]:
    """Rows and columns of cells, in pairs, that any band of (K, LEVELS + 1, ROWS, COLUMNS) has a share of."""
    there = np.any(shares, axis=(0, 1))
    out = []
    for axis in (1, 0):
        at = np.flatnonzero(there.any(axis=axis))
        first, last = (int(at[0]), int(at[-1])) if len(at) else (0, 0)
        out.append(slice(first // 2 * 2, (last // 2 + 1) * 2))
    return out[0], out[1]


def outline_in(matrix: Floats, outline: Floats) -> Floats:
    """(levels, 5, 2) sheet pixels in pixels of a closeup, by its (2, 3) matrix."""
    return np.asarray(cv2.transform(outline.reshape(-1, 1, 2), matrix).reshape(outline.shape))

"""Labeled pictures over: the same pieces on another table, some of them in other colors.

Few tables are labeled, and a net learns by heart what it sees often. What is seen of a piece is, channel by channel,
light of its own plus a share of the table's (`drawn.plastic`), so that table and dye can be exchanged while edges,
pips, highlights and shadows stay as they were photographed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.pieces import PYRAMID_COLORS
from companion.plan import Mat
from vision.pyramids.sheet import PX_PER_MM, STRIDE
from vision.pyramids.training.drawn import surface
from vision.pyramids.training.drawn.plastic import OPAQUE, measured_dyes

Floats = NDArray[Any]

_RETOUCHED = 0.55
"""Share of labeled pictures that are retouched."""
_SAME_TABLE = 0.2
_REPAINTED = 0.4
"""Share of pieces that get another color, where theirs allows it."""
_MOST = 3.0
"""Brighter than so many times nothing is made: noise and JPEG would grow along."""
_LEAST = 0.04
_ZERO, _FLOOR = 1.5, 0.02
"""A sheet's light is log(reflectance + `_FLOOR`) + `_ZERO`."""


class Retouch:
    """A stock of table tops."""

    def __init__(self, tops: int, seed: int) -> None:
        random = np.random.default_rng(seed)
        scale = PX_PER_MM / STRIDE / surface.PX_PER_MM
        self._tops = []
        for _ in range(tops):
            top = surface.random_surface(Mat(500.0, 400.0, 4.0), random)
            small = cv2.resize(top, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            self._tops.append(np.ascontiguousarray(small.transpose(2, 0, 1), dtype=np.float32))
        own, share = measured_dyes()
        self._own, self._share = own.astype(np.float32), share.astype(np.float32)

    def __call__(
        self,
        light: Floats,
        empty: Floats | None,
        seen: NDArray[np.int16],
        colors: Sequence[int],
        random: np.random.Generator,
    ) -> tuple[Floats, Floats | None, list[int]]:
        """Light (3, H, W) of a part of a sheet and of its empty table, anew, and the colors that its pieces have now.

        `seen` (H / 2, W / 2) numbers the piece that a cell shows, -1 for the table; `colors` are those of all pieces.
        """
        table = seen < 0
        if random.random() > _RETOUCHED or table.mean() < 0.05:
            return light, empty, list(colors)
        ground = np.median(light[:, ::STRIDE, ::STRIDE][:, table][:, ::3], axis=1)
        ground = np.maximum(np.exp(ground - _ZERO) - _FLOOR, 0.01).astype(np.float32)
        gain = np.ones((3, *seen.shape), np.float32)
        if random.random() > _SAME_TABLE:
            gain = np.clip(self._top(seen.shape, random) / ground[:, None, None], _LEAST, _MOST)
        now = [self._other(c, ground, random) if random.random() < _REPAINTED else c for c in colors]
        before, after = np.array([*colors, 0]), np.array([*now, 0])
        first = self._own[before] + self._share[before] * ground
        through = self._share[after] * ground
        ratio = (self._own[after][seen] + through[seen] * gain.transpose(1, 2, 0)) / first[seen]
        ratio = np.where(table[..., None], gain.transpose(1, 2, 0), np.clip(ratio, _LEAST, _MOST))
        ratio = cv2.GaussianBlur(ratio, (3, 3), 0.7)
        if empty is not None:
            empty = _times(empty, cv2.GaussianBlur(np.ascontiguousarray(gain.transpose(1, 2, 0)), (3, 3), 0.7))
        return _times(light, ratio), empty, now

    def _top(self, shape: tuple[int, ...], random: np.random.Generator) -> Floats:
        """(3, h, w) reflectance of a part of some table top."""
        top = self._tops[int(random.integers(len(self._tops)))]
        side = max(shape)
        y, x = (int(random.integers(most - side)) for most in top.shape[1:])
        part = np.rot90(top[:, y : y + side, x : x + side], int(random.integers(4)), (1, 2))
        return part[:, : shape[0], : shape[1]] * np.float32(np.exp(random.normal(0, 0.15)))

    def _other(self, color: int, ground: Floats, random: np.random.Generator) -> int:
        """A color that a piece of this one can be painted in."""
        if PYRAMID_COLORS[color] in OPAQUE:
            return color
        bright = (self._own + self._share * ground) / (self._own[color] + self._share[color] * ground)
        able = [c for c, name in enumerate(PYRAMID_COLORS) if name not in OPAQUE and float(bright[c].max()) <= _MOST]
        return able[int(random.integers(len(able)))]


def _times(light: Floats, ratio: Floats) -> Floats:
    """Log light (3, H, W) of reflectance times a ratio (H / 2, W / 2, 3)."""
    wide = cv2.resize(ratio, (light.shape[2], light.shape[1]), interpolation=cv2.INTER_LINEAR)
    reflectance = np.maximum(np.exp(light - np.float32(_ZERO)) - np.float32(_FLOOR), 0) * wide.transpose(2, 0, 1)
    return np.asarray(np.log(reflectance + np.float32(_FLOOR)) + np.float32(_ZERO))

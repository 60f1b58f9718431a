"""Labeled pictures over: the same pieces on another table, some of them in other colors.

Few tables are labeled, and a net learns frequent pictures by heart. The look of a piece is, channel by channel, light
of its own plus a share of the table's (`drawn.plastic`), so that table and dye can be exchanged while edges, pips,
highlights and shadows stay as they were photographed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_COLORS
from companion.core.plan import Mat
from vision.readers.pyramids.sheet import PX_PER_MM, STRIDE
from vision.readers.pyramids.training.drawn import surface
from vision.readers.pyramids.training.drawn.plastic import OPAQUE, measured_dyes

Floats = NDArray[Any]

_RETOUCHED = 0.75
"""Share of labeled pictures that are retouched."""
_SAME_TABLE = 0.2
_REPAINTED = 0.4
"""Share of pieces that get another color, where theirs allows it."""
_BRIGHTER = 2.0
"""So many times brighter, on average, another table is at most."""
_MOST = 3.0
"""The largest factor of brightening: noise and JPEG would grow with it."""
_LEAST = 0.04
_ZERO, _FLOOR = 1.5, 0.02
"""A sheet's light is log(reflectance + `_FLOOR`) + `_ZERO`."""


class Retouch:
    """A stock of table tops."""

    def __init__(self, tops: int, seed: int) -> None:
        random = np.random.default_rng(seed)
        scale = PX_PER_MM / surface.PX_PER_MM
        self._tops = []
        for _ in range(tops):
            top = surface.random_surface(Mat(500.0, 400.0, 4.0), random)
            small = cv2.resize(top, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            self._tops.append(small.astype(np.float16))
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
        now = [self._other(c, ground, random) if random.random() < _REPAINTED else c for c in colors]
        if empty is None:
            behind = np.broadcast_to(ground, (light.shape[1], light.shape[2], 3))
        else:
            # Where its pattern is known pixel by pixel, none of it stays.
            behind = cv2.GaussianBlur(np.exp(empty.transpose(1, 2, 0) - np.float32(_ZERO)), (3, 3), 0.6)
            behind = np.maximum(behind - np.float32(_FLOOR), np.float32(0.01))
        gain = np.ones(behind.shape, np.float32)
        if random.random() > _SAME_TABLE:
            top = self._top(light.shape[1:], random)
            brighter = float(np.median(top) / behind.mean())
            gain = np.clip(top * np.float32(min(1.0, _BRIGHTER / brighter)) / behind, _LEAST, _MOST)
        ratio = self._ratio(seen, colors, now, behind, gain)
        return _times(light, ratio), None if empty is None else _times(empty, gain), now

    def _ratio(
        self, seen: NDArray[np.int16], colors: Sequence[int], now: Sequence[int], behind: Floats, gain: Floats
    ) -> Floats:
        """(H, W, 3) how many times brighter all is with pieces of other colors on another table.

        A cell shows one piece, but pixels at its border some of its neighbor.
        """
        size = behind.shape[1::-1]
        # Colors go on beyond the pieces, so that a border is mixed from a color and the table, and not from none.
        near = cv2.dilate((seen + 1).astype(np.uint16), np.ones((3, 3), np.uint8)).astype(np.intp)
        near = np.where(seen < 0, near, seen.astype(np.intp) + 1)
        own, share = (
            [_wide(dye[[0, *some]][near], size) for some in (colors, now)] for dye in (self._own, self._share)
        )
        pieces = (own[1] + share[1] * behind * gain) / np.maximum(own[0] + share[0] * behind, np.float32(1e-3))
        cover = _wide((seen >= 0).astype(np.float32), size)[..., None]
        return np.asarray(cover * np.clip(pieces, _LEAST, _MOST) + (1 - cover) * gain)

    def _top(self, shape: tuple[int, ...], random: np.random.Generator) -> Floats:
        """(h, w, 3) reflectance of a part of some table top."""
        top = self._tops[int(random.integers(len(self._tops)))]
        side = max(shape)
        y, x = (int(random.integers(most - side)) for most in top.shape[:2])
        part = np.rot90(top[y : y + side, x : x + side], int(random.integers(4)))
        return part[: shape[0], : shape[1]].astype(np.float32) * np.float32(np.exp(random.normal(0, 0.15)))

    def _other(self, color: int, ground: Floats, random: np.random.Generator) -> int:
        """A color that a piece of this one can be painted in."""
        if PYRAMID_COLORS[color] in OPAQUE:
            return color
        bright = (self._own + self._share * ground) / (self._own[color] + self._share[color] * ground)
        able = [c for c, name in enumerate(PYRAMID_COLORS) if name not in OPAQUE and float(bright[c].max()) <= _MOST]
        return able[int(random.integers(len(able)))]


def _wide(cells: Floats, size: tuple[int, int]) -> Floats:
    """Values of cells for pixels, smooth."""
    return np.asarray(cv2.resize(cv2.GaussianBlur(cells, (3, 3), 0.8), size, interpolation=cv2.INTER_LINEAR))


def _times(light: Floats, ratio: Floats) -> Floats:
    """Log light (3, H, W) of reflectance times a ratio (H, W, 3)."""
    reflectance = np.maximum(np.exp(light - np.float32(_ZERO)) - np.float32(_FLOOR), 0) * ratio.transpose(2, 0, 1)
    return np.asarray(np.log(reflectance + np.float32(_FLOOR)) + np.float32(_ZERO))


Source = TypeVar("Source")
Example = TypeVar("Example")


class PoolPart(NamedTuple, Generic[Source]):
    """Pictures of one kind."""

    sources: Sequence[Source]
    share: float
    """Of all examples; what an empty part would give comes from the others."""
    retouch: Retouch | None = None


class Pool(Generic[Source, Example]):
    """Examples out of sheets or scenes of several kinds."""

    def __init__(
        self,
        parts: Sequence[PoolPart[Source]],
        example: Callable[[Source, np.random.Generator, Retouch | None], Example],
        size: int,
    ) -> None:
        """`size` examples make a batch; one part at least holds something."""
        self.parts = [part for part in parts if part.sources]
        shares = np.array([part.share for part in self.parts])
        self._ends = np.cumsum(shares / shares.sum())
        self.example, self.size = example, size

    def batch(self, random: np.random.Generator) -> list[Example]:
        """One batch."""
        return [self._one(random) for _ in range(self.size)]

    def _one(self, random: np.random.Generator) -> Example:
        at = int(np.searchsorted(self._ends, random.random(), side="right"))
        part = self.parts[min(at, len(self.parts) - 1)]
        return self.example(part.sources[int(random.integers(len(part.sources)))], random, part.retouch)

"""Sheets to learn from: what the net sees and what it should answer, small enough to keep hundreds in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.readers.pyramids.sheet import GEOMETRY, KNOWN, LIGHT, RATIO, STRIDE
from vision.readers.pyramids.training.pairs import lit
from vision.readers.pyramids.training.retouch import Retouch
from vision.readers.pyramids.training.targets import Targets

Floats = NDArray[Any]

SIDE = 144
"""Side of a crop, sheet pixels: little table around what stands there."""
_RIM = 4
"""Cells at a crop's border that are not asked for: what they show may be cut off."""
_COARSE = 16
LIGHT_LOW, LIGHT_STEPS = -2.6, 52.0
"""Log light of byte 0, and bytes for one unit of it."""


class LearnedSheet(Struct, frozen=True):
    """One sheet with its answers."""

    light: NDArray[np.uint8]
    """(3, H, W) log reflectance in bytes."""
    empty: NDArray[np.uint8] | None
    """The same of the empty table under the same light; None if it was never shown."""
    geometry: NDArray[np.float16]
    """(3, H / 16, W / 16)."""
    targets: Targets
    centers: NDArray[np.intp]
    """(N, 2) rows and columns of some cells that show pieces."""
    group: str
    """Sheets of one group share a table and are held out together."""
    colors: tuple[int, ...]
    """Of the pieces that the targets number."""
    guessed: bool = False
    """True if the empty table is only a guess."""


class Crop(NamedTuple):
    """A square of a sheet, turned, mirrored and lit at random."""

    light: Floats
    geometry: Floats
    ratio: Floats
    known: Floats
    color: Floats
    size: Floats
    lies: Floats
    offset: Floats
    lift: Floats
    edge: Floats
    valid: Floats


def learned(inputs: Floats, targets: Targets, colors: Sequence[int], group: str, guessed: bool = False) -> LearnedSheet:
    """Keep a sheet's inputs (CHANNELS, H, W) and its answers; `guessed`: its empty table is only a guess."""
    light = inputs[LIGHT].astype(np.float32)
    empty = as_bytes(light - inputs[RATIO]) if inputs[KNOWN].all() else None
    half = _COARSE // 2
    geometry = inputs[GEOMETRY, half::_COARSE, half::_COARSE].astype(np.float16)
    centers = np.argwhere(targets.piece >= 0)[::50]
    return LearnedSheet(as_bytes(light), empty, geometry, targets, centers, group, tuple(colors), guessed)


def as_bytes(light: Floats) -> NDArray[np.uint8]:
    """Log light, small enough to keep hundreds of sheets."""
    return np.clip(np.round((light - LIGHT_LOW) * LIGHT_STEPS), 0, 255).astype(np.uint8)


def as_light(kept: NDArray[np.uint8]) -> Floats:
    """Log light again, float32."""
    return np.asarray(kept / np.float32(LIGHT_STEPS) + np.float32(LIGHT_LOW))


def random_crop(sheet: LearnedSheet, random: np.random.Generator, retouch: Retouch | None = None) -> Crop:
    """Mostly a place with pieces; with `retouch` on another table."""
    height, width = sheet.targets.color.shape
    side = SIDE // STRIDE
    if len(sheet.centers) and random.random() < 0.85:
        row, column = sheet.centers[random.integers(len(sheet.centers))] - random.integers(8, side - 8, 2)
    else:
        row, column = random.integers(0, max(height - side, 1)), random.integers(0, max(width - side, 1))
    row, column = (min(max(int(v), 0), most - side) // 8 * 8 for v, most in ((row, height), (column, width)))
    y, x = row * STRIDE, column * STRIDE
    light = as_light(sheet.light[:, y : y + SIDE, x : x + SIDE])
    empty = None if sheet.empty is None else as_light(sheet.empty[:, y : y + SIDE, x : x + SIDE])
    coarse = np.s_[:, y // _COARSE : (y + SIDE) // _COARSE, x // _COARSE : (x + SIDE) // _COARSE]
    geometry = sheet.geometry[coarse].repeat(_COARSE // STRIDE, 1).repeat(_COARSE // STRIDE, 2).astype(np.float32)
    part, t = np.s_[row : row + side, column : column + side], sheet.targets
    valid = np.zeros((side, side), np.uint8)
    valid[_RIM:-_RIM, _RIM:-_RIM] = t.valid[part][_RIM:-_RIM, _RIM:-_RIM]
    color = t.color[part]
    if retouch is not None:
        light, empty, colors = retouch(light, empty, t.piece[part], sheet.colors, random)
        color = np.array([*(c + 1 for c in colors), 0], np.uint8)[t.piece[part]]
    maps: list[Floats] = [color, t.size[part], t.lies[part], t.lift[part], t.edge[part], valid]
    offset = t.offset[:, row : row + side, column : column + side].astype(np.float32)
    shown = lit(light, empty, random, sheet.guessed)
    return _turned(shown, geometry, offset, maps, int(random.integers(4)), bool(random.random() < 0.5))


def _turned(
    shown: tuple[Floats, Floats, Floats],
    geometry: Floats,
    offset: Floats,
    maps: Sequence[Floats],
    quarters: int,
    mirrored: bool,
) -> Crop:
    """Turned by quarters and mirrored; directions turn along."""

    def whole(values: Floats) -> Floats:
        turned = np.rot90(values, quarters, (-2, -1))
        return np.ascontiguousarray(turned[..., ::-1] if mirrored else turned)

    def directions(values: Floats) -> Floats:
        x, y = values
        for _ in range(quarters):
            x, y = y, -x
        return np.stack([-x if mirrored else x, y])

    geometry, offset = whole(geometry), whole(offset)
    geometry[:2], offset = directions(geometry[:2]), directions(offset)
    color, size, lies, lift, edge, valid = (whole(one) for one in maps)
    light, ratio, known = (whole(one).astype(np.float32) for one in shown)
    return Crop(light, geometry, ratio, known[:, ::STRIDE, ::STRIDE], color, size, lies, offset, lift, edge, valid)

"""Sheets to learn from: what the net sees and what it should answer, small enough to keep hundreds in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.pyramids.sheet import STRIDE
from vision.pyramids.training.retouch import Retouch
from vision.pyramids.training.targets import Targets

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
    geometry: NDArray[np.float16]
    """(3, H / 16, W / 16)."""
    targets: Targets
    centers: NDArray[np.intp]
    """(N, 2) rows and columns of some cells that show pieces."""
    group: str
    """Sheets of one group share a table and are held out together."""
    colors: tuple[int, ...]
    """Of the pieces that the targets number."""


class Crop(NamedTuple):
    """A square of a sheet, turned, mirrored and lit at random."""

    light: Floats
    geometry: Floats
    color: Floats
    size: Floats
    lies: Floats
    offset: Floats
    lift: Floats
    edge: Floats
    valid: Floats


def learned(inputs: Floats, targets: Targets, colors: Sequence[int], group: str) -> LearnedSheet:
    """Keep a sheet's inputs (6, H, W) and its answers."""
    light = np.clip((inputs[:3].astype(np.float32) - LIGHT_LOW) * LIGHT_STEPS, 0, 255).astype(np.uint8)
    half = _COARSE // 2
    geometry = inputs[3:, half::_COARSE, half::_COARSE].astype(np.float16)
    return LearnedSheet(light, geometry, targets, np.argwhere(targets.piece >= 0)[::50], group, tuple(colors))


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
    light = sheet.light[:, y : y + SIDE, x : x + SIDE] / np.float32(LIGHT_STEPS) + np.float32(LIGHT_LOW)
    coarse = np.s_[:, y // _COARSE : (y + SIDE) // _COARSE, x // _COARSE : (x + SIDE) // _COARSE]
    geometry = sheet.geometry[coarse].repeat(_COARSE // STRIDE, 1).repeat(_COARSE // STRIDE, 2).astype(np.float32)
    part, t = np.s_[row : row + side, column : column + side], sheet.targets
    valid = np.zeros((side, side), np.uint8)
    valid[_RIM:-_RIM, _RIM:-_RIM] = t.valid[part][_RIM:-_RIM, _RIM:-_RIM]
    color = t.color[part]
    if retouch is not None:
        light, colors = retouch(light, t.piece[part], sheet.colors, random)
        color = np.array([*(c + 1 for c in colors), 0], np.uint8)[t.piece[part]]
    maps: list[Floats] = [color, t.size[part], t.lies[part], t.lift[part], t.edge[part], valid]
    offset = t.offset[:, row : row + side, column : column + side].astype(np.float32)
    return _turned(lit(light, random), geometry, offset, maps, int(random.integers(4)), bool(random.random() < 0.5))


def lit(light: Floats, random: np.random.Generator) -> Floats:
    """The same under another exposure, white balance and noise."""
    light = light + random.normal(0, 0.12) + random.normal(0, 0.05, (3, 1, 1))
    if random.random() < 0.3:
        light = light * random.uniform(0.9, 1.1)
    if random.random() < 0.3:
        light = light + random.normal(0, random.uniform(0, 0.1), light.shape)
    return light


def _turned(
    light: Floats, geometry: Floats, offset: Floats, maps: Sequence[Floats], quarters: int, mirrored: bool
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
    return Crop(whole(light).astype(np.float32), geometry, color, size, lies, offset, lift, edge, valid)

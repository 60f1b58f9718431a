"""The same pieces on another table: pictures of a few tables become pictures of any.

Measured over the set, what is seen of a piece is, channel by channel, a little light of its own plus a share of the
table's: reflectance = own + share * table. With these two numbers a color, a labelled piece can be moved to a table
that was never photographed, and a net cannot learn tables by heart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.pieces import PYRAMID_COLORS
from vision.pyramids.evidence import contrast_around
from vision.pyramids.training.labels import Labelled, Silhouettes

Floats = NDArray[Any]

_FLOOR = 0.008


def measure(pictures: Sequence[Labelled], masks: Sequence[Silhouettes]) -> Floats:
    """(10, 2, 3): for each color its own light and the table's share, B, G, R, by robust least squares."""
    seen: list[list[tuple[Floats, Floats]]] = [[] for _ in PYRAMID_COLORS]
    for picture, mask in zip(pictures, masks, strict=True):
        height, width = mask.color.shape
        light = contrast_around(picture.table.picture, picture.bare, (0, 0, width, height), 0)
        for c, rows in enumerate(seen):
            here = (mask.color == c + 1) & (mask.border == 0)
            if here.sum() >= 80:
                value = np.exp(np.median(light[here], axis=0) + picture.reflectance_log)
                rows.append((value, np.exp(picture.reflectance_log)))
    out = np.zeros((len(PYRAMID_COLORS), 2, 3))
    for c, rows in enumerate(seen):
        if len(rows) < 3:
            raise ValueError(f"Only {len(rows)} pictures show {PYRAMID_COLORS[c]} pieces; at least 3 are needed.")
        values, tables = np.array([r[0] for r in rows]), np.array([r[1] for r in rows])
        for channel in range(3):
            design = np.column_stack([np.ones(len(rows)), tables[:, channel]])
            target = values[:, channel]
            scale = 1 / (target + 0.05)
            weight = scale
            for _ in range(10):
                solution = np.linalg.lstsq(design * weight[:, None], target * weight, rcond=None)[0]
                misfit = np.abs(target - design @ solution) * scale
                weight = scale / np.sqrt(1 + (misfit / 0.2) ** 2)
            out[c, :, channel] = np.maximum(solution, 0.003)
    return out


def expected_log(look: Floats, table_log: Floats) -> Floats:
    """(3,) log reflectance of a color (`look` (2, 3)) on a table."""
    return np.asarray(np.log(look[0] + look[1] * np.exp(table_log) + _FLOOR))


def random_table(random: np.random.Generator) -> Floats:
    """(3,) log reflectance of a made-up table: black to white, a third of them gray."""
    level = random.uniform(np.log(0.05), np.log(0.95))
    spread = 0.1 if random.uniform() < 0.35 else 0.4
    return np.asarray(np.minimum(level + random.normal(size=3) * spread, 0.0))


def moved(
    contrast: Floats,
    color: NDArray[np.uint8],
    old_log: Floats,
    new_log: Floats,
    looks: Floats,
    grain: float,
    factor: float,
) -> Floats:
    """(H, W, 3) contrast as it would be on another table whose grain is `factor` times as strong."""
    out = contrast.copy()
    bare = (color == 0) & (np.abs(contrast).max(axis=2) < 3 * grain)
    out[bare] *= factor
    for c, look in enumerate(looks):
        here = color == c + 1
        if here.any():
            shift = (expected_log(look, new_log) - new_log) - (expected_log(look, old_log) - old_log)
            out[here] += shift.astype(np.float32)
    return out

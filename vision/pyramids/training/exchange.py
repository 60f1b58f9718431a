"""The same pieces on another table: pictures of a few tables become pictures of any.

Measured over the set, what is seen of a piece is, channel by channel, a little light of its own plus a share of the
table's: reflectance = own + share * table. With these two numbers a color, a labelled piece can be moved to a table
that was never photographed, and a net cannot learn tables by heart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from companion.pieces import PYRAMID_COLORS
from vision.pyramids.evidence import contrast_around
from vision.pyramids.reference import LOG_LIGHT
from vision.pyramids.training.labels import Labelled, Silhouettes, Thing, bare_table

Floats = NDArray[Any]

_FLOOR = 0.008
_EDGES = (LOG_LIGHT[:-1] + LOG_LIGHT[1:]) / 2
"""(255,) log light between one pixel value and the next."""


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


def random_recoloring(random: np.random.Generator) -> NDArray[np.intp]:
    """(10,) new color of each color: the translucent ones are shuffled, black and white stay what they are."""
    out = np.arange(len(PYRAMID_COLORS))
    clear_ones = [i for i, color in enumerate(PYRAMID_COLORS) if color not in ("black", "white")]
    out[clear_ones] = random.permutation(clear_ones)
    return out


def repainted(
    picture: Labelled, mask: Silhouettes, looks: Floats, random: np.random.Generator
) -> tuple[Labelled, Silhouettes]:
    """The same scene on a made-up table, its translucent pieces in other colors, as a picture that can be read anew."""
    height, width = mask.color.shape
    bare = picture.bare.at((0, 0, width, height))
    contrast = contrast_around(picture.table.picture, picture.bare, (0, 0, width, height), 0)
    old, new = picture.reflectance_log, random_table(random)
    recoloring = random_recoloring(random)
    factor = float(random.uniform(0.3, 1.4))
    table = (mask.color == 0) & (np.abs(contrast).max(axis=2) < 3 * picture.bare.grain)
    contrast[table] *= factor
    color = mask.color.copy()
    for c in range(len(PYRAMID_COLORS)):
        here = mask.color == c + 1
        if here.any():
            goal = int(recoloring[c])
            color[here] = goal + 1
            shift = (expected_log(looks[goal], new) - new) - (expected_log(looks[c], old) - old)
            contrast[here] += (shift + random.normal() * 0.08).astype(np.float32)
    level = bare + contrast + (new - old).astype(np.float32)
    # Only differences carry meaning, so the exposure is chosen like a camera's: little is burnt out.
    level += np.float32(random.uniform(-0.9, -0.1) - np.percentile(level[::8, ::8], 98))
    codes = np.searchsorted(_EDGES, level).astype(np.uint8)
    painted = structs.replace(picture.table, picture=codes)
    names = tuple(
        Thing(t.place, tuple(PYRAMID_COLORS[recoloring[PYRAMID_COLORS.index(c)]] for c in t.colors))
        for t in picture.things
    )
    new_picture = structs.replace(
        picture,
        table=painted,
        bare=bare_table(painted),
        reflectance_log=new + random.normal(size=3) * 0.05,
        things=names,
    )
    return new_picture, structs.replace(mask, color=color)

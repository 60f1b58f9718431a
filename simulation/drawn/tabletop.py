"""Draws the surfaces of tables: wood, cloth, laminate, paper, in many colors, as textures of linear reflectance.

A texture covers `SPAN_MM` and continues mirrored beyond it; the same name and seed give the same table.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.light import linear_light

Floats = NDArray[Any]

TEXEL_MM = 1.0
SPAN_MM = (1100.0, 800.0)


class Surface(NamedTuple):
    """A kind of table."""

    kind: Literal["wood", "cloth", "laminate", "paper"]
    color: tuple[int, int, int]
    """The sRGB color beside a white of 255."""
    gloss: float
    """The strength of the mirrored lamp."""


SURFACES: dict[str, Surface] = {
    "oak": Surface("wood", (188, 150, 108), 0.10),
    "walnut": Surface("wood", (122, 82, 56), 0.14),
    "pine": Surface("wood", (222, 188, 134), 0.08),
    "mahogany": Surface("wood", (128, 58, 40), 0.16),
    "grey wood": Surface("wood", (136, 130, 122), 0.06),
    "white laminate": Surface("laminate", (226, 222, 216), 0.12),
    "beige laminate": Surface("laminate", (206, 192, 166), 0.12),
    "slate": Surface("laminate", (84, 88, 92), 0.06),
    "blue desk": Surface("laminate", (96, 124, 158), 0.10),
    "grey cloth": Surface("cloth", (126, 128, 134), 0.02),
    "black cloth": Surface("cloth", (58, 58, 64), 0.03),
    "green cloth": Surface("cloth", (62, 146, 102), 0.02),
    "red cloth": Surface("cloth", (150, 48, 52), 0.02),
    "navy cloth": Surface("cloth", (50, 62, 108), 0.02),
    "cream cloth": Surface("cloth", (222, 212, 188), 0.01),
    "paper mat": Surface("paper", (236, 235, 230), 0.0),
}
"""The surface of each table by name."""


def linear(levels: Floats) -> Floats:
    """Returns the linear light, 0 to 1, of sRGB levels 0 to 255."""
    share = np.asarray(levels, dtype=np.float64) / 255
    return linear_light(share)


@lru_cache(maxsize=6)
def texture(name: str, seed: int) -> Floats:
    """Returns (H, W, 3) float32: the linear reflectance, B, G, R, with `TEXEL_MM` per texel.

    A paper mat lies on wood, see `ground`.
    """
    surface = SURFACES[name]
    rng = np.random.default_rng(seed)
    size = (round(SPAN_MM[0] / TEXEL_MM), round(SPAN_MM[1] / TEXEL_MM))
    base = linear(np.array(surface.color[::-1])).astype(np.float32)
    if surface.kind == "wood":
        pattern = _wood(rng, size)
    elif surface.kind == "cloth":
        pattern = _cloth(rng, size)
    else:
        pattern = _even(rng, size)
    tint = np.array([1.25, 1.0, 0.85], dtype=np.float32) if surface.kind == "wood" else np.ones(3, np.float32)
    return np.asarray(base * np.exp(pattern[..., None] * tint), dtype=np.float32)


def _field(rng: np.random.Generator, size: tuple[int, int], x_px: float, y_px: float) -> Floats:
    """Returns smooth noise (H, W) of standard deviation 1 with features of this width and height in texels."""
    small = max(2, round(size[0] / max(x_px, 1.0))), max(2, round(size[1] / max(y_px, 1.0)))
    values = rng.standard_normal((small[1], small[0]), dtype=np.float32)
    field = cv2.resize(values, size, interpolation=cv2.INTER_CUBIC)
    return np.asarray(field / max(float(field.std()), 1e-6))


def _wood(rng: np.random.Generator, size: tuple[int, int]) -> Floats:
    """Returns the log brightness (H, W) of planks along x, each with its own tone and grain."""
    pattern = 0.05 * _field(rng, size, 60, 3) + 0.045 * _field(rng, size, 150, 9) + 0.035 * _field(rng, size, 16, 1)
    wave = _field(rng, size, 300, 40)
    x, y = np.meshgrid(np.arange(size[0], dtype=np.float32), np.arange(size[1], dtype=np.float32))
    bent = cv2.remap(pattern, x, y + 5 * wave, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    pattern = np.asarray(bent)
    top = -rng.uniform(0, 90)
    while top < size[1]:
        below = top + rng.uniform(85, 110)
        rows = slice(max(0, round(top)), max(0, round(below)))
        pattern[rows] += rng.normal(0, 0.05)
        pattern[rows] = np.roll(pattern[rows], int(rng.integers(0, size[0])), axis=1)
        line = round(below)
        if line < size[1]:
            pattern[line] -= 0.35
        top = below
    return pattern


def _cloth(rng: np.random.Generator, size: tuple[int, int]) -> Floats:
    """Returns the log brightness (H, W) of threads along x, fluff and large soft folds."""
    return np.asarray(
        0.10 * _field(rng, size, 8, 1.5) + 0.06 * _field(rng, size, 3, 3) + 0.05 * _field(rng, size, 90, 40)
    )


def _even(rng: np.random.Generator, size: tuple[int, int]) -> Floats:
    """Returns the log brightness (H, W) of an almost uniform surface with a fine grain and faint stains."""
    return np.asarray(0.015 * _field(rng, size, 2, 2) + 0.02 * _field(rng, size, 120, 120))

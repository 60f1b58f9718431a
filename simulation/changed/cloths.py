"""Puts other cloths on the table of a picture, in the picture's own light and shadows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from simulation.changed.lamps import encoded
from vision.image.light import LINEAR
from vision.image.picture import Picture
from vision.registration.registered_image import RegisteredImage

Floats = NDArray[Any]

_SHADOW_PX = 45.0
"""Light that varies over less than this number of pixels is a shadow or a grain, which a new cloth keeps."""
_NEAR_PX = 121
"""About twice the reach of shadows in pixels."""
_BURNT, _GLARING = 252, 2.0
"""The level from which a lamp is mirrored, and the light assumed beyond the camera's range."""


def gingham(color: Sequence[float]) -> Callable[[Floats], Floats]:
    """Returns a cloth of white and colored bands of 18 mm that cross each other."""

    def ink(at_mm: Floats) -> Floats:
        bands = (np.floor(at_mm / 18.0) % 2).mean(axis=-1)[..., None]
        return np.asarray(0.75 * (1 - bands) + np.array(color) * bands)

    return ink


def stripes(one: Sequence[float], other: Sequence[float]) -> Callable[[Floats], Floats]:
    """Returns a cloth of bands of 25 mm."""
    return lambda at_mm: np.where((np.floor(at_mm[..., :1] / 25.0) % 2) > 0, np.array(one), np.array(other))


def checkerboard(one: Sequence[float], other: Sequence[float]) -> Callable[[Floats], Floats]:
    """Returns a cloth of squares of 45 mm, about as large as a tile."""
    return lambda at_mm: np.where(
        (np.floor(at_mm / 45.0).sum(axis=-1) % 2)[..., None] > 0, np.array(one), np.array(other)
    )


def plain(color: Sequence[float]) -> Callable[[Floats], Floats]:
    """Returns a cloth of woven threads of one color."""

    def ink(at_mm: Floats) -> Floats:
        rustle = np.random.default_rng(3).normal(0, 0.12, at_mm.shape[:2]).astype(np.float32)
        return np.asarray(np.array(color) * np.exp(cv2.GaussianBlur(rustle, (5, 1), 0))[..., None])

    return ink


CLOTHS: dict[str, Callable[[Floats], Floats]] = {
    "green cloth": plain((0.09, 0.26, 0.04)),
    "red gingham": gingham((0.05, 0.04, 0.5)),
    "green gingham": gingham((0.08, 0.3, 0.05)),
    "yellow and blue stripes": stripes((0.06, 0.55, 0.75), (0.45, 0.15, 0.06)),
    "black and white squares": checkerboard((0.03, 0.03, 0.03), (0.7, 0.7, 0.7)),
    "green and purple squares": checkerboard((0.05, 0.25, 0.03), (0.2, 0.04, 0.15)),
    "navy cloth": plain((0.1, 0.035, 0.02)),
    "blue cloth": plain((0.42, 0.13, 0.05)),
    "purple cloth": plain((0.25, 0.05, 0.18)),
}
"""The cloths by name; each returns reflectance (H, W, 3), linear B, G, R, at table millimeters (H, W, 2)."""


class ClothGround(NamedTuple):
    """A table in a picture, prepared for other cloths."""

    linear: Floats
    """(H, W, 3): the linear light of the picture."""
    soft: Floats
    """(H, W, 1): the share of each pixel that is kept."""
    light: Floats
    """(H, W, 3): the linear light that white would reflect there, including shadows."""
    at_mm: Floats
    """(H, W, 2): the places on the table in millimeters."""


def ground(
    picture: Picture, table: RegisteredImage, kept: NDArray[np.bool_], left: NDArray[np.bool_] | None = None
) -> ClothGround:
    """Returns the table of a picture (H, W, 3), prepared for another cloth wherever `kept` (H, W) is False.

    Args:
        left: (H, W): the part of `kept` that stays; the rest disappears with its shadow. None keeps everything.
    """
    height, width = picture.shape[:2]
    linear = np.where(picture >= _BURNT, np.float32(_GLARING), LINEAR[picture])
    free = (~kept).astype(np.float32)
    weight = np.maximum(cv2.GaussianBlur(free, (0, 0), _SHADOW_PX), 1e-3)
    seen = np.minimum(linear, 1.0)
    usual = cv2.GaussianBlur(seen * free[..., None], (0, 0), _SHADOW_PX) / weight[..., None]
    shade = np.clip((seen.mean(axis=2) + 0.004) / (usual.mean(axis=2) + 0.004), 0.2, 1.4)
    if left is not None:
        shade[cv2.dilate((kept & ~left).astype(np.uint8), np.ones((_NEAR_PX, _NEAR_PX), np.uint8)) > 0] = 1.0
        kept = left
    columns, rows = np.meshgrid(np.arange(width), np.arange(height))
    at_mm = table.pose.unproject(np.column_stack([columns.ravel(), rows.ravel()]).astype(float)).astype(np.float32)
    white = table.light.white(np.clip(at_mm, -400, 1500)).reshape(height, width, 3).astype(np.float32)
    soft = cv2.GaussianBlur(kept.astype(np.float32), (0, 0), 0.8)[..., None]
    return ClothGround(linear, soft, white * shade[..., None], at_mm.reshape(height, width, 2))


def covered(under: ClothGround, cloth: Callable[[Floats], Floats]) -> Floats:
    """Returns (H, W, 3): the linear light of the table with another cloth."""
    new = cloth(under.at_mm).astype(np.float32) * under.light
    return np.asarray(under.linear * under.soft + new * (1 - under.soft))


def laid(
    picture: Picture,
    table: RegisteredImage,
    kept: NDArray[np.bool_],
    cloth: Callable[[Floats], Floats],
    left: NDArray[np.bool_] | None = None,
) -> Picture:
    """Returns the picture (H, W, 3) with another cloth; see `ground`."""
    return encoded(covered(ground(picture, table, kept, left), cloth))

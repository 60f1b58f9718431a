"""Applies the light of other lamps and the properties of other cameras to a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.light import srgb_levels
from vision.image.picture import Picture

Floats = NDArray[Any]

LAMPS: dict[str, tuple[Sequence[float], Sequence[float]]] = {
    "warm lamp": ((0.42, 0.82, 1.2), (0.42, 0.82, 1.2)),
    "cool window": ((1.3, 1.0, 0.72), (1.3, 1.0, 0.72)),
    "blue lamp": ((1.3, 0.75, 0.4), (1.3, 0.75, 0.4)),
    "warm left, cool right": ((0.5, 0.85, 1.15), (1.2, 1.0, 0.75)),
}
"""The gains of linear B, G, R at the picture's left and right border, by the name of the lamp."""


class CameraLook(NamedTuple):
    """The properties of a camera."""

    bright: float = 1.0
    """The factor of the linear light."""
    gamma: float = 1.0
    """The exponent of the levels."""
    noise: float = 3.0
    """The standard deviation of noise in levels of 255."""
    quality: int = 92
    """The JPEG quality."""


CAMERAS: dict[str, CameraLook] = {
    "dim light": CameraLook(bright=0.3, noise=5.0),
    "hard contrast": CameraLook(gamma=1.4),
    "soft contrast": CameraLook(gamma=0.7),
    "noise": CameraLook(noise=10.0),
    "coarse JPEG": CameraLook(quality=35),
}


def lamplight(linear: Floats, lamp: tuple[Sequence[float], Sequence[float]]) -> Floats:
    """Returns linear light (H, W, 3) under another lamp."""
    share = np.linspace(0, 1, linear.shape[1], dtype=np.float32)[None, :, None]
    one, other = (np.array(gains, np.float32) for gains in lamp)
    return np.asarray(linear * (one * (1 - share) + other * share))


def encoded(linear: Floats, camera: CameraLook | None = None, seed: int = 5) -> Picture:
    """Returns the sRGB picture that a camera takes of linear light; None stands for a camera without noise."""
    camera = camera or CameraLook(noise=0.0)
    light = np.clip(linear * camera.bright, 0, 1)
    levels: Floats = srgb_levels(light) ** camera.gamma * 255
    if camera.noise:
        levels += np.random.default_rng(seed).standard_normal(levels.shape, np.float32) * camera.noise
    taken = np.clip(np.round(levels), 0, 255).astype(np.uint8)
    coded = cv2.imencode(".jpg", taken, [cv2.IMWRITE_JPEG_QUALITY, camera.quality])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)

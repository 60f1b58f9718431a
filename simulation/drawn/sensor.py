"""Converts linear light to the picture of a webcam: vignetting, lens blur, tone curve, noise, JPEG."""

from __future__ import annotations

from functools import lru_cache
from random import Random

import cv2
import numpy as np
from msgspec import Struct

from simulation.drawn.camera import Floats
from vision.image.light import srgb_levels
from vision.image.picture import Picture

_LEVELS = 4096


class Sensor(Struct, frozen=True):
    """The properties of a webcam."""

    vignetting: float = 0.2
    """The share of the light that is lost in the corners."""
    blur_px: float = 0.6
    noise: float = 2.0
    """The standard deviation of noise in levels of 255."""
    quality: int = 90
    """The JPEG quality; 0 skips the compression."""


def random_sensor(rng: Random) -> Sensor:
    """Returns a random webcam, between good and poor."""
    return Sensor(rng.uniform(0.05, 0.3), rng.uniform(0.4, 0.8), rng.uniform(0.8, 3.5), rng.randrange(82, 96))


@lru_cache(maxsize=4)
def vignette(size_px: tuple[int, int], strength: float) -> Floats:
    """Returns (H, W, 1) float32: the share of the light that reaches each pixel."""
    width, height = size_px
    x = (np.arange(width, dtype=np.float32) - width / 2) / (width / 2)
    y = (np.arange(height, dtype=np.float32) - height / 2) / (width / 2)
    reach = (x[None, :] ** 2 + y[:, None] ** 2) / (1 + (height / width) ** 2)
    return np.asarray((1 - strength * reach)[..., None])


def _curve() -> Floats:
    share = np.arange(_LEVELS) / (_LEVELS - 1)
    return np.asarray(np.round(srgb_levels(share) * 255), dtype=np.uint8)


_CURVE = _curve()


def encoded(light: Floats) -> Picture:
    """Returns linear light as sRGB levels; excess light is cut off."""
    steps = np.minimum(light, 1.0)
    np.maximum(steps, 0.0, out=steps)
    return np.asarray(_CURVE[(steps * (_LEVELS - 1)).astype(np.uint16)])


@lru_cache(maxsize=4)
def _noise(size_px: tuple[int, int], sigma: float) -> Floats:
    """Returns (H, W, 3) int16: noise with slight correlation between neighbors, like a webcam's."""
    width, height = size_px
    rng = np.random.default_rng(11)
    field = rng.standard_normal((height, width, 3), dtype=np.float32)
    field = 0.8 * field + 0.9 * np.asarray(cv2.GaussianBlur(field, (0, 0), 0.8))
    return np.asarray(np.round(field * (sigma / float(field.std()))), dtype=np.int16)


def exposed(levels: Picture, sensor: Sensor, seed: int) -> Picture:
    """Returns the levels that the webcam sends: blurred, with noise specific to the picture, and compressed.

    Args:
        levels: (H, W, 3) uint8; the array is not changed.
        seed: Determines the shift of the noise.
    """
    blurred = cv2.GaussianBlur(levels, (0, 0), sensor.blur_px) if sensor.blur_px > 0.2 else levels
    if sensor.noise > 0:
        size = (levels.shape[1], levels.shape[0])
        field = _noise(size, round(sensor.noise, 1))
        shift = ((seed * 7919) % size[1], (seed * 104729) % size[0])
        field = np.roll(field, shift, axis=(0, 1))
        blurred = cv2.add(blurred, field, dtype=cv2.CV_8U)
    if sensor.quality:
        _, data = cv2.imencode(".jpg", blurred, [cv2.IMWRITE_JPEG_QUALITY, sensor.quality])
        blurred = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return np.asarray(blurred, dtype=np.uint8)

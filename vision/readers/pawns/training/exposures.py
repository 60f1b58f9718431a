"""The same picture as other webcams might have taken it: contrast, brightness, white, sharpness, noise, compression."""

from __future__ import annotations

import cv2
import numpy as np

from vision.image.picture import Picture

_CONTRAST = 0.35
"""Largest logarithm of the exponent that levels are raised to."""
_BRIGHT = (0.7, 1.15)
_WHITE = 0.05
"""Standard deviation of the logarithm of each channel's share."""
_SOFT_PX = (0.4, 1.3)
_NOISE = 5.0
"""Largest standard deviation, in levels of 255."""
_QUALITY = (40, 95)


def exposed(picture: Picture, random: np.random.Generator) -> Picture:
    """(H, W, 3) uint8 B, G, R: one of them; places in it stay where they are."""
    levels = (picture.astype(np.float32) / 255) ** np.float32(np.exp(random.uniform(-_CONTRAST, _CONTRAST)))
    levels *= np.exp(random.normal(0, _WHITE, 3)).astype(np.float32) * np.float32(random.uniform(*_BRIGHT))
    if random.random() < 0.5:
        levels = np.asarray(cv2.GaussianBlur(levels, (0, 0), random.uniform(*_SOFT_PX)))
    noise = random.standard_normal(levels.shape, dtype=np.float32) * np.float32(random.uniform(0, _NOISE))
    taken = np.clip(levels * 255 + noise, 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", taken, [cv2.IMWRITE_JPEG_QUALITY, int(random.uniform(*_QUALITY))])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)

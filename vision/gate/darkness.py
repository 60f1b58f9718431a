"""Detects pictures that are too dark: a cap on the lens, a hand on it, a lamp that went out."""

from __future__ import annotations

import numpy as np

from vision.image.picture import Picture

_STEP_PX = 16
_SHARE = 99.0
"""Percentile of the pixels that counts: a lit diode or a hot pixel makes no picture."""
_LEAST = 24
"""Level of 255 that the brightest channel of the brightest pixels must reach; white markers are the brightest thing."""


def is_dark(picture: Picture) -> bool:
    """Returns true if a picture (H, W, 3) BGR is too dark to read."""
    return float(np.percentile(picture[::_STEP_PX, ::_STEP_PX].max(axis=2), _SHARE)) < _LEAST

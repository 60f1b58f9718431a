"""Adds a mirrored lamp to a picture: a round spot in which little or nothing but white is left."""

from __future__ import annotations

import cv2
import numpy as np

from simulation.changed.lamps import encoded
from vision.image.light import LINEAR
from vision.image.picture import Picture
from vision.image.pose import Pose

_SOFT = 0.12
"""The blur of the rim, in diameters."""


def with_reflection(
    picture: Picture, pose: Pose, at_mm: tuple[float, float], diameter_mm: float, strength: float = 1.6
) -> Picture:
    """Returns the picture with a lamp mirrored at a place on the table.

    Args:
        diameter_mm: The diameter of the spot.
        strength: The linear light that it adds, where 1 is the brightest white; 1 or more makes the middle all white.
    """
    around = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    ring = np.column_stack([np.cos(around), np.sin(around), np.zeros(64)]) * diameter_mm / 2 + (*at_mm, 5.0)
    pixels = pose.project(ring)
    spot = np.zeros(picture.shape[:2], np.float32)
    cv2.fillConvexPoly(spot, np.round(pixels).astype(np.int32), (1.0,))
    spot = cv2.GaussianBlur(spot, (0, 0), max(_SOFT * float(np.ptp(pixels[:, 0])), 0.5))
    return encoded(LINEAR[picture] + strength * spot[..., None])

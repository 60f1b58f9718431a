"""The parts of a picture that show the empty table without anything on it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.likeness import SHRINK, Mask, glance_of, unchanged
from vision.image.pose import Map
from vision.registration.registered_image import RegisteredImage


def free_table(table: RegisteredImage) -> Mask | None:
    """(h, w) of a picture at a quarter of its size: 1 where it shows the empty table; None if that is not known."""
    if table.calibration is None:
        return None
    empty = table.calibration.empty
    before = glance_of(empty.picture, empty.pose)
    return unchanged(before, glance_of(table.picture, table.pose), np.array(table.mat.corners_mm()))


def free_on(free: Mask, mapping: Map) -> NDArray[np.bool_]:
    """(H, W) the same on a patch of a plane whose pixels lie in the picture where `mapping` (H, W, 2) has them."""
    small = ((mapping + 0.5) / SHRINK - 0.5).astype(np.float32)
    seen = cv2.remap(
        free, small[..., 0], small[..., 1], cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT, borderValue=0
    )
    return np.asarray(seen > 0)

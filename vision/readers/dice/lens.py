"""Table points to pixels, many at once.

`Pose.project` also computes how pixels move with the camera, which takes most of its time; for the tens of thousands
of points at which faces are looked at only the pixels are wanted.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.pose import Pose
from vision.readers.dice.solids import Floats


def pixels_of(pose: Pose, points_mm: Floats) -> NDArray[np.float32]:
    """Table points (..., 3) to pixels (..., 2), as `Pose.project` has them."""
    rotation = np.asarray(cv2.Rodrigues(np.array(pose.rvec))[0]) * (1.0, 1.0, -1.0)
    (a, b, c), (d, e, f), (g, h, i) = rotation.astype(np.float32)
    points = np.asarray(points_mm, dtype=np.float32)
    x, y, z = points[..., 0], points[..., 1], points[..., 2]
    tx, ty, tz = (np.float32(t) for t in pose.tvec)
    depth = 1 / (g * x + h * y + i * z + tz)
    across, down = (a * x + b * y + c * z + tx) * depth, (d * x + e * y + f * z + ty) * depth
    bent = np.float32(pose.focal_px) * (1 + np.float32(pose.k1) * (across * across + down * down))
    width, height = pose.size_px
    return np.stack([across * bent + (width - 1) / 2, down * bent + (height - 1) / 2], axis=-1).astype(np.float32)

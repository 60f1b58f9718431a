"""The mat from above, as a picture shows it and as it was when it was empty, place by place in millimetres."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.plan import Mat
from vision.calibration.empty import EmptyTable
from vision.light import LINEAR, Light
from vision.picture import Picture
from vision.pose import Pose
from vision.rectify import Map, inside, rectified, rectifying_map

Floats = NDArray[Any]

MM_PER_PX = 2.0
_FLOOR = 0.02


class Sheets(Struct, frozen=True):
    """Two views of one mat from straight above; their pixels are `MM_PER_PX` wide, the first one begins at marker 0."""

    now: Floats
    """(3, H, W) float32, B, G, R: logarithm of what is seen over white paper."""
    before: Floats
    """(3, H, W) the same of the empty table."""
    both: NDArray[np.bool_]
    """(H, W) what both show."""
    off_markers: NDArray[np.bool_]
    """(H, W) the table itself: markers look alike on every table."""


def sheets(picture: Picture, pose: Pose, light: Light, empty: EmptyTable) -> Sheets:
    """A picture (H, W, 3) BGR beside the empty table."""
    size = round(empty.mat.width_mm / MM_PER_PX), round(empty.mat.height_mm / MM_PER_PX)

    def place(pixels: Floats) -> Floats:
        return (pixels + 0.5) * MM_PER_PX

    ys, xs = np.mgrid[0 : size[1], 0 : size[0]]
    ground = place(np.column_stack([xs.ravel(), ys.ravel()]))

    def seen(shown: Picture, camera: Pose, white: Light) -> tuple[Floats, Map]:
        mapping = rectifying_map(camera, size, 0.0, place)
        reflectance = LINEAR[rectified(shown, mapping)] / white.white(ground).reshape(size[1], size[0], 3)
        return np.log(reflectance + _FLOOR).transpose(2, 0, 1).astype(np.float32), mapping

    now, today = seen(picture, pose, light)
    before, then = seen(empty.picture, empty.pose, empty.light)
    both = inside(today, (picture.shape[1], picture.shape[0])) & empty.known(then)
    off_markers = _off_markers(ground, empty.mat).reshape(size[1], size[0])
    return Sheets(now, before, both, off_markers)


def _off_markers(ground_mm: Floats, mat: Mat) -> NDArray[np.bool_]:
    """(N,) whether places (N, 2) show the table itself."""
    away = np.abs(ground_mm[:, None] - np.array(mat.corners_mm())).max(axis=2)
    return np.asarray(away.min(axis=1) > mat.marker_mm)

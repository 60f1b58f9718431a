"""A table without markers, placed by any sheet or card of known size that lies on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from msgspec import structs

from companion.core.plan import Mat, Point
from vision.image.light import light_from_markers
from vision.image.picture import Picture
from vision.image.pose import Pose
from vision.registration.mat_shape import find_shaped
from vision.registration.registered_image import RegisteredImage

AROUND_MM = 700.0
"""The table is read so far around the sheet, as far as it is in the picture."""
_SMALL_MM = 5.0
"""No markers lie there; a mat has some size of them."""


class SheetTable(NamedTuple):
    """A table placed by a sheet."""

    table: RegisteredImage
    """All of it that is in the picture and near the sheet."""
    remarks: tuple[str, ...]


def find_by_sheet(picture: Picture, size_mm: tuple[float, float], corners_px: Sequence[Point]) -> SheetTable:
    """Place a table by a sheet that lies on it.

    Args:
        picture: (H, W, 3) BGR.
        size_mm: The lengths of the sheet's sides.
        corners_px: The sheet's corners, clockwise. The first side is as long as the first length.

    Raises:
        NoTable: No sheet of nearly this shape has these corners.
    """
    sheet = Mat(*size_mm, marker_mm=_SMALL_MM)
    placed, remark = find_shaped(picture, sheet, corners_px)
    width, height = placed.pose.size_px
    middle = np.array([sheet.width_mm, sheet.height_mm]) / 2
    border = [(x * width, y * height) for x in (0.02, 0.5, 0.98) for y in (0.15, 0.5, 0.98)]
    seen = [at for at in placed.pose.unproject(np.array(border)) if np.isfinite(at).all()]
    near = np.clip(np.array([*seen, *np.array(sheet.corners_mm())]), middle - AROUND_MM, middle + AROUND_MM)
    low, high = near.min(axis=0), near.max(axis=0)
    mat = Mat(float(high[0] - low[0]), float(high[1] - low[1]), marker_mm=_SMALL_MM)
    pose = _begun_at(placed.pose, float(low[0]), float(low[1]))
    light = light_from_markers(placed.picture, pose, mat, {})
    table = RegisteredImage(placed.picture, placed.factor, mat, pose, light, ())
    where = f"Places are measured from {-low[0]:.0f} mm left of the sheet's first corner and {-low[1]:.0f} mm above it."
    shape = () if remark is None else (remark.replace("The mat is", "The sheet is").split(" Measure")[0],)
    return SheetTable(table, (*shape, where))


def _begun_at(pose: Pose, x_mm: float, y_mm: float) -> Pose:
    """The same camera over the same table whose origin is moved."""
    turn = np.asarray(cv2.Rodrigues(np.array(pose.rvec))[0])
    x, y, z = (float(one) for one in np.array(pose.tvec) + turn @ np.array([x_mm, y_mm, 0.0]))
    return structs.replace(pose, tvec=(x, y, z))

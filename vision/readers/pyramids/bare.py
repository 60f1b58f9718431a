"""The sheet of the empty table beside the sheet of a picture."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.difference import TableDifference, difference
from vision.calibration.empty import EmptyTable
from vision.image.light import Light
from vision.image.picture import Picture
from vision.image.pose import Pose
from vision.image.rectify import rectifying_map
from vision.readers.pyramids.sheet import LIGHT, Sheet, beside, inputs, logs_of, white_on

Floats = NDArray[Any]


def seen_on(picture: Picture, sheet: Sheet, pose: Pose, light: Light, empty: EmptyTable | None) -> Floats:
    """The inputs (CHANNELS, H, W) of a sheet, beside the empty table where that is known."""
    seen = inputs(picture, sheet, pose, light)
    return seen if empty is None else beside_empty(seen, sheet, pose, empty)


def beside_empty(seen: Floats, sheet: Sheet, pose: Pose, empty: EmptyTable) -> Floats:
    """The same inputs, with how they differ from the empty table."""
    return beside(seen, differs(seen, sheet, pose, empty))


def differs(seen: Floats, sheet: Sheet, pose: Pose, empty: EmptyTable) -> TableDifference:
    """How the inputs (CHANNELS, H, W) of a picture's sheet differ from the empty table at the same places."""
    light, known = bare_light(sheet, pose, empty)
    return difference(seen[LIGHT], light, known)


def bare_light(sheet: Sheet, pose: Pose, empty: EmptyTable) -> tuple[Floats, Floats]:
    """Log light (3, H, W) of the empty table as a sheet of some camera would show it, and where it is known (H, W)."""
    if empty.same_view(pose):
        return _same_view(sheet, empty)

    def place(pixels: Floats) -> Floats:
        return np.asarray(pose.unproject(sheet.to_picture(pixels))[:, :2])

    mapping = rectifying_map(empty.pose, sheet.size, 0.0, place)
    reflectance, known = empty.reflectance(mapping)
    light = np.empty((3, *known.shape), np.float32)
    return logs_of(cv2.split(reflectance), white_on(sheet, pose, empty.light), light), known


@lru_cache(maxsize=1)
def _same_view(sheet: Sheet, empty: EmptyTable) -> tuple[Floats, Floats]:
    """The same for the camera that saw the table empty, which mostly is the one that sees it now."""
    light = inputs(empty.picture, sheet, empty.pose, empty.light)[LIGHT].copy()
    corners = sheet.to_sheet(np.array([(1.0, 1.0), (empty.pose.size_px[0] - 2.0, empty.pose.size_px[1] - 2.0)]))
    known = np.zeros(light.shape[1:], np.float32)
    (left, top), (right, bottom) = np.clip(np.round(corners).astype(int), 0, sheet.size)
    known[top:bottom, left:right] = 1
    for one in (light, known):
        one.setflags(write=False)
    return light, known

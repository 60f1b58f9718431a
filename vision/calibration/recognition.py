"""Decides whether a picture shows the table that was calibrated empty."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.difference import difference
from vision.calibration.empty import EmptyTable
from vision.calibration.sheets import sheets
from vision.image.light import Light
from vision.image.picture import Picture
from vision.image.pose import Pose

Floats = NDArray[Any]

_DIFFERS = 0.25
"""The difference in log light from which a place has plainly changed."""
_SAME = 0.5
"""The least share of the mat that must be unchanged."""
_OFF = 0.7
"""The log reflectance by which the whole table may seem lighter or darker: exposure and glare cause less."""
_NOISE_PX, _PRINT_PX = 1.5, 7.0
_LEAST_WEIGHT = 0.001
"""With a smaller weight of free places around it, a place is unknown."""
_MARK = 0.05
"""The least contrast, in log light, of a mark such as a vein or a stripe."""
_MARKED, _PATTERNED = 0.1, 0.4
"""The least shares of the table covered by marks: in the empty picture, and now."""
_AGREE = 0.55
"""The least correlation of marks; on the same table it is above 0.8."""
_TINT = 0.3
"""The largest log difference between two channels."""


def same_table(picture: Picture, pose: Pose, light: Light, empty: EmptyTable) -> bool:
    """True if the mat in a picture (H, W, 3) BGR looks like the empty one where it is free.

    Only a clearly different table is rejected: one of another color, or with a pattern that does not fit.
    """
    beside = sheets(picture, pose, light, empty)
    now, before, both = beside.now, beside.before, beside.both
    if both.mean() < 0.2:
        return True
    apart = difference(now, before, both)
    free = both & (apart.strength() < _DIFFERS) & beside.off_markers
    offset = np.median((now - before)[:, both], axis=1)
    alike = bool(np.abs(offset).max() < _OFF and np.ptp(offset) < _TINT)
    return alike and float(free.sum()) > _SAME * float(both.sum()) and _same_print(now, before, free)


def _same_print(now: Floats, before: Floats, free: Floats) -> bool:
    """Returns true if the print or grain of two tables (3, H, W) agrees where neither is covered; plain ones do."""
    means = np.stack([one.mean(axis=0) for one in (now, before)], axis=2)
    marks = np.moveaxis(_blurred(means, free, _NOISE_PX) - _blurred(means, free, _PRINT_PX), 2, 0)
    strong = [free & (np.abs(mark) > _MARK) for mark in marks]
    shares = [float(one.sum()) / max(float(free.sum()), 1.0) for one in strong]
    # Shadows are marks too, so the empty table's own decide where it has some.
    if shares[1] > _MARKED:
        shown = strong[1]
    elif shares[0] > _PATTERNED:
        shown = strong[0]
    else:
        return True
    a, b = (one[shown] for one in marks)
    return float(a @ b) > _AGREE * float(np.sqrt((a @ a) * (b @ b)))


def _blurred(sheets: Floats, free: NDArray[np.bool_], sigma_px: float) -> Floats:
    """Returns (H, W, N), a Gaussian blur of the free places alone, so that pieces beside them do not influence it."""
    weight = free.astype(np.float32)[..., None]
    around = cv2.GaussianBlur(weight, (0, 0), sigma_px)[..., None]
    return np.asarray(cv2.GaussianBlur(sheets * weight, (0, 0), sigma_px) / np.maximum(around, _LEAST_WEIGHT))

"""Estimates the light on the table from the markers: how white looks in each color and at each place.

A marker's quiet zone is white and its border black under the same lamp. Their difference is the light that falls there
(a mirrored lamp adds the same to both), so reflectances come out equal under a warm lamp, in a window's shade and with
any white balance. All computations use linear light.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.plan import Mat
from vision.image.pose import Floats, Pose


def linear_light(levels: NDArray[Any]) -> NDArray[Any]:
    """Returns the linear light of sRGB levels, both 0 to 1 (IEC 61966-2-1)."""
    return np.where(levels <= 0.04045, levels / 12.92, ((np.maximum(levels, 0) + 0.055) / 1.055) ** 2.4)


def srgb_levels(light: NDArray[Any]) -> NDArray[Any]:
    """Returns the sRGB levels of linear light, both 0 to 1 (IEC 61966-2-1)."""
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * np.maximum(light, 0) ** (1 / 2.4) - 0.055)


LINEAR: NDArray[np.float32] = linear_light(np.arange(256, dtype=np.float64) / 255).astype(np.float32)
"""(256,): linear light of an sRGB level."""

_PLAIN = np.array([0.45, 0.45, 0.45])
"""The light of white without a marker: an ordinary exposure."""


class Light(Struct, frozen=True):
    """The linear light of a white sheet anywhere on the table.

    log white = offset + slope_x * x + slope_y * y, for each of B, G, R, with x and y in millimeters from `middle_mm`.
    """

    middle_mm: tuple[float, float]
    offset: tuple[float, float, float]
    slope_x: float
    slope_y: float
    markers: tuple[int, ...]
    """The ids of the markers that it was measured from; empty if it is a guess."""

    def white(self, xy_mm: Floats) -> Floats:
        """Returns (N, 3): B, G, R of white at table places (N, 2) in millimeters."""
        away = np.asarray(xy_mm, dtype=np.float64).reshape(-1, 2) - self.middle_mm
        shade = away @ np.array([self.slope_x, self.slope_y])
        return np.asarray(np.exp(np.array(self.offset) + shade[:, None]))


def light_from_markers(picture: NDArray[np.uint8], pose: Pose, mat: Mat, corners_px: Mapping[int, Floats]) -> Light:
    """Measures white at every marker that was found and fits the light between them."""
    middle = (mat.width_mm / 2, mat.height_mm / 2)
    places, whites, ids = [], [], []
    for i, corners in corners_px.items():
        white = _marker_white(picture, corners, mat.marker_mm)
        if white is not None:
            places.append(mat.corners_mm()[i])
            whites.append(np.log(white))
            ids.append(i)
    if not ids:
        b, g, r = np.log(_PLAIN)
        return Light(middle, (float(b), float(g), float(r)), 0.0, 0.0, ())
    color_logs = np.array(whites)
    away = np.array(places) - middle
    # One slope for all channels: lamps fall off, they do not change color. A weak pull to zero keeps two markers sane.
    levels = color_logs.mean(1)
    reach = max(mat.width_mm, mat.height_mm)
    design = np.column_stack([np.ones(len(ids)), away / reach])
    normal = design.T @ design + np.diag([1e-9, 0.15, 0.15])
    level, sx, sy = np.linalg.solve(normal, design.T @ levels)
    color = np.median(color_logs - levels[:, None], axis=0)
    b, g, r = (float(v) for v in level + color)
    return Light(middle, (b, g, r), float(sx / reach), float(sy / reach), tuple(ids))


def _marker_white(picture: NDArray[np.uint8], corners: Floats, marker_mm: float) -> Floats | None:
    """Returns (3,): linear light of white at one marker as B, G, R; None if it cannot be measured."""
    side = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float32)
    homography = cv2.getPerspectiveTransform(side, np.asarray(corners, dtype=np.float32))
    quiet, border = 4.5 / marker_mm, 0.5 / 6
    along = np.linspace(0.0, 1.0, 25)

    def ring(out: float) -> NDArray[np.float32]:
        edge = np.full_like(along, -out)
        far = np.full_like(along, 1 + out)
        spots = np.concatenate(
            [np.column_stack(p) for p in ((along, edge), (along, far), (edge, along), (far, along))]
        ).astype(np.float32)
        pixels = cv2.perspectiveTransform(spots.reshape(-1, 1, 2), homography).reshape(1, -1, 2)
        levels = cv2.remap(
            picture, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT
        ).reshape(-1, 3)
        height, width = picture.shape[:2]
        x, y = pixels[0, :, 0], pixels[0, :, 1]
        seen = (x > 0) & (y > 0) & (x < width - 1) & (y < height - 1)
        return np.asarray(LINEAR[levels[seen]])

    whites, blacks = ring(quiet), ring(-border)
    if len(whites) < 20 or len(blacks) < 20:
        return None
    white = np.median(whites, axis=0) - np.median(blacks, axis=0)
    return np.asarray(np.maximum(white, 1e-3), dtype=np.float64)

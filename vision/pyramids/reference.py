"""What the bare table looks like under the pieces, estimated from the same picture that shows them.

Pieces cover little of a table, so a wide median finds its look and a second, masked pass its shading. Everything is a
logarithm of linear light: plastic multiplies light, so what a piece takes away is a difference that does not depend
on the table's color, and a shadow is an equal shift of all channels.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.plan import Mat
from vision.light import Light
from vision.pose import Pose

Floats = NDArray[Any]
Picture = NDArray[np.uint8]

_FLOOR = 0.008
"""Linear light added before the logarithm: about the noise of a dark webcam pixel."""


def _linear(code: NDArray[np.float64]) -> NDArray[np.float64]:
    """sRGB 0 to 1 to linear light (IEC 61966-2-1)."""
    return np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4)


LOG_LIGHT = np.log(_linear(np.arange(256) / 255) + _FLOOR).astype(np.float32)
"""(256,) logarithm of linear light by pixel value."""

_LOW, _HIGH = float(LOG_LIGHT[0]), float(LOG_LIGHT[255])
_CODE = np.round((LOG_LIGHT - _LOW) / (_HIGH - _LOW) * 255).astype(np.uint8)
"""(256,) pixel value to an even 8-bit scale of log light, so that the median filter works on bytes."""

WINDOW_MM = 108.0
"""Width of the median: far more than twice a piece's, so that pieces are a minority in it."""
SMOOTH_MM = 13.0
"""Blur of the second pass."""
CROWD_HUE = 0.15
"""Difference in log light between channels that grain and lamps do not make."""
MOST_CROWDED = 0.3
"""Share of the mat beyond which another hue is the table's own."""
SHRINK = 4
"""The reference is kept at a quarter of the picture's size: shading is smooth."""


class Table(Struct, frozen=True):
    """The bare table in log light at a quarter of the picture's size."""

    log_light: Floats
    """(H / 4, W / 4, 3) BGR."""
    grain: float
    """Standard deviation of the bare table around it: wood and cloth are grainy, paper is not."""
    other: NDArray[np.uint8]
    """(H / 4, W / 4) 1 where something else than the table shows."""

    def spots(self, points_px: Floats) -> Floats:
        """(N, 3) log light of the bare table at pixels (N, 2) of the picture; outside of it the nearest edge."""
        height, width = self.log_light.shape[:2]
        x = np.clip(np.round(points_px[:, 0] / SHRINK - 0.4).astype(int), 0, width - 1)
        y = np.clip(np.round(points_px[:, 1] / SHRINK - 0.4).astype(int), 0, height - 1)
        return np.asarray(self.log_light[y, x])

    def at(self, box: tuple[int, int, int, int]) -> Floats:
        """(h, w, 3) log light of the bare table for the picture's pixels x0, y0, x1, y1."""
        x0, y0, x1, y1 = box
        # Pixel centers of the small picture lie 1.5 pixels in; the map below is cv2.resize's own, cut to the box.
        scale = 1 / SHRINK
        shift_x, shift_y = (x0 + 0.5) * scale - 0.5, (y0 + 0.5) * scale - 0.5
        matrix = np.array([[scale, 0, shift_x], [0, scale, shift_y]])
        cut = cv2.warpAffine(
            self.log_light,
            matrix,
            (x1 - x0, y1 - y0),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(cut, dtype=np.float32)


def reflectance(table: Table, pose: Pose, light: Light, mat: Mat) -> Floats:
    """(3,) log of the bare table's reflectance, B, G, R, relative to the white of the markers.

    It is measured beside the markers, where their light is known; without markers the middle of the mat must do.
    """
    w, h = mat.width_mm, mat.height_mm
    step = mat.marker_mm
    places = []
    for i in light.markers:
        x, y = mat.corners_mm()[i]
        in_x, in_y = (step if x < w / 2 else -step), (step if y < h / 2 else -step)
        places += [(x + in_x, y), (x, y + in_y), (x + in_x, y + in_y)]
    if not places:
        places = [(w * fx, h * fy) for fx in (0.3, 0.5, 0.7) for fy in (0.3, 0.5, 0.7)]
    spots = np.array(places)
    pixels = pose.project(np.column_stack([spots, np.zeros(len(spots))]))
    inside = (pixels > 0).all(axis=1) & (pixels < np.array(pose.size_px)).all(axis=1)
    if inside.any():
        spots, pixels = spots[inside], pixels[inside]
    away = table.spots(pixels) - np.log(light.white(spots) + _FLOOR)
    return np.asarray(np.minimum(np.median(away, axis=0), 0.1))


def _without_crowds(table: Floats, mask: NDArray[np.uint8], smooth: float) -> Floats:
    """The median's picture of the table, mended where so many pieces stand together that they are its majority.

    There its hue is not the mat's. Such places are filled from around them, unless they are too many: then the table
    itself has several colors.
    """
    hue = table - table.mean(axis=2, keepdims=True)
    usual = np.median(hue[mask > 0][::7], axis=0) if mask.any() else np.zeros(3)
    crowd = (np.abs(hue - usual).max(axis=2) > CROWD_HUE).astype(np.uint8)
    if not crowd.any() or (crowd & mask).sum() > MOST_CROWDED * mask.sum():
        return table
    clean = 1 - cv2.dilate(crowd, np.ones((3, 3), np.uint8)).astype(np.float32)
    weight = cv2.GaussianBlur(clean, (0, 0), 3 * smooth)
    filled = cv2.GaussianBlur(table * clean[..., None], (0, 0), 3 * smooth) / (weight + 1e-6)[..., None]
    use = (crowd > 0) & (weight > 0.02)
    return np.asarray(np.where(use[..., None], filled, table))


def estimate(picture: Picture, px_per_mm: float, mask: NDArray[np.uint8]) -> Table:
    """The bare table of a picture (H, W, 3) BGR uint8.

    `px_per_mm` is the picture's scale on the table, `mask` (H / 4, W / 4) is 1 on the mat.
    """
    window = 2 * round(WINDOW_MM * px_per_mm / SHRINK / 2) + 1
    smooth = SMOOTH_MM * px_per_mm / SHRINK
    small = cv2.resize(picture, None, fx=1 / SHRINK, fy=1 / SHRINK, interpolation=cv2.INTER_AREA)
    codes = cv2.medianBlur(cv2.LUT(small, _CODE), window)
    light = LOG_LIGHT[small]
    table = codes.astype(np.float32) * ((_HIGH - _LOW) / 255) + _LOW
    table = _without_crowds(table, mask, smooth)
    other = np.zeros(light.shape[:2], np.uint8)
    for _ in range(2):
        away = light - table
        hue = np.abs(away - away.mean(axis=2, keepdims=True)).max(axis=2)
        size = np.abs(away).max(axis=2)
        other = (
            (size > max(0.12, 2.2 * 1.4826 * float(np.median(size[::2, ::2]))))
            | (hue > max(0.06, 2.5 * 1.4826 * float(np.median(hue[::2, ::2]))))
        ).astype(np.uint8)
        bare = 1 - cv2.dilate(other, np.ones((5, 5), np.uint8)).astype(np.float32)
        weight = cv2.GaussianBlur(bare, (0, 0), smooth)
        total = cv2.GaussianBlur(light * bare[..., None], (0, 0), smooth)
        faint = 0.05
        table = (total + faint * table) / (weight + faint)[..., None]
    left = (light - table)[bare > 0]
    grain = float(left.std()) if left.size else 0.0
    return Table(np.ascontiguousarray(table), grain, other)

"""The table as seen from straight above, white where the markers are white; cards are found and read in it."""

from __future__ import annotations

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.image.light import LINEAR, srgb_levels
from vision.image.pose import coarse, rectified, rectifying_map
from vision.registration.registered_image import RegisteredImage

Floats = NDArray[np.float32]
Picture = NDArray[np.uint8]

PX_PER_MM = 2
CELL_MM = 4
"""The side in millimeters of the cells in which cards are found."""
CELL_PX = CELL_MM * PX_PER_MM
MARGIN_MM = 60.0
"""The distance in millimeters beside the mat up to which cards are read."""
_QUIET_MM = 12.0
"""The width in millimeters of the white around a marker, with a margin."""
_WHITE = 0.8
"""The linear light of the markers' white, equal to that of paper in training."""
_BLOCK_MM = 32
"""The sides of a sheet in millimeters are multiples of this, so that they can be halved repeatedly."""


class CardSheet(Struct, frozen=True):
    """A table from above."""

    picture: Picture
    """(H, W, 3) BGR, two pixels per millimeter."""
    markers: NDArray[np.bool_]
    """(h, w): True for cells that show one of the mat's markers."""
    origin_mm: tuple[float, float]
    """The table place of its upper left corner in millimeters."""

    def to_px(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Returns the sheet's pixels (N, 2) of table places (N, 2) in millimeters."""
        return np.asarray((points_mm - np.array(self.origin_mm)) * PX_PER_MM - 0.5)


def table_sheet(table: RegisteredImage) -> CardSheet:
    """Returns the sheet of a table, slightly larger than its mat."""
    wide = table.mat.width_mm + 2 * MARGIN_MM, table.mat.height_mm + 2 * MARGIN_MM
    size_mm = [-(-side // _BLOCK_MM) * _BLOCK_MM for side in wide]
    origin = -MARGIN_MM, -MARGIN_MM
    size = round(size_mm[0] * PX_PER_MM), round(size_mm[1] * PX_PER_MM)
    picture, pose = coarse(table.picture, table.pose, 1 / PX_PER_MM)
    mapping = rectifying_map(pose, size, 0.0, lambda px: (px + 0.5) / PX_PER_MM + np.array(origin))
    leveled = _leveled(rectified(picture, mapping), table)
    return CardSheet(leveled, _marker_cells(table, (size[0] // CELL_PX, size[1] // CELL_PX), origin), origin)


def _marker_cells(table: RegisteredImage, size: tuple[int, int], origin_mm: tuple[float, float]) -> NDArray[np.bool_]:
    """Returns (h, w): True for cells on the mat's markers and their quiet zones."""
    x, y = (((np.arange(size[k]) + 0.5) * CELL_MM + origin_mm[k]) for k in range(2))
    reach = table.mat.marker_mm / 2 + _QUIET_MM
    found = np.zeros((size[1], size[0]), bool)
    corners = table.mat.corners_mm()
    for number in table.markers:
        middle = corners[number]
        found |= (np.abs(y - middle[1]) < reach)[:, None] & (np.abs(x - middle[0]) < reach)[None, :]
    return found


def _leveled(picture: Picture, table: RegisteredImage) -> Picture:
    """Returns a picture in which the markers' white is equally light in all three channels."""
    middle = np.array([[table.mat.width_mm / 2, table.mat.height_mm / 2]])
    white = table.light.white(middle)[0]
    lines = []
    for channel in range(3):
        light = np.clip(LINEAR / white[channel] * _WHITE, 0, 1)
        lines.append(np.round(srgb_levels(light) * 255).astype(np.uint8))
    return np.asarray(cv2.LUT(picture, np.stack(lines, -1).reshape(1, 256, 3)))

"""The tray as seen from above on the level of the dice's top faces, with the strength of color changes at each place.

On that level a top face has its true size anywhere, so outlines can be matched in millimeters. The tensor of color
gradients is stored, which gives the change across a line of any direction without further sampling.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.plan import Point
from vision.image.light import srgb_levels
from vision.image.pose import Pose, coarse, rectified, rectifying_map
from vision.readers.dice.solids import Floats
from vision.registration.registered_image import RegisteredImage, free_on, free_table

# Table points to pixels, many at once.
#
# `Pose.project` also computes how pixels move with the camera, which takes most of its time; for the tens of thousands
# of points at which faces are looked at only the pixels are wanted.


def pixels_of(pose: Pose, points_mm: Floats) -> NDArray[np.float32]:
    """Returns the pixels (..., 2) of table points (..., 3) in millimeters, like `Pose.project`."""
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


PX_PER_MM = 1.6
MARGIN_MM = 16.0
"""The margin in millimeters outside of the tray in which edges are still examined."""
_BLUR_MM = 0.5
_QUIET_EDGE = 0.02
"""The change of light, relative to white and per millimeter, that is noise even on the smoothest tray."""
_MARKER_RIM_MM = 1.5

Images = NDArray[np.float32]


class Plane(Struct, frozen=True):
    """The color changes on one level over the tray."""

    z_mm: float
    corner_mm: Point
    """The table place of the first pixel in millimeters."""
    scale: float
    """The number of pixels per millimeter."""
    tensor: Images
    """(H, W, 3): xx, xy, yy of the gradient's outer product per square millimeter, summed over colors."""
    gray: NDArray[np.uint8]
    """(H, W): the gray picture of the level, with markers hidden."""
    levels: NDArray[np.uint8]
    """(H, W, 3): the color picture of the level."""
    quiet: float
    """The change per millimeter that this tray has everywhere: its grain and the picture's noise."""

    def pixels(self, places_mm: Floats) -> Floats:
        """Returns the pixels (..., 2) in this level's pictures of table places (..., 2) in millimeters."""
        return np.asarray((np.asarray(places_mm) - self.corner_mm) * self.scale)

    def places(self, pixels: Floats) -> Floats:
        """Returns the reverse of `pixels`."""
        return np.asarray(np.asarray(pixels) / self.scale + self.corner_mm)

    def halved(self) -> Plane:
        """Returns the plane at half the scale, slightly blurred."""
        soft = cv2.GaussianBlur(self.tensor, (0, 0), 1.0)
        small: Images = np.ascontiguousarray(soft[::2, ::2], dtype=np.float32)
        return Plane(
            self.z_mm, self.corner_mm, self.scale / 2, small, self.gray[::2, ::2], self.levels[::2, ::2], self.quiet
        )


def tray_plane(table: RegisteredImage, z_mm: float, outline_mm: Sequence[Point] | None = None) -> Plane:
    """Returns one level over the inside of `outline_mm` with a margin; with None, over the whole mat."""
    scale = PX_PER_MM
    corners = np.array(table.mat.corners_mm() if outline_mm is None else outline_mm)
    first, last = corners.min(axis=0) - MARGIN_MM, corners.max(axis=0) + MARGIN_MM
    width, height = (last - first) * scale
    size = round(width), round(height)
    picture, pose = coarse(table.picture, table.pose, 1 / scale)
    mapping = rectifying_map(pose, size, z_mm, lambda pixels: pixels / scale + first)
    seen = rectified(picture, mapping)
    white = table.light.white((first + last)[None] / 2)[0]
    shares = seen.astype(np.float32) * (1 / (255 * srgb_levels(white))).astype(np.float32)
    soft = cv2.GaussianBlur(shares, (5, 5), _BLUR_MM * scale)
    across = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, scale=scale / 8)
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3, scale=scale / 8)
    tensor = np.stack([_sum(across * across), _sum(across * down), _sum(down * down)], axis=2)
    quiet = float(np.median(np.sqrt(tensor[::2, ::2, 0] + tensor[::2, ::2, 2])))
    gray = np.asarray(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY), np.uint8)
    for number in table.markers:
        # A die cannot stand before a marker that was read, so the marker's own lines do not count.
        outline = (marker_outline(table, number, z_mm, _MARKER_RIM_MM) - first) * scale
        corners = np.round(outline).astype(np.int32)
        cv2.fillConvexPoly(tensor, corners, (0.0, 0.0, 0.0))
        cv2.fillConvexPoly(gray, corners, (255.0,))
        cv2.fillConvexPoly(seen, corners, (255.0, 255.0, 255.0))
    free = free_table(table)
    if free is not None:
        # Where the empty table is visible, its print does not belong to a die.
        shown = free_on(free, mapping * np.float32(table.pose.size_px[0] / pose.size_px[0]))
        tensor[shown] = 0.0
    return Plane(z_mm, (float(first[0]), float(first[1])), scale, tensor, gray, seen, _QUIET_EDGE + quiet)


def _sum(image: Images) -> Images:
    return np.asarray(image[..., 0] + image[..., 1] + image[..., 2])


def marker_outline(table: RegisteredImage, number: int, z_mm: float, rim_mm: float) -> Floats:
    """Returns (4, 2): table places on a level above the tray that hide a marker's black square and a rim around it."""
    half = table.mat.marker_mm / 2 + rim_mm
    middle = np.array(table.mat.corners_mm()[number])
    square = middle + half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    return np.asarray(table.pose.unproject(table.pose.project(np.column_stack([square, np.zeros(4)])), z_mm))


def covered(table: RegisteredImage, outlines: Sequence[Floats], z_mm: float) -> list[bool]:
    """Returns, for each outline (N, 2) on a level, True if it would hide a good part of a marker that was read."""
    squares = [marker_outline(table, number, z_mm, 0.0).astype(np.float32) for number in table.markers]
    found = []
    for outline in outlines:
        shape = outline.astype(np.float32)
        area = cv2.contourArea(shape)
        shares = [cv2.intersectConvexConvex(shape, square)[0] / area for square in squares]
        found.append(max(shares, default=0.0) > 0.12)
    return found

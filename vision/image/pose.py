"""A camera over the table, which maps table millimeters to pixels and back."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Pose(Struct, frozen=True):
    """A camera over the table.

    Table space is millimeters (x right, y down the mat, z up). It is left-handed, so the camera takes (x, y, -z).
    """

    size_px: tuple[int, int]
    """The width and height of the picture."""
    focal_px: float
    k1: float
    rvec: tuple[float, float, float]
    tvec: tuple[float, float, float]
    residual_px: float
    """The root mean square distance in pixels of the points from which the pose was solved."""

    def matrix(self) -> Floats:
        """Returns the intrinsic matrix (3, 3); the principal point is the picture's middle."""
        width, height = self.size_px
        return np.array(
            [[self.focal_px, 0, (width - 1) / 2], [0, self.focal_px, (height - 1) / 2], [0, 0, 1]], dtype=np.float64
        )

    def distortion(self) -> Floats:
        """Returns the distortion (5,) in OpenCV's order; only k1 is modeled."""
        return np.array([self.k1, 0, 0, 0, 0], dtype=np.float64)

    def project(self, points_mm: Floats) -> Floats:
        """Returns the pixels (N, 2) of table points (N, 3) in millimeters.

        The computation is done here because OpenCV also computes derivatives and takes several times as long for many
        points.
        """
        flipped = np.asarray(points_mm, dtype=np.float64).reshape(-1, 3) * (1, 1, -1)
        seen = flipped @ _rotation(self.rvec).T + self.tvec
        rays = seen[:, :2] / seen[:, 2:]
        stretch = 1 + self.k1 * np.einsum("ij,ij->i", rays, rays)
        return np.asarray(rays * (self.focal_px * stretch)[:, None] + self.matrix()[:2, 2])

    def unproject(self, points_px: Floats, z_mm: float = 0.0) -> Floats:
        """Returns the points (N, 2) in table millimeters at which the rays of pixels (N, 2) meet the plane at height
        `z_mm`.
        """
        points = np.asarray(points_px, dtype=np.float64).reshape(-1, 1, 2)
        if not len(points):  # OpenCV has no answer for no points
            return np.zeros((0, 2))
        rays = cv2.undistortPoints(points, self.matrix(), self.distortion()).reshape(-1, 2)
        directions = np.column_stack([rays, np.ones(len(rays))]) @ _rotation(self.rvec)
        eye = self._eye()
        scale = (-z_mm - eye[2]) / directions[:, 2]
        return np.asarray((eye + scale[:, None] * directions)[:, :2])

    def eye_mm(self) -> Floats:
        """Returns the camera's place (3,) in table millimeters."""
        return np.asarray(self._eye() * (1, 1, -1))

    def _eye(self) -> Floats:
        """Returns the camera's place (3,) with z down, as OpenCV takes it."""
        return np.asarray(-_rotation(self.rvec).T @ np.array(self.tvec))

    def in_frame(self, turn: Floats, origin_mm: Floats) -> Pose:
        """Returns the same camera in another frame of the table.

        Args:
            turn: (3, 3): the axes of the new frame in the old one, as columns, with z down.
            origin_mm: (3,): the origin of the new frame in the old one, with z down.
        """
        rotation = _rotation(self.rvec)
        a, b, c = (float(v) for v in np.asarray(cv2.Rodrigues(rotation @ turn)[0]).ravel())
        x, y, z = (float(v) for v in np.array(self.tvec) + rotation @ origin_mm)
        return replace(self, rvec=(a, b, c), tvec=(x, y, z))

    def scaled(self, factor: float) -> Pose:
        """Returns the same camera for the picture resized by `factor`."""
        width, height = self.size_px
        return Pose(
            (round(width * factor), round(height * factor)),
            self.focal_px * factor,
            self.k1,
            self.rvec,
            self.tvec,
            self.residual_px * factor,
        )


@lru_cache(maxsize=64)
def _rotation(rvec: tuple[float, float, float]) -> Floats:
    """Returns the rotation (3, 3) from the table's axes, with z down, to the camera's."""
    rotation = np.asarray(cv2.Rodrigues(np.array(rvec))[0], np.float64)
    rotation.setflags(write=False)
    return rotation


# Pictures seen from straight above: a patch of a plane over the table, resampled at a fixed scale.
#
# The map is projected on a coarse grid and interpolated, because a lens bends it far less within 16 pixels than noise
# does; that is thirty times cheaper than projecting every pixel.

Map = NDArray[np.float32]
"""(H, W, 2): the place in the picture of each pixel of the patch."""

_STEP = 16


def rectifying_map(pose: Pose, size: tuple[int, int], z_mm: float, place: Callable[[Floats], Floats]) -> Map:
    """Returns the map of a patch of `size` (width, height) pixels into the picture.

    Args:
        place: Maps patch pixels (N, 2) to table millimeters (N, 2) on the plane at height `z_mm`.
    """
    width, height = size
    columns, rows = -(-width // _STEP) + 1, -(-height // _STEP) + 1
    xs, ys = np.meshgrid(np.arange(columns) * _STEP, np.arange(rows) * _STEP)
    spots = place(np.column_stack([xs.ravel(), ys.ravel()]).astype(np.float64))
    nodes = pose.project(np.column_stack([spots, np.full(len(spots), z_mm)]))
    coarse = np.clip(nodes, -1e4, 1e5).astype(np.float32).reshape(rows, columns, 2)
    shares_x = np.arange(width, dtype=np.float32) / _STEP
    shares_y = np.arange(height, dtype=np.float32) / _STEP
    grid_x, grid_y = np.meshgrid(shares_x, shares_y)
    return np.asarray(cv2.remap(coarse, grid_x, grid_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def rectified(picture: NDArray[np.uint8], mapping: Map) -> NDArray[np.uint8]:
    """Returns the patch; parts outside the picture are black."""
    return np.asarray(
        cv2.remap(picture, mapping[..., 0], mapping[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT),
        dtype=np.uint8,
    )


def inside(mapping: Map, picture_size: tuple[int, int], margin_px: float = 1.0) -> NDArray[np.bool_]:
    """Returns (H, W): True for pixels of the patch that the picture shows."""
    width, height = picture_size
    x, y = mapping[..., 0], mapping[..., 1]
    return np.asarray(
        (x >= margin_px) & (y >= margin_px) & (x <= width - 1 - margin_px) & (y <= height - 1 - margin_px)
    )


def coarse(picture: NDArray[np.uint8], pose: Pose, mm_per_px: float) -> tuple[NDArray[np.uint8], Pose]:
    """Returns the picture and its camera, shrunk toward the scale that a patch will have.

    Averaging pixels first avoids sampling noise and texture at random.
    """
    ends = pose.project(np.array([[-50.0, 0, 0], [50.0, 0, 0], [0, -50.0, 0], [0, 50.0, 0]]) + _under(pose))
    px_per_mm = float(np.hypot(*(ends[1] - ends[0])) + np.hypot(*(ends[3] - ends[2]))) / 200
    factor = 1.3 / max(mm_per_px * px_per_mm, 1e-6)
    if factor > 0.8:
        return picture, pose
    factor = max(factor, 64 / min(picture.shape[:2]))
    size = round(picture.shape[1] * factor), round(picture.shape[0] * factor)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8), pose.scaled(factor)


def _under(pose: Pose) -> Floats:
    """Returns the table place (3,) in the middle of the picture."""
    middle = np.array([[pose.size_px[0] / 2, pose.size_px[1] / 2]])
    return np.append(pose.unproject(middle)[0], 0.0)

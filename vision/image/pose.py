"""A camera over the table: it maps table millimeters to pixels and back."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Pose(Struct, frozen=True):
    """A camera over the table.

    Table space is millimeters (x right, y down the mat, z up). It is left-handed, so the camera takes (x, y, -z).
    """

    size_px: tuple[int, int]
    """Width and height of the picture."""
    focal_px: float
    k1: float
    rvec: tuple[float, float, float]
    tvec: tuple[float, float, float]
    residual_px: float
    """Root mean square distance of the points it was solved from."""

    def matrix(self) -> Floats:
        """(3, 3) intrinsic matrix; the principal point is the picture's middle."""
        width, height = self.size_px
        return np.array(
            [[self.focal_px, 0, (width - 1) / 2], [0, self.focal_px, (height - 1) / 2], [0, 0, 1]], dtype=np.float64
        )

    def distortion(self) -> Floats:
        """(5,) as OpenCV orders it; only k1 is modeled."""
        return np.array([self.k1, 0, 0, 0, 0], dtype=np.float64)

    def project(self, points_mm: Floats) -> Floats:
        """Table millimeters (N, 3) to pixels (N, 2).

        Worked out here: OpenCV's own works out derivatives, too, and takes several times as long for many points.
        """
        flipped = np.asarray(points_mm, dtype=np.float64).reshape(-1, 3) * (1, 1, -1)
        seen = flipped @ _rotation(self.rvec).T + self.tvec
        rays = seen[:, :2] / seen[:, 2:]
        stretch = 1 + self.k1 * np.einsum("ij,ij->i", rays, rays)
        return np.asarray(rays * (self.focal_px * stretch)[:, None] + self.matrix()[:2, 2])

    def unproject(self, points_px: Floats, z_mm: float = 0.0) -> Floats:
        """Pixels (N, 2) to the table millimeters (N, 2) where they meet the plane at height `z_mm`."""
        points = np.asarray(points_px, dtype=np.float64).reshape(-1, 1, 2)
        if not len(points):  # OpenCV has no answer for no points
            return np.zeros((0, 2))
        rays = cv2.undistortPoints(points, self.matrix(), self.distortion()).reshape(-1, 2)
        directions = np.column_stack([rays, np.ones(len(rays))]) @ _rotation(self.rvec)
        eye = self._eye()
        scale = (-z_mm - eye[2]) / directions[:, 2]
        return np.asarray((eye + scale[:, None] * directions)[:, :2])

    def eye_mm(self) -> Floats:
        """(3,) where the camera is, in table millimeters."""
        return np.asarray(self._eye() * (1, 1, -1))

    def _eye(self) -> Floats:
        """(3,) the same with z down, as OpenCV takes it."""
        return np.asarray(-_rotation(self.rvec).T @ np.array(self.tvec))

    def scaled(self, factor: float) -> Pose:
        """The same camera for the picture resized by `factor`."""
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
    """(3, 3) from the table's axes, z down, to the camera's."""
    rotation = np.asarray(cv2.Rodrigues(np.array(rvec))[0], np.float64)
    rotation.setflags(write=False)
    return rotation

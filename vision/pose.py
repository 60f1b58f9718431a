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
        """Table millimeters (N, 3) to pixels (N, 2)."""
        seen = np.asarray(points_mm, dtype=np.float64).reshape(-1, 3) @ _rotation(self.rvec) + self.tvec
        rays = seen[:, :2] / seen[:, 2:]
        bent = np.einsum("ij,ij->i", rays, rays)
        bent *= self.focal_px * self.k1
        bent += self.focal_px
        rays *= bent[:, None]
        rays += ((self.size_px[0] - 1) / 2, (self.size_px[1] - 1) / 2)
        return np.asarray(rays)

    def unproject(self, points_px: Floats, z_mm: float = 0.0) -> Floats:
        """Pixels (N, 2) to the table millimeters (N, 2) where they meet the plane at height `z_mm`."""
        points = np.asarray(points_px, dtype=np.float64).reshape(-1, 1, 2)
        rays = cv2.undistortPoints(points, self.matrix(), self.distortion()).reshape(-1, 2)
        rotation, _ = cv2.Rodrigues(np.array(self.rvec))
        directions = np.column_stack([rays, np.ones(len(rays))]) @ rotation
        eye = -np.asarray(rotation).T @ np.array(self.tvec)
        scale = (-z_mm - eye[2]) / directions[:, 2]
        return np.asarray((eye + scale[:, None] * directions)[:, :2])

    def eye_mm(self) -> Floats:
        """(3,) where the camera is, in table millimeters."""
        rotation, _ = cv2.Rodrigues(np.array(self.rvec))
        eye = -np.asarray(rotation).T @ np.array(self.tvec)
        return np.asarray(eye * (1, 1, -1))

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
    """(3, 3) what table points are multiplied by from the right, so that they lie along a camera's axes."""
    rotation = np.asarray(cv2.Rodrigues(np.array(rvec))[0], np.float64).T.copy()
    rotation[2] *= -1
    rotation.setflags(write=False)
    return rotation

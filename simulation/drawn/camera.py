"""Models a camera over the table as OpenCV does: a pinhole with an optical center a few pixels off, and slight
distortion.

Table space is millimeters (x right, y down the mat, z up). It is left-handed, so the camera takes (x, y, -z).
"""

from __future__ import annotations

import math
from random import Random
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.plan import Mat

Floats = NDArray[Any]

SIZE_PX = (1280, 720)
_GRID = 5
"""The number of places each way at which the rays of a patch are exact; the others are interpolated."""
_COARSE_PX = 16
_MARGIN_PX = 12.0
"""The least distance in pixels between the markers, quiet zones included, and the picture's border."""


class Camera(Struct, frozen=True):
    """A camera: its pose and the properties of its lens."""

    size_px: tuple[int, int]
    focal_px: float
    middle_px: tuple[float, float]
    distortion: tuple[float, float, float, float]
    """The coefficients k1, k2, p1, p2."""
    rvec: tuple[float, float, float]
    tvec: tuple[float, float, float]

    def matrix(self) -> Floats:
        """Returns the intrinsic matrix (3, 3)."""
        x, y = self.middle_px
        return np.array([[self.focal_px, 0, x], [0, self.focal_px, y], [0, 0, 1]])

    def project(self, points_mm: Floats) -> Floats:
        """Returns pixels (N, 2) of table points (N, 3)."""
        flipped = np.asarray(points_mm, dtype=np.float64).reshape(-1, 3) * (1, 1, -1)
        pixels, _ = cv2.projectPoints(
            flipped, np.array(self.rvec), np.array(self.tvec), self.matrix(), np.array(self.distortion)
        )
        return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)

    def eye_mm(self) -> Floats:
        """Returns the camera's place (3,) in table millimeters."""
        rotation = np.asarray(cv2.Rodrigues(np.array(self.rvec))[0])
        return np.asarray(-rotation.T @ np.array(self.tvec) * (1, 1, -1))

    def directions(self, points_px: Floats) -> Floats:
        """Returns (N, 3): the unit vectors in table space along which the pixels (N, 2) look."""
        points = np.asarray(points_px, dtype=np.float64).reshape(-1, 1, 2)
        rays = cv2.undistortPoints(points, self.matrix(), np.array(self.distortion)).reshape(-1, 2)
        rotation = np.asarray(cv2.Rodrigues(np.array(self.rvec))[0])
        found = np.column_stack([rays, np.ones(len(rays))]) @ rotation * (1, 1, -1)
        return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True))

    def rays(self, box_px: tuple[int, int, int, int], fine: int) -> Floats:
        """Returns (H * fine, W * fine, 3) float32: the unit vectors of a box x0, y0, x1, y1 with `fine` samples per
        pixel each way.
        """
        x0, y0, x1, y1 = box_px
        xs, ys = np.linspace(x0 - 0.5, x1 - 0.5, _GRID), np.linspace(y0 - 0.5, y1 - 0.5, _GRID)
        exact = self.directions(np.stack(np.meshgrid(xs, ys), axis=-1)).reshape(_GRID, _GRID, 3)
        across = _interpolation((x1 - x0) * fine)
        down = _interpolation((y1 - y0) * fine)
        rays = np.einsum("hi,ijc,wj->hwc", down, exact, across, optimize=True)
        return np.asarray(rays, dtype=np.float32)

    def ground(self) -> Floats:
        """Returns (H, W, 2) float32: the place on the table in millimeters that each pixel shows."""
        width, height = self.size_px
        xs = np.arange(0, width + _COARSE_PX, _COARSE_PX, dtype=np.float64)
        ys = np.arange(0, height + _COARSE_PX, _COARSE_PX, dtype=np.float64)
        directions = self.directions(np.stack(np.meshgrid(xs, ys), axis=-1))
        eye = self.eye_mm()
        flat = (eye[:2] - directions[:, :2] * (eye[2] / directions[:, 2:])).reshape(len(ys), len(xs), 2)
        x, y = np.meshgrid(np.arange(width) / _COARSE_PX, np.arange(height) / _COARSE_PX)
        return np.asarray(
            cv2.remap(flat.astype(np.float32), x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
        )


def _interpolation(count: int) -> Floats:
    """Returns (count, _GRID): the weights of the grid's places at the middles of `count` cells that span the grid."""
    at = (np.arange(count) + 0.5) / count * (_GRID - 1)
    low = np.minimum(at.astype(int), _GRID - 2)
    weights = np.zeros((count, _GRID))
    weights[np.arange(count), low] = 1 - (at - low)
    weights[np.arange(count), low + 1] = at - low
    return weights


def camera_over(
    mat: Mat,
    tilt_deg: float,
    side_deg: float = 0.0,
    roll_deg: float = 0.0,
    focal_px: float = 960.0,
    middle_px: tuple[float, float] = (639.5, 359.5),
    distortion: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0),
    closeness: float = 1.0,
) -> Camera:
    """Returns a camera that looks at the mat's middle and sees all four markers.

    Args:
        tilt_deg: The angle away from straight above, toward the lower side of the mat.
        side_deg: The rotation around the mat, toward its right.
        closeness: 1 is as near as all markers allow; smaller values are farther away.
    """
    middle = np.array([mat.width_mm / 2, mat.height_mm / 2, 0.0])
    tilt, side, roll = (math.radians(angle) for angle in (tilt_deg, side_deg, roll_deg))
    away = np.array([math.sin(tilt) * math.sin(side), math.sin(tilt) * math.cos(side), -math.cos(tilt)])
    forward = -away
    right = np.cross([math.sin(roll), math.cos(roll), 0.0], forward)
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(forward, right), forward])
    rvec = tuple(float(value) for value in np.ravel(cv2.Rodrigues(rotation)[0]))
    reach = mat.marker_mm / 2 + 8.0
    corners = np.array(
        [(x + dx, y + dy, 0.0) for x, y in mat.corners_mm() for dx in (-reach, reach) for dy in (-reach, reach)]
    )

    def at(distance_mm: float) -> Camera:
        tvec = tuple(float(value) for value in -rotation @ (middle + away * distance_mm))
        return Camera(SIZE_PX, focal_px, middle_px, distortion, rvec, tvec)

    near, far = 200.0, 4000.0
    while far - near > 2.0:
        half = (near + far) / 2
        seen = at(half).project(corners)
        fits = (seen > _MARGIN_PX).all() and (seen < np.array(SIZE_PX) - _MARGIN_PX).all()
        near, far = (near, half) if fits else (half, far)
    return at(far / closeness)


def scaled(camera: Camera, factor: float) -> Camera:
    """Returns the camera with `factor` times as many pixels across and down for the same view."""
    width, height = camera.size_px
    x, y = camera.middle_px
    return replace(
        camera,
        size_px=(round(width * factor), round(height * factor)),
        focal_px=camera.focal_px * factor,
        middle_px=((x + 0.5) * factor - 0.5, (y + 0.5) * factor - 0.5),
    )


def random_camera(rng: Random, mat: Mat, tilt_deg: float | None = None) -> Camera:
    """Returns a random webcam over the mat, tilted up to 50 degrees from straight above unless `tilt_deg` is given."""
    return camera_over(
        mat,
        tilt_deg=rng.uniform(0, 50) if tilt_deg is None else tilt_deg,
        side_deg=rng.uniform(-35, 35),
        roll_deg=rng.uniform(-6, 6),
        focal_px=rng.uniform(850, 1100),
        middle_px=(639.5 + rng.uniform(-10, 10), 359.5 + rng.uniform(-8, 8)),
        distortion=(
            rng.uniform(-0.1, 0.03),
            rng.uniform(-0.008, 0.008),
            rng.uniform(-4e-4, 4e-4),
            rng.uniform(-4e-4, 4e-4),
        ),
        closeness=rng.uniform(0.82, 1.0),
    )

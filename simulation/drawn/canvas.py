"""Draws shapes in table millimeters into a picture in linear light, with soft edges and the lamp's light."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np

from simulation.drawn.camera import Camera, Floats
from simulation.drawn.lamp import Lamp

Box = tuple[int, int, int, int]
"""x0, y0, x1, y1 in pixels; x1 and y1 are exclusive."""

_SHIFT = 4
"""The number of fractional bits of a polygon's coordinates."""
_FINE = 3
"""The number of samples per pixel each way."""
_COARSE = 8
"""The number of pixels between places that are computed exactly."""


class Shade(NamedTuple):
    """A shadow: the factors of the light in a box of the picture."""

    box_px: Box
    factor: Floats
    """(H, W, 3): the factors."""


class Canvas:
    """A picture in linear light, (H, W, 3) float32, B, G, R, that drawing changes."""

    def __init__(self, light: Floats, camera: Camera, lamp: Lamp) -> None:
        self.light = light
        self.camera = camera
        self.lamp = lamp

    def fill(self, points_mm: Floats, color: tuple[float, float, float], brightness: float = 1.0) -> None:
        """Fills a polygon (N, 3) of a matt surface with reflectance `color`, lit like the table under it."""
        seen = self.camera.project(points_mm)
        place = np.asarray(points_mm)[:, :2].mean(0)
        self.paint(seen, np.array(color, np.float32) * self.lamp.white(place) * brightness)

    def fill_hull(self, points_mm: Floats, color: tuple[float, float, float], brightness: float = 1.0) -> None:
        """Fills the convex hull of the projected points (N, 3): the outline of a convex body."""
        seen = cv2.convexHull(self.camera.project(points_mm).astype(np.float32)).reshape(-1, 2)
        place = np.asarray(points_mm)[:, :2].mean(0)
        self.paint(seen, np.array(color, np.float32) * self.lamp.white(place) * brightness)

    def paint(self, polygon_px: Floats, light: Floats) -> None:
        """Fills a polygon (N, 2) in pixels with light (3,)."""
        box, alpha = self.mask(polygon_px)
        if alpha.size:
            x0, y0, x1, y1 = box
            self.light[y0:y1, x0:x1] += (light - self.light[y0:y1, x0:x1]) * alpha[..., None]

    def mask(self, polygon_px: Floats, margin_px: int = 2) -> tuple[Box, Floats]:
        """Returns the bounding box of a polygon (N, 2), and the share (H, W) of each pixel that it covers, from 0 to 1;
        the share is empty if the polygon is outside of the picture.
        """
        height, width = self.light.shape[:2]
        low = np.floor(polygon_px.min(0)).astype(int) - margin_px
        high = np.ceil(polygon_px.max(0)).astype(int) + margin_px + 1
        box = (
            int(np.clip(low[0], 0, width)),
            int(np.clip(low[1], 0, height)),
            int(np.clip(high[0], 0, width)),
            int(np.clip(high[1], 0, height)),
        )
        alpha = np.zeros((box[3] - box[1], box[2] - box[0]), np.uint8)
        if alpha.size:
            points = np.round((polygon_px - box[:2]) * (1 << _SHIFT)).astype(np.int32)
            cv2.fillPoly(alpha, [points], 255, cv2.LINE_AA, _SHIFT)
        return box, alpha.astype(np.float32) / 255

    def stroke(self, points_mm: Floats, width_mm: float, color: tuple[float, float, float]) -> None:
        """Draws a printed line through points (N, 3) on the table or a sheet."""
        points = np.asarray(points_mm, dtype=np.float64)
        for a, b in pairwise(points):
            along = (b - a)[:2] / max(float(np.hypot(*(b - a)[:2])), 1e-6)
            off = np.array([-along[1], along[0], 0.0]) * width_mm / 2
            self.fill(np.array([a + off, b + off, b - off, a - off]), color)

    def shadow(self, points_mm: Floats, tint: Floats | float = 0.0) -> Shade | None:
        """Returns the shadow that the hull of points (N, 3) casts on the table.

        Args:
            tint: The share of the lamp's light that comes through, (3,) or one number.
        """
        points = np.asarray(points_mm, dtype=np.float64)
        place = points[:, :2].mean(0)
        x, y = float(place[0]), float(place[1])
        toward = self.lamp.toward((x, y))
        fallen = points - toward * (points[:, 2:] / toward[2])
        lamp = np.array(self.lamp.color) * float(self.lamp.share(place))
        least = (np.array(self.lamp.around) + lamp * np.asarray(tint)) / (np.array(self.lamp.around) + lamp)
        soft_px = max(0.6, self.lamp.softness * float(points[:, 2].max()) * self.scale(x, y))
        return self._shade(fallen, least, soft_px)

    def dimness(self, points_mm: Floats, strength: float) -> Shade | None:
        """Returns the soft shade on the table around the foot, a polygon (N, 3), of a standing thing."""
        x, y = (float(value) for value in points_mm[:, :2].mean(0))
        return self._shade(points_mm, np.full(3, 1 - strength), 3.5 * self.scale(x, y))

    def tinted(self, points_mm: Floats, tint: Floats) -> Shade | None:
        """Returns the shade of a polygon (N, 3) of the table that gets only the share `tint` (3,) of all its light."""
        return self._shade(points_mm, np.asarray(tint), 0.6)

    def _shade(self, points_mm: Floats, least: Floats, soft_px: float) -> Shade | None:
        seen = cv2.convexHull(self.camera.project(points_mm).astype(np.float32)).reshape(-1, 2)
        box, alpha = self.mask(seen, margin_px=int(2.5 * soft_px) + 2)
        if not alpha.size:
            return None
        alpha = np.asarray(cv2.GaussianBlur(alpha, (0, 0), soft_px))
        return Shade(box, 1 - alpha[..., None] * (1 - least.astype(np.float32)))

    def darken(self, shade: Shade | None) -> None:
        """Multiplies the picture by the factors of a shade; does nothing for None."""
        if shade is not None:
            x0, y0, x1, y1 = shade.box_px
            self.light[y0:y1, x0:x1] *= shade.factor

    def scale(self, x_mm: float, y_mm: float) -> float:
        """Returns the number of pixels per millimeter at a place on the table."""
        seen = self.camera.project(np.array([(x_mm, y_mm, 0), (x_mm + 10, y_mm, 0), (x_mm, y_mm + 10, 0)]))
        return float(np.sqrt(abs(np.linalg.det(np.array([seen[1] - seen[0], seen[2] - seen[0]])))) / 10)

    def places_shown(self, box_px: Box, z_mm: float) -> Floats:
        """Returns (3 * H, 3 * W, 2) float32: the places at a height in table millimeters that a box's pixels show, with
        three samples per pixel each way.

        They are exact on a coarse grid and interpolated between: a lens bends little over so few pixels.
        """
        x0, y0, x1, y1 = box_px
        xs, ys = np.arange(x0, x1 + _COARSE, _COARSE), np.arange(y0, y1 + _COARSE, _COARSE)
        directions = self.camera.directions(np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2).astype(float))
        eye = self.camera.eye_mm()
        exact = eye[:2] + directions[:, :2] * ((eye[2] - z_mm) / -directions[:, 2:])
        across = (np.arange((x1 - x0) * _FINE, dtype=np.float32) + 0.5) / _FINE - 0.5
        down = (np.arange((y1 - y0) * _FINE, dtype=np.float32) + 0.5) / _FINE - 0.5
        x, y = np.meshgrid(across / _COARSE, down / _COARSE)
        grid = exact.reshape(len(ys), len(xs), 2).astype(np.float32)
        return np.asarray(cv2.remap(grid, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))

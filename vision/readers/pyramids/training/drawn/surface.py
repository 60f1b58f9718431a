"""Random table tops: wood, cloth, laminate and printed paper mats, with what else lies on them.

A surface is a picture of reflectance (linear, B, G, R) at `PX_PER_MM`, whose origin lies `MARGIN_MM` outside of the
mat's first corner.
"""

from __future__ import annotations

import colorsys
import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.plan import Mat
from vision.readers.pyramids.training.drawn.patterns import checks, prints, stripes, veins

Floats = NDArray[Any]

PX_PER_MM = 2.0
MARGIN_MM = 220.0


def to_px(points_mm: Floats) -> Floats:
    """(N, 2) pixels of the surface picture for table millimeters (N, 2 or more)."""
    return np.asarray((np.asarray(points_mm)[..., :2] + MARGIN_MM) * PX_PER_MM)


def random_surface(mat: Mat, random: np.random.Generator) -> Floats:
    """A table top with the mat's four markers on it."""
    height, width = surface_size(mat)
    kind = random.choice(["wood", "cloth", "laminate", "paper", "patterned"], p=[0.17, 0.23, 0.1, 0.12, 0.38])
    if kind == "wood":
        surface = _wood(height, width, random)
    elif kind == "cloth":
        surface = _cloth(height, width, random)
    elif kind == "patterned":
        surface = _patterned(height, width, random)
    else:
        surface = _plain(height, width, kind == "paper", random)
    for _ in range(random.integers(0, 4) if random.random() < 0.4 else 0):
        _litter(surface, random)
    lay_markers(surface, mat)
    return surface


def smooth_noise(height: int, width: int, sigma_y: float, sigma_x: float, random: np.random.Generator) -> Floats:
    """(height, width) smooth noise of spread 1."""
    shrink = max(1, int(min(sigma_y, sigma_x) / 2))
    small = random.standard_normal((height // shrink + 2, width // shrink + 2)).astype(np.float32)
    smooth = cv2.GaussianBlur(small, (0, 0), sigmaX=sigma_x / shrink, sigmaY=sigma_y / shrink)
    wide = cv2.resize(smooth, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray((wide - wide.mean()) / (wide.std() + 1e-6))


def turned(picture: Floats, angle_deg: float) -> Floats:
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle_deg, 1.0)
    return np.asarray(cv2.warpAffine(picture, matrix, (width, height), borderMode=cv2.BORDER_REFLECT))


def _color(hue: float, saturation: float, value: float) -> Floats:
    """(3,) linear B, G, R of a hue (turns), saturation and value of its sRGB code."""
    code = np.array(colorsys.hsv_to_rgb(hue % 1, min(max(saturation, 0), 1), min(max(value, 0), 1))[::-1])
    return np.asarray(code**2.2)


def _wood(height: int, width: int, random: np.random.Generator) -> Floats:
    base = _color(random.normal(0.085, 0.02), random.uniform(0.25, 0.65), random.uniform(0.28, 0.85))
    along = smooth_noise(height, width, random.uniform(1.2, 4), random.uniform(60, 200), random)
    broad = smooth_noise(height, width, random.uniform(8, 30), 300, random)
    fine = smooth_noise(height, width, 1.0, random.uniform(8, 25), random)
    depth = random.uniform(0.04, 0.2)
    tone = np.exp(depth * along + 0.6 * depth * broad + 0.5 * depth * fine)
    hue = np.exp(np.array([-0.3, 0.0, 0.1]) * depth * 1.5 * (along + broad)[..., None])
    surface = (base * tone[..., None] * hue).astype(np.float32)
    if random.random() < 0.4:
        for y in range(0, height, int(random.uniform(150, 350))):
            surface[y : y + 2] *= 0.5
    return turned(surface, random.choice([0.0, 90.0]) + random.normal(0, 12))


def _cloth(height: int, width: int, random: np.random.Generator) -> Floats:
    if random.random() < 0.4:
        base = _color(random.random(), random.uniform(0, 0.12), random.uniform(0.1, 0.9))
    else:
        base = _color(random.random(), random.uniform(0.25, 0.95), random.uniform(0.15, 0.85))
    weave = smooth_noise(height, width, 1.0, random.uniform(1, 12), random)
    folds = smooth_noise(height, width, 40, 80, random)
    depth = random.uniform(0.03, 0.25)
    surface = base * np.exp(depth * weave + 0.3 * depth * folds)[..., None]
    return turned(surface.astype(np.float32), random.uniform(-90, 90))


def _patterned(height: int, width: int, random: np.random.Generator) -> Floats:
    """A pattern, woven or printed, laid at some angle."""
    pattern = (stripes, checks, veins, prints)[random.choice(4, p=[0.27, 0.27, 0.23, 0.23])]
    surface = pattern(height, width, random)
    weave = smooth_noise(height, width, 1.0, random.uniform(1, 12), random)
    surface = surface * np.exp(random.uniform(0.0, 0.15) * weave)[..., None]
    angle = random.choice([0.0, 90.0]) + random.normal(0, 8) if random.random() < 0.6 else random.uniform(-90, 90)
    return turned(surface.astype(np.float32), angle)


def _plain(height: int, width: int, printed: bool, random: np.random.Generator) -> Floats:
    value = random.uniform(0.6, 0.97) if random.random() < 0.7 else random.uniform(0.1, 0.6)
    base = _color(random.random(), random.uniform(0, 0.15 if random.random() < 0.7 else 0.6), value)
    grain = smooth_noise(height, width, random.uniform(1, 6), random.uniform(1, 60), random)
    surface = (base * np.exp(random.uniform(0.005, 0.12) * grain)[..., None]).astype(np.float32)
    if printed:
        ink = _color(random.random(), random.uniform(0, 0.7), random.uniform(0.1, 0.6))
        thick = int(random.integers(1, 4))
        if random.random() < 0.5:
            center = (int(random.uniform(0.3, 0.7) * width), int(random.uniform(0.3, 0.7) * height))
            for radius in range(40, width, int(random.uniform(60, 160))):
                cv2.circle(surface, center, radius, ink.tolist(), thick, cv2.LINE_AA)
        else:
            step = int(random.uniform(60, 220))
            for x in range(0, width, step):
                cv2.line(surface, (x, 0), (x, height), ink.tolist(), thick, cv2.LINE_AA)
            for y in range(0, height, step):
                cv2.line(surface, (0, y), (width, y), ink.tolist(), thick, cv2.LINE_AA)
            surface = turned(surface, random.uniform(-45, 45))
    return surface


def _litter(surface: Floats, random: np.random.Generator) -> None:
    """A sheet with lines of print, a phone, a pencil, a coaster, a note or a cube's worth of color."""
    height, width = surface.shape[:2]
    center = np.array([random.uniform(0.1, 0.9) * width, random.uniform(0.1, 0.9) * height])
    kind = random.choice(["sheet", "slab", "rod", "disc", "patch"])
    angle = random.uniform(0, math.pi)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    color = _color(random.random(), random.uniform(0, 0.9), random.uniform(0.05, 0.95))
    if kind == "disc":
        middle = (int(center[0]), int(center[1]))
        cv2.circle(surface, middle, int(random.uniform(15, 90)), color.tolist(), -1, cv2.LINE_AA)
        return
    sizes = {"sheet": (200, 290), "slab": (140, 290), "rod": (16, 330), "patch": (30, 40)}
    size = np.array(sizes[kind]) * random.uniform(0.6, 1.3)
    if kind == "sheet":
        color = _color(random.random(), 0.05, random.uniform(0.85, 0.98))
    if kind == "slab":
        color = _color(random.random(), 0.15, random.uniform(0.05, 0.4))
    box = (np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * size / 2) @ turn.T + center
    cv2.fillConvexPoly(surface, np.round(box).astype(np.int32), color.tolist(), cv2.LINE_AA)
    if kind == "sheet":
        for line in np.arange(-0.42, 0.42, 0.035):
            end = random.uniform(0.1, 0.42)
            ends = (np.array([(-0.42, line), (end, line)]) * size) @ turn.T + center
            a, b = np.round(ends).astype(int).tolist()
            cv2.line(surface, a, b, (0.08, 0.08, 0.08), 2, cv2.LINE_AA)


def surface_size(mat: Mat) -> tuple[int, int]:
    """Height and width of the surface picture of a mat's table."""
    height, width = ((side + 2 * MARGIN_MM) * PX_PER_MM for side in (mat.height_mm, mat.width_mm))
    return int(height), int(width)


def lay_markers(surface: Floats, mat: Mat) -> None:
    """Put the mat's four markers on a surface, in place."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for number, (x, y) in enumerate(mat.corners_mm()):
        side = int(mat.marker_mm * PX_PER_MM)
        quiet = int(8 * PX_PER_MM)
        image = np.full((side + 2 * quiet, side + 2 * quiet), 255, np.uint8)
        image[quiet : quiet + side, quiet : quiet + side] = cv2.aruco.generateImageMarker(dictionary, number, side)
        left, top = (to_px(np.array([x, y])) - side / 2 - quiet).astype(int).tolist()
        surface[top : top + len(image), left : left + len(image)] = np.where(image > 127, 0.82, 0.03)[..., None]

"""Random table tops: wood, cloth, laminate, printed paper mats, and patterns that may be taken for plastic.

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

Floats = NDArray[Any]

_MOTIFS = ("disc", "ring", "petals", "leaf", "star", "cone")


def _ink(random: np.random.Generator) -> Floats:
    """(3,) linear B, G, R of a dye, vivid more often than not."""
    saturation = random.uniform(0.3, 0.95) if random.random() < 0.7 else random.uniform(0, 0.3)
    code = np.array(colorsys.hsv_to_rgb(random.random(), saturation, random.uniform(0.12, 0.95))[::-1])
    return np.asarray(code**2.2, np.float32)


def _ground(random: np.random.Generator) -> Floats:
    """(3,) what a pattern is printed on: white or pale, else anything."""
    if random.random() < 0.55:
        return np.asarray(random.uniform(0.4, 0.85) * np.exp(random.normal(0, 0.05, 3)), np.float32)
    return _ink(random)


def _bands(length: int, random: np.random.Generator, count: int) -> NDArray[np.intp]:
    """(length,) the number of the ink at each pixel: a repeat of some bands."""
    widths = random.uniform(6, 70, count) if random.random() < 0.5 else np.full(count, random.uniform(10, 60))
    order = np.concatenate([np.full(max(int(w), 3), k) for k, w in enumerate(widths)])
    return np.asarray(np.resize(order, length))


def stripes(height: int, width: int, random: np.random.Generator) -> Floats:
    """Parallel bands of two to four inks."""
    count = int(random.integers(2, 5))
    inks = np.stack([_ground(random), *(_ink(random) for _ in range(count - 1))])
    row = inks[_bands(width, random, count)]
    return np.ascontiguousarray(np.broadcast_to(row, (height, width, 3)), np.float32)


def checks(height: int, width: int, random: np.random.Generator) -> Floats:
    """Gingham and tartan: bands across bands."""
    count = int(random.integers(2, 4))
    inks = np.stack([_ground(random), *(_ink(random) for _ in range(count - 1))])
    if random.random() < 0.25:
        side = int(random.uniform(16, 90))
        board = (np.arange(height)[:, None] // side + np.arange(width) // side) % 2
        return np.asarray(inks[board], np.float32)
    across, down = inks[_bands(width, random, count)], inks[_bands(height, random, count)]
    mixed = np.sqrt(across[None] * down[:, None]) if random.random() < 0.5 else (across[None] + down[:, None]) / 2
    return np.asarray(mixed, np.float32)


def veins(height: int, width: int, random: np.random.Generator) -> Floats:
    """Marble: a ground with clouds, and dark or light veins where two smooth noises meet."""
    base = _ground(random)
    clouds = _clouds(height, width, random.uniform(30, 90), random)
    surface = base * np.exp(random.uniform(0.03, 0.15) * clouds)[..., None]
    for _ in range(int(random.integers(1, 4))):
        bent = _clouds(height, width, random.uniform(25, 90), random) + random.uniform(0.1, 0.4) * _clouds(
            height, width, random.uniform(5, 12), random
        )
        thick = random.uniform(0.04, 0.25)
        vein = np.exp(-((bent / thick) ** 2)) * np.clip(0.5 + _clouds(height, width, 60, random), 0, 1)
        ink = base * random.uniform(0.25, 0.8) if random.random() < 0.75 else _ink(random)
        surface = surface + (ink - surface) * (random.uniform(0.4, 1.0) * vein)[..., None]
    return np.asarray(surface, np.float32)


def prints(height: int, width: int, random: np.random.Generator) -> Floats:
    """Motifs in rows or strewn about, as on oilcloth, rugs and play mats."""
    surface = np.broadcast_to(_ground(random), (height, width, 3)).astype(np.float32)
    surface = np.ascontiguousarray(surface)
    inks = [_ink(random) for _ in range(int(random.integers(1, 5)))]
    kinds = [str(random.choice(_MOTIFS)) for _ in range(int(random.integers(1, 4)))]
    step, size = random.uniform(40, 160), random.uniform(10, 45)
    jitter = 0.0 if random.random() < 0.5 else step / 2
    for y in np.arange(0, height, step):
        for x in np.arange(0, width, step):
            at = np.array([x, y]) + random.uniform(-jitter, jitter, 2)
            k = int(random.integers(len(inks)))
            _motif(surface, kinds[k % len(kinds)], at, size * random.uniform(0.7, 1.3), inks[k], random)
    return surface


def _motif(surface: Floats, kind: str, at: Floats, size: float, ink: Floats, random: np.random.Generator) -> None:
    middle, color = (int(at[0]), int(at[1])), ink.tolist()
    if kind == "disc":
        cv2.circle(surface, middle, int(size), color, -1, cv2.LINE_AA)
    elif kind == "ring":
        cv2.circle(surface, middle, int(size), color, max(2, int(size / 5)), cv2.LINE_AA)
    elif kind == "petals":
        for angle in np.arange(0, 360, 72) + random.uniform(0, 72):
            away = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))]) * size * 0.6
            spot = (int(at[0] + away[0]), int(at[1] + away[1]))
            cv2.circle(surface, spot, int(size * 0.4), color, -1, cv2.LINE_AA)
    elif kind == "leaf":
        axes = (int(size), max(2, int(size * 0.35)))
        cv2.ellipse(surface, middle, axes, random.uniform(0, 180), 0, 360, color, -1, cv2.LINE_AA)
    else:
        # Triangles and kites: what looks most like a pyramid from above.
        corners = 4 if kind == "star" else 3
        angles = np.sort(random.uniform(0, 2 * np.pi, corners))
        shape = at + np.column_stack([np.cos(angles), np.sin(angles)]) * size
        cv2.fillConvexPoly(surface, cv2.convexHull(shape.astype(np.int32)), color, cv2.LINE_AA)


def _clouds(height: int, width: int, sigma: float, random: np.random.Generator) -> Floats:
    """(height, width) smooth noise of spread 1."""
    shrink = max(1, int(sigma / 3))
    small = random.standard_normal((height // shrink + 2, width // shrink + 2)).astype(np.float32)
    smooth = cv2.GaussianBlur(small, (0, 0), sigma / shrink)
    wide = cv2.resize(smooth, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray((wide - wide.mean()) / (wide.std() + 1e-6))


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

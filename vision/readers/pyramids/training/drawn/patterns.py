"""Table tops with patterns that may be taken for plastic: stripes, checks, veins, prints.

Each is a picture of reflectance like those of `surface`, before markers lie on it.
"""

from __future__ import annotations

import colorsys
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

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

"""Drawn tables for the gate's tests: a table, its pieces, a hand, a lamp, a camera that shakes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache

import cv2
import numpy as np

from vision.image.picture import Picture
from vision.sources.source import Shot

SIZE = (640, 360)
MM = SIZE[0] / 1100
"""Pixels a millimeter, as the gate guesses."""
SKIN = (110, 150, 205)
GLOVE = (60, 60, 60)
SLEEVE = (140, 60, 40)


@cache
def _wood(seed: int) -> Picture:
    """A wooden table with four markers."""
    width, height = SIZE
    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0, 60, (height, width)).astype(np.float32), (31, 1), 0)
    picture = np.clip(np.float32((95, 140, 185)) + grain[..., None], 0, 255).astype(np.uint8)
    for x, y in ((90, 60), (510, 60), (510, 270), (90, 270)):
        cv2.rectangle(picture, (x, y), (x + 36, y + 36), (235, 235, 235), -1)
        cv2.rectangle(picture, (x + 6, y + 6), (x + 30, y + 30), (25, 25, 25), -1)
        cv2.rectangle(picture, (x + 12, y + 12), (x + 18, y + 24), (235, 235, 235), -1)
    return picture


def table(pieces: Iterable[tuple[float, float]] = (), seed: int = 1) -> Picture:
    """A wooden table with four markers, and a colored 30 mm piece at each place (mm from the picture's corner)."""
    picture = _wood(seed).copy()
    for index, (x_mm, y_mm) in enumerate(pieces):
        color = ((40, 40, 200), (200, 60, 30), (40, 160, 40), (40, 200, 220))[index % 4]
        corner = (round(x_mm * MM), round(y_mm * MM))
        cv2.rectangle(picture, corner, (corner[0] + round(30 * MM), corner[1] + round(30 * MM)), color, -1)
    return picture


def hand(picture: Picture, tip_mm: tuple[float, float], color: tuple[int, int, int] = SKIN) -> Picture:
    """An arm from the lower border with a fist at its end, `tip_mm` from the picture's corner."""
    out = picture.copy()
    tip = (round(tip_mm[0] * MM), round(tip_mm[1] * MM))
    root = (tip[0] + 40, SIZE[1] + 20)
    shade = tuple(int(0.8 * channel) for channel in color)
    cv2.line(out, root, tip, shade, round(55 * MM), cv2.LINE_AA)
    cv2.circle(out, tip, round(42 * MM), color, -1, cv2.LINE_AA)
    for finger in range(4):
        start = (tip[0] - 18 + 12 * finger, tip[1] - 10)
        cv2.line(out, start, (start[0], start[1] - 22), shade, 7, cv2.LINE_AA)
    return out


def noisy(picture: Picture, seed: int, sigma: float = 4.0) -> Picture:
    """The same with a sensor's noise, another one for each seed."""
    field = np.roll(_noise(picture.shape, sigma), (37 * seed) % 1000, axis=seed % 2)
    return np.clip(picture + field, 0, 255).astype(np.uint8)


@cache
def _noise(shape: tuple[int, ...], sigma: float) -> np.ndarray:
    return np.random.default_rng(5).normal(0, sigma, shape).round().astype(np.int16)


def lit(picture: Picture, gain: float, offset: float = 0.0) -> Picture:
    """The same at another exposure."""
    return np.clip(picture.astype(np.float32) * gain + offset, 0, 255).astype(np.uint8)


def lamp_beside(picture: Picture, strength: float = 0.5) -> Picture:
    """The same with a lamp switched on at the left."""
    ramp = 1 + strength * (1 - np.linspace(0, 1, picture.shape[1]) ** 2)
    return np.clip(picture * ramp[None, :, None], 0, 255).astype(np.uint8)


def shade_of_a_head(picture: Picture) -> Picture:
    """The same with the soft shadow of somebody who leans over the upper border."""
    x, y = np.meshgrid(np.arange(picture.shape[1]), np.arange(picture.shape[0]))
    depth = np.exp(-(((x - 300) / 150) ** 2) - ((y + 20) / 110) ** 2)
    return np.clip(picture * (1 - 0.45 * depth[..., None]), 0, 255).astype(np.uint8)


def turned(picture: Picture, px: float = 4.0, deg: float = 0.3) -> Picture:
    """The same from a camera that was bumped."""
    matrix = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), deg, 1.0)
    matrix[:, 2] += (px, px / 2)
    return np.asarray(cv2.warpAffine(picture, matrix, SIZE, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)


def film(pictures: Iterable[Picture], rate_hz: float = 30.0, start: int = 0) -> list[Shot]:
    """Pictures as a camera gives them, each with noise of its own."""
    return [
        Shot(start + n + 1, f"picture {start + n + 1}", (start + n) / rate_hz, 0.0, 1 / rate_hz, noisy(p, start + n))
        for n, p in enumerate(pictures)
    ]


def stills(pictures: Iterable[Picture]) -> list[Shot]:
    """Pictures that stand alone, with noise."""
    return [Shot(n + 1, f"{n}.jpg", float(n), 0.0, math.inf, noisy(picture, n)) for n, picture in enumerate(pictures)]

"""Draws bodies, pips and logos of dice: chooses the make of a set of dice, and the texture of each of its faces."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from simulation.dice_pictures import PIPS

Floats = NDArray[Any]

FAMILIES = ("white", "colored", "marbled", "translucent", "metallic", "speckled", "worn", "glaring")
_LEAST_APART = 0.3
"""The least difference between the colors of pips and body in linear light; dice with less contrast are not sold."""


class Make(Struct, frozen=True):
    """The properties that dice of one box share."""

    family: str
    body: tuple[float, float, float]
    """The color of the body in linear light, B, G, R."""
    second: tuple[float, float, float]
    """The second color of marbled or speckled dice."""
    pip: tuple[float, float, float]
    radius: float
    """The radius of a pip, in sides of the die."""
    offset: float
    """The distance from the middle to the outer pips along each axis, in sides."""
    rounding: float
    """The radius of the corners of a face, in sides."""
    logo_face: int
    """The number of the face that shows a logo instead of its pips; 0 if there is none."""
    logo_seed: int


def make_of(rng: np.random.Generator, family: str) -> Make:
    """Returns a random make of one family."""
    for _ in range(500):
        body = _color(rng)
        pip = np.full(3, 0.85) if rng.random() < 0.6 else np.full(3, 0.03) if rng.random() < 0.5 else _color(rng)
        if family == "white":
            body, pip = rng.uniform(0.7, 0.9) * rng.uniform(0.93, 1.0, 3), np.full(3, rng.uniform(0.01, 0.06))
        if np.abs(body - pip).max() > _LEAST_APART:
            break
    second = np.clip(body * rng.uniform(0.4, 2.2) + rng.uniform(0, 0.25), 0, 0.95)
    if np.abs(second - pip).max() < _LEAST_APART:
        second = body * 0.5 + (body.mean() - pip.mean()) * 0.2
    logo = int(rng.choice([1, 6])) if rng.random() < 0.4 else 0
    b, g, r = (tuple(float(v) for v in np.clip(color, 0, 1)) for color in (body, second, pip))
    return Make(
        family,
        b,  # type: ignore[arg-type]
        g,  # type: ignore[arg-type]
        r,  # type: ignore[arg-type]
        float(rng.uniform(0.07, 0.1)),
        float(rng.uniform(0.21, 0.265)),
        float(rng.uniform(0.05, 0.28)),
        logo,
        int(rng.integers(1 << 30)),
    )


def _color(rng: np.random.Generator) -> Floats:
    hue, depth = rng.uniform(0, 180), rng.uniform(0.3, 1.0)
    pixel = np.uint8([[[hue, 255 * depth, 255 * rng.uniform(0.25, 1.0)]]])
    return np.asarray((cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] / 255.0) ** 2.2)


def face_texture(make: Make, number: int, rng: np.random.Generator, side: int) -> tuple[Floats, Floats]:
    """Returns the linear light (side, side, 3) of a face, and the share of each pixel that the face covers (side,
    side).
    """
    steps = (np.arange(side) + 0.5) / side - 0.5
    x, y = np.meshgrid(steps, steps)
    light = np.tile(np.array(make.body), (side, side, 1))
    second = np.array(make.second)
    if make.family == "marbled":
        share = _noise(rng, side, side / rng.uniform(3, 8))
        light = _mixed(light, second, np.clip(0.5 + 0.6 * share, 0, 1))
    elif make.family == "speckled":
        light = _mixed(light, second, (_noise(rng, side, side / 40) > rng.uniform(1.0, 1.8)).astype(float))
    elif make.family == "translucent":
        thick = np.clip(np.hypot(x, y) * 2, 0, 1)
        light = light * (0.6 + 0.7 * thick**2)[..., None] + 0.05
    elif make.family == "metallic":
        along = x * np.cos(a := rng.uniform(0, 6.3)) + y * np.sin(a)
        light = light * (0.8 + 0.5 * np.sin(rng.uniform(3, 9) * along + rng.uniform(0, 6.3)))[..., None]
        light += 0.25 * np.exp(-((along - rng.uniform(-0.4, 0.4)) ** 2) / 0.01)[..., None]
    if rng.integers(2):
        x, y = y, -x
    ink = _logo(make, side) if number == make.logo_face else _pips(make, number, x, y, rng)
    light = _mixed(light, np.array(make.pip), ink)
    light *= np.exp(rng.normal(0, 0.25) * x + rng.normal(0, 0.25) * y)[..., None]
    if make.family == "glaring" or rng.random() < 0.12:
        light = _glare(light, x, y, rng)
    away = np.hypot(*(np.maximum(np.abs(one) - (0.5 - make.rounding), 0) for one in (x, y)))
    rim = np.clip((away - make.rounding * 0.5) / max(make.rounding * 0.5, 0.01), 0, 1)
    light *= (1 - 0.3 * rim)[..., None]
    # Where a rounded corner bends away, the neighboring faces' plastic shows, a little darker.
    beyond = (away > make.rounding)[..., None]
    return np.where(beyond, np.array(make.body) * 0.5, light), np.ones((side, side))


def _noise(rng: np.random.Generator, side: int, size_px: float) -> Floats:
    noise = cv2.GaussianBlur(rng.normal(0, 1, (side, side)), (0, 0), max(size_px, 0.5))
    return np.asarray((noise - noise.mean()) / noise.std())


def _mixed(light: Floats, other: Floats, share: Floats) -> Floats:
    return np.asarray(light + (other - light) * share[..., None])


def _pips(make: Make, number: int, x: Floats, y: Floats, rng: np.random.Generator) -> Floats:
    """Returns (side, side): the share of the pips' paint in each pixel."""
    ink = np.zeros(x.shape)
    for u, v in PIPS[number]:
        away = np.hypot(x - u * make.offset, y - v * make.offset)
        one = np.clip((make.radius - away) * x.shape[0] + 0.5, 0, 1)
        if make.family == "worn":
            one = one * rng.uniform(0.35, 1.0)
        ink = np.maximum(ink, one)
    return ink


def _logo(make: Make, side: int) -> Floats:
    """Returns (side, side): a drawing specific to the make, of thick strokes and blobs, larger than pips."""
    rng = np.random.default_rng(make.logo_seed)
    ink = np.zeros((side, side), np.float32)
    for _ in range(int(rng.integers(2, 6))):
        points = (side * rng.uniform(0.24, 0.76, (int(rng.integers(2, 5)), 2))).astype(np.int32)
        if rng.random() < 0.5:
            cv2.polylines(ink, [points], bool(rng.random() < 0.5), (1.0,), int(rng.integers(2, 6)), cv2.LINE_AA)
        else:
            axes = tuple(int(v) for v in side * rng.uniform(0.07, 0.22, 2))
            cv2.ellipse(ink, tuple(map(int, points[0])), axes, float(rng.uniform(0, 180)), 0, 360, (1.0,), -1)
    return np.asarray(ink, np.float64)


def _glare(light: Floats, x: Floats, y: Floats, rng: np.random.Generator) -> Floats:
    """Returns the face with a lamp or a window mirrored in it."""
    a, edge = rng.uniform(0, 6.3), rng.uniform(-0.25, 0.45)
    along = x * np.cos(a) + y * np.sin(a)
    share = np.clip((along - edge) * rng.uniform(2, 12), 0, 1) * rng.uniform(0.3, 0.95)
    return _mixed(light, np.ones(3), share)

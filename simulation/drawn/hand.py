"""Draws hands that reach over the table from the border: an arm, a palm and fingers of rounded rods, bare or gloved."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np
from msgspec import Struct

from simulation.drawn.camera import Camera, Floats
from simulation.drawn.canvas import Canvas
from simulation.drawn.tabletop import linear

SKINS = ((236, 188, 160), (214, 160, 128), (188, 132, 98), (140, 92, 66), (92, 58, 42))
"""Some skin colors of people in sRGB."""
GLOVES = ((60, 60, 66), (170, 60, 50), (120, 150, 190))
SLEEVES = ((60, 70, 120), (150, 60, 60), (70, 100, 80), (210, 205, 195), (45, 45, 50))
_HEIGHT_MM = 55.0
"""The height of the hand over the table in millimeters."""
_COARSE = 2


class Hand(Struct, frozen=True):
    """A hand at one moment, in table millimeters."""

    tip_mm: tuple[float, float]
    """The place to which the fingers point."""
    from_mm: tuple[float, float]
    """The origin of the arm, outside of the picture."""
    skin: tuple[int, int, int]
    """The sRGB color of the hand or glove."""
    sleeve: tuple[int, int, int]
    spread: float = 0.6
    """The spread of the fingers, from 0 (a pinch) to 1."""


def random_hand(rng: Random, tip_mm: tuple[float, float], camera: Camera) -> Hand:
    """Returns a hand over a place, which reaches in from a random border of the picture that is not too far away."""
    tip = camera.project(np.array([(*tip_mm, _HEIGHT_MM)]))[0]
    width, height = camera.size_px
    borders = {"below": height - tip[1], "left": tip[0], "right": width - tip[0], "above": tip[1]}
    near = [name for name, distance in borders.items() if distance < 0.75 * height] or ["below"]
    side = rng.choice(near)
    reach = borders[side] + 260.0
    x, y = {"below": (0.0, 1.0), "left": (-1.0, 0.0), "right": (1.0, 0.0), "above": (0.0, -1.0)}[side]
    slant = rng.uniform(-0.35, 0.35)
    away = tip + reach * np.array([x + slant * y, y + slant * x])
    back = _unprojected(camera, away)
    skin = rng.choice(SKINS) if rng.random() < 0.85 else rng.choice(GLOVES)
    return Hand(tip_mm, back, skin, rng.choice(SLEEVES), rng.uniform(0.1, 1.0))


def _unprojected(camera: Camera, pixel: Floats) -> tuple[float, float]:
    """Returns the place at the hand's height that a pixel shows; the pixel may be outside of the picture."""
    direction = camera.directions(pixel.reshape(1, 2))[0]
    eye = camera.eye_mm()
    down = min(float(direction[2]), -0.2)
    x, y = eye[:2] + direction[:2] * ((_HEIGHT_MM - eye[2]) / down)
    return float(x), float(y)


def draw_hand(canvas: Canvas, hand: Hand) -> tuple[int, int, int, int] | None:
    """Draws the hand with its shadow; returns the changed box, or None if the hand is outside of the picture."""
    rods = _rods(hand)
    camera = canvas.camera
    scale = canvas.scale(*hand.tip_mm) * 1.1
    ends = np.array([(*end, _HEIGHT_MM) for rod in rods for end in rod[:2]])
    seen = camera.project(ends).reshape(-1, 2, 2)
    width, height = camera.size_px
    margin = 48.0 * scale + 70
    low = np.floor((seen.reshape(-1, 2).min(0) - margin) / _COARSE).astype(int) * _COARSE
    high = np.ceil((seen.reshape(-1, 2).max(0) + margin) / _COARSE).astype(int) * _COARSE
    x0, y0 = max(int(low[0]), 0), max(int(low[1]), 0)
    x1, y1 = min(int(high[0]), width), min(int(high[1]), height)
    if x0 >= x1 or y0 >= y1:
        return None
    xs = (np.arange(x0, x1, _COARSE, dtype=np.float32) + (_COARSE - 1) / 2)[None, :]
    ys = (np.arange(y0, y1, _COARSE, dtype=np.float32) + (_COARSE - 1) / 2)[:, None]
    bulge = np.full((ys.size, xs.size), -1e3, np.float32)
    sleeved = np.zeros(bulge.shape, np.float32)
    for (a, b), (_, _, wide_a, wide_b, is_sleeve) in zip(seen, rods, strict=True):
        rod = _rod(xs, ys, a, b, wide_a * scale, wide_b * scale)
        if is_sleeve:
            sleeved[rod > bulge] = 1.0
        else:
            sleeved[rod > bulge] = 0.0
        bulge = np.maximum(bulge, rod)
    _shade(canvas, hand, (x0, y0, x1, y1), bulge, sleeved, scale)
    return x0, y0, x1, y1


def _rods(hand: Hand) -> list[tuple[tuple[float, float], tuple[float, float], float, float, bool]]:
    """Returns the rods of fingers, thumb, palm, forearm and sleeve: ends, half widths in millimeters at both ends, and
    True for the sleeve.
    """
    tip, back = np.array(hand.tip_mm), np.array(hand.from_mm)
    along = (back - tip) / max(float(np.linalg.norm(back - tip)), 1e-6)
    across = np.array([-along[1], along[0]])
    knuckles = tip + 62 * along
    wrist = tip + 130 * along
    elbow = tip + 190 * along
    rods = []
    for place, length in ((-1.5, 8.0), (-0.5, 0.0), (0.5, 2.0), (1.5, 14.0)):
        end = tip + length * along + across * place * (7 + 9 * hand.spread)
        rods.append((_two(end), _two(knuckles + across * place * 17), 7.5, 9.5, False))
    thumb = tip + 12 * along - across * (14 + 16 * hand.spread)
    rods.append((_two(thumb), _two(knuckles + 28 * along - across * 34), 8.5, 11.0, False))
    rods.append((_two(knuckles + 4 * along), _two(wrist - 18 * along), 36.0, 32.0, False))
    rods.append((_two(wrist - 20 * along), _two(elbow), 28.0, 30.0, False))
    rods.append((_two(elbow), _two(back), 38.0, 46.0, True))
    return rods


def _two(point: Floats) -> tuple[float, float]:
    return float(point[0]), float(point[1])


def _rod(xs: Floats, ys: Floats, a: Floats, b: Floats, wide_a: float, wide_b: float) -> Floats:
    """Returns (H, W): the height of a rounded rod over its middle plane in pixels; negative outside of the rod."""
    along = (b - a).astype(np.float32)
    length = float(along @ along)
    share = np.clip(((xs - a[0]) * along[0] + (ys - a[1]) * along[1]) / max(length, 1e-6), 0, 1)
    away = (xs - a[0] - share * along[0]) ** 2 + (ys - a[1] - share * along[1]) ** 2
    radius = wide_a + (wide_b - wide_a) * share
    rest = radius**2 - away
    return np.asarray(np.sign(rest) * np.sqrt(np.abs(rest)), dtype=np.float32)


def _shade(
    canvas: Canvas, hand: Hand, box: tuple[int, int, int, int], bulge: Floats, sleeved: Floats, scale: float
) -> None:
    """Draws the shadow and then the lit hand over the table."""
    x0, y0, x1, y1 = box
    size = (x1 - x0, y1 - y0)
    alpha = np.clip(bulge / 3.0 + 0.5, 0, 1)
    toward = canvas.lamp.toward(hand.tip_mm)
    part = canvas.light[y0:y1, x0:x1]
    shift = -toward[:2] / toward[2] * _HEIGHT_MM * scale / _COARSE
    matrix = np.array([[1, 0, shift[0]], [0, 1, shift[1]]])
    fallen = cv2.warpAffine(alpha, matrix, (alpha.shape[1], alpha.shape[0]))
    soft_px = max(1.0, canvas.lamp.softness * _HEIGHT_MM * scale / _COARSE)
    fallen = cv2.resize(cv2.GaussianBlur(fallen, (0, 0), soft_px), size, interpolation=cv2.INTER_LINEAR)
    lamp, around = np.array(canvas.lamp.color), np.array(canvas.lamp.around)
    part *= 1 - np.asarray(fallen)[..., None] * (lamp / (lamp + around)).astype(np.float32)
    smooth = cv2.GaussianBlur(np.clip(bulge, 0, None), (0, 0), 1.2)
    slope_x, slope_y = cv2.Sobel(smooth, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(smooth, cv2.CV_32F, 0, 1) / 8
    normal = np.stack([-slope_x, -slope_y, np.full_like(slope_x, _COARSE)], axis=-1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    faced = np.clip(normal @ toward.astype(np.float32), 0, None)[..., None]
    white = lamp.astype(np.float32) / toward[2] * faced + around.astype(np.float32) * (0.6 + 0.4 * normal[..., 2:])
    skin, sleeve = (linear(np.array(color[::-1])).astype(np.float32) for color in (hand.skin, hand.sleeve))
    color = skin + (sleeve - skin) * cv2.GaussianBlur(sleeved, (0, 0), 1.0)[..., None]
    lit = cv2.resize(np.asarray(white * color, np.float32), size, interpolation=cv2.INTER_LINEAR)
    cover = np.asarray(cv2.resize(alpha, size, interpolation=cv2.INTER_LINEAR))[..., None]
    part += (np.asarray(lit) - part) * cover

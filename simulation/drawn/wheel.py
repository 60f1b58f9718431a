"""Draws the Spectrum board as it is sold: a card with twelve colored paths of nine rings, stars and a hub."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from companion.core.pieces import WHEEL
from simulation.drawn.camera import Floats
from simulation.drawn.canvas import Canvas
from simulation.drawn.tabletop import linear
from vision.readers.pawns.wheel import HUB_SHARE, RINGS, SECTOR_DEG, THICK_MM, Wheel

Color = tuple[float, float, float]

PATHS = {
    "red": (232, 61, 64),
    "red-orange": (239, 97, 63),
    "orange": (251, 143, 54),
    "orange-yellow": (255, 186, 58),
    "yellow": (255, 238, 72),
    "yellow-green": (174, 204, 69),
    "green": (64, 167, 88),
    "green-blue": (49, 158, 163),
    "blue": (53, 102, 192),
    "blue-purple": (92, 82, 176),
    "purple": (134, 67, 158),
    "purple-red": (184, 56, 108),
}
"""The sRGB colors of the inks: the light of paths in the labeled pictures, relative to paper of 222."""
_LINE = (0.03, 0.03, 0.03)
_WHITE = (0.80, 0.82, 0.82)
_GOLD = (0.076, 0.54, 0.87)
_HALF_LINE_MM = 0.45
CARD_MM = 14.0
"""The width of the card beyond the wheel."""


class Print(NamedTuple):
    """The colors of a printed board."""

    inks: tuple[Color, ...] = tuple(PATHS.values())
    """The sRGB colors of the paths, in the order of `WHEEL`."""
    card: Color = (0.055, 0.045, 0.042)
    """The linear reflectance of the card, B, G, R, as that of the hub."""
    hub: Color = (0.74, 0.78, 0.78)


BOUGHT = Print()


def draw_board(canvas: Canvas, wheel: Wheel, look: Print = BOUGHT) -> None:
    """Draws the board on the table; must be called before pieces are drawn."""
    half = wheel.radius_mm + CARD_MM
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    corners = np.column_stack([wheel.to_table(square), np.full(4, THICK_MM)])
    canvas.darken(canvas.shadow(corners))
    canvas.fill(corners, look.card)
    _paths(canvas, wheel, look)
    for path in range(len(WHEEL)):
        if path % 2 == 0:
            away = wheel.radius_mm - 0.5 * wheel.ring_mm()
            _star(canvas, wheel, path, away, 7.0, _WHITE, hollow=True)
        _star(canvas, wheel, path, wheel.radius_mm * HUB_SHARE + 0.5 * wheel.ring_mm(), 4.5, _GOLD)


def _paths(canvas: Canvas, wheel: Wheel, look: Print) -> None:
    """Draws everything that is printed in circles and rays, by the place that each sample of a pixel shows."""
    around = np.radians(np.arange(0, 360, 4))
    rim = wheel.radius_mm * np.column_stack([np.cos(around), np.sin(around)])
    seen = canvas.camera.project(np.column_stack([wheel.to_table(rim), np.full(len(rim), THICK_MM)]))
    height, width = canvas.light.shape[:2]
    x0, y0 = np.clip(np.floor(seen.min(0)).astype(int) - 2, 0, (width, height))
    x1, y1 = np.clip(np.ceil(seen.max(0)).astype(int) + 3, 0, (width, height))
    if x0 >= x1 or y0 >= y1:
        return
    inks = np.array([linear(np.array(ink[::-1])) for ink in look.inks], np.float32)
    fine = canvas.places_shown((x0, y0, x1, y1), THICK_MM)
    ink, on = _ink(wheel, fine, inks, look.hub)
    size = (int(x1 - x0), int(y1 - y0))
    total, cover, middles = (np.asarray(cv2.resize(one, size, interpolation=cv2.INTER_AREA)) for one in (ink, on, fine))
    part = canvas.light[y0:y1, x0:x1]
    part *= 1 - cover[..., None]
    part += total * canvas.lamp.white(middles)


def _ink(wheel: Wheel, places: Floats, inks: Floats, hub_color: Color) -> tuple[Floats, Floats]:
    """Returns (H, W, 3), the reflectance, black beside the wheel, and (H, W), 1 on the wheel and 0 beside it."""
    board = wheel.to_board(places.reshape(-1, 2))
    away = np.hypot(board[:, 0], board[:, 1])
    angle = np.degrees(np.arctan2(board[:, 1], board[:, 0]))
    path = np.floor((angle + SECTOR_DEG / 2) / SECTOR_DEG).astype(int) % len(WHEEL)
    ink = inks[path]
    ring = (wheel.radius_mm - away) / wheel.ring_mm()
    arc = np.abs(ring - np.rint(ring)) * wheel.ring_mm() < _HALF_LINE_MM
    off_deg = np.abs((angle + SECTOR_DEG / 2 + 180) % SECTOR_DEG)
    off_deg = np.minimum(off_deg, SECTOR_DEG - off_deg)
    ray = np.radians(off_deg) * away < _HALF_LINE_MM
    hub = away < wheel.radius_mm * HUB_SHARE
    ink = np.where((arc & (ring < RINGS + 0.2) | ray)[:, None], np.array(_LINE, np.float32), ink)
    ink = np.where(hub[:, None], np.array(hub_color, np.float32), ink)
    on = (away < wheel.radius_mm + _HALF_LINE_MM).astype(np.float32)
    shape = places.shape[:2]
    return (ink * on[:, None]).reshape(*shape, 3).astype(np.float32), on.reshape(shape)


def _star(
    canvas: Canvas,
    wheel: Wheel,
    path: int,
    away_mm: float,
    size_mm: float,
    color: tuple[float, float, float],
    hollow: bool = False,
) -> None:
    turn = np.radians(path * SECTOR_DEG)
    middle = away_mm * np.array([np.cos(turn), np.sin(turn)])
    angles = turn + np.radians(36 * np.arange(11))
    reach = size_mm * np.where(np.arange(11) % 2 == 0, 1.0, 0.42)
    points = middle + reach[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    ring = np.column_stack([wheel.to_table(points), np.full(11, THICK_MM)])
    if hollow:
        canvas.stroke(ring, 1.0, color)
    else:
        canvas.fill(ring[:-1], color)

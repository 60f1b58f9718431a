"""Find the wheel on the table, at any place and turn, by what no table has: all colors in a circle.

Every pixel votes with its hue, written as a turn of the color wheel. Around the board's middle hues turn exactly once,
so a template that turns once answers with its strength where the board is and with its phase which way red points.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.foundation.errors import NoBoard
from vision.image.light import LINEAR
from vision.image.rectify import coarse, inside, rectified, rectifying_map
from vision.readers.pawns.wheel import HUB_SHARE, SECTOR_DEG, THICK_MM, Wheel
from vision.registration.registered_image import RegisteredImage

MM_PER_PX = 5.0
"""Scale of the search."""
MARGIN_MM = 150.0
"""The distance beyond the mat's corners that the board may reach."""
_SMALL_PX = 96
"""Side of the view in which colors give a wheel's turn."""
_BIAS_DEG = -4.0
"""Usual error of a heading from colors: inks are not spaced as evenly as paths."""
ENOUGH = 0.6
"""Agreement below which a find is no board."""

_HUES_DEG = np.array([-45.0, 0.0, 14.0, 45.0, 58.0, 85.0, 140.0, 180.0, 215.0, 245.0, 275.0, 320.0, 360.0, 374.0])
"""Hues as HSV counts them ..."""
_TURNS_DEG = np.array([-30.0, 0.0, 30.0, 75.0, 120.0, 150.0, 180.0, 210.0, 240.0, 270.0, 300.0, 330.0, 360.0, 390.0])
"""... and where they are on the board's wheel of twelve."""


class FoundWheel(NamedTuple):
    """A board, give or take a few millimeters and degrees."""

    wheel: Wheel
    score: float
    """Agreement of hues with a whole wheel, 1 at best."""


def find_wheel(table: RegisteredImage, radius_mm: float) -> FoundWheel:
    """The most wheel-like place on the table.

    Raises:
        NoBoard: No colors in a circle are on the table.
    """
    picture, pose = coarse(table.picture, table.pose, MM_PER_PX)
    longest = max(table.mat.width_mm, table.mat.height_mm) + 2 * MARGIN_MM
    size = cv2.getOptimalDFTSize(int((longest + radius_mm) / MM_PER_PX))
    mapping = rectifying_map(pose, (size, size), THICK_MM, lambda p: p * MM_PER_PX - MARGIN_MM)
    shown = inside(mapping, pose.size_px, 1)
    votes = _votes(rectified(picture, mapping), table) * shown
    template, ring = _templates(size, round(radius_mm / MM_PER_PX, 3))
    answer = np.fft.ifft2(np.fft.fft2(votes) * template)
    energy = np.fft.ifft2(np.fft.fft2(np.abs(votes) ** 2) * ring).real
    seen = np.fft.ifft2(np.fft.fft2(shown.astype(np.float64)) * ring).real
    # Energy below what dull print has does not count: a gray table must not look like a wheel by its noise.
    score = np.abs(answer) / np.sqrt(np.maximum(energy, 0.02) * np.maximum(seen, 0.05))
    score *= np.clip(seen, 0, 1)
    away = np.abs(np.arange(size) * MM_PER_PX - MARGIN_MM)
    for axis, length in ((1, table.mat.width_mm), (0, table.mat.height_mm)):
        outside = (away > length + MARGIN_MM) | (np.arange(size) * MM_PER_PX - MARGIN_MM < -MARGIN_MM)
        score[(slice(None), outside) if axis else (outside,)] = 0
    row, column = (int(k) for k in np.unravel_index(int(score.argmax()), score.shape))
    best = float(score[row, column])
    if best < ENOUGH:
        raise NoBoard(
            "No Spectrum board was found between the markers. "
            "Put the whole wheel on the mat, clear of hands, and light it evenly."
        )
    heading = float(np.degrees(np.angle(answer[row, column]))) - _BIAS_DEG
    x, y = column * MM_PER_PX - MARGIN_MM, row * MM_PER_PX - MARGIN_MM
    return FoundWheel(Wheel(x, y, radius_mm, heading), best)


def turned_by_color(table: RegisteredImage, wheel: Wheel) -> Wheel:
    """The wheel with its heading put right by whole paths: its lines look alike every 30 degrees, its colors do not."""
    half = wheel.radius_mm
    mm_per_px = 2 * half / _SMALL_PX
    picture, pose = coarse(table.picture, table.pose, mm_per_px)
    mapping = rectifying_map(
        pose, (_SMALL_PX, _SMALL_PX), THICK_MM, lambda p: wheel.to_table((p + 0.5) * mm_per_px - half)
    )
    votes = _votes(rectified(picture, mapping), table) * inside(mapping, pose.size_px, 1)
    axis = (np.arange(_SMALL_PX) + 0.5) / (_SMALL_PX / 2) - 1
    x, y = np.meshgrid(axis, axis)
    away = np.hypot(x, y)
    ring = (away < 1) & (away > HUB_SHARE)
    off = float(np.degrees(np.angle((votes * np.exp(-1j * np.arctan2(y, x)))[ring].sum())))
    paths = round((off - _BIAS_DEG) / SECTOR_DEG)
    return replace(wheel, heading_deg=(wheel.heading_deg + paths * SECTOR_DEG + 180) % 360 - 180)


def _votes(view: NDArray[np.uint8], table: RegisteredImage) -> NDArray[np.complex128]:
    """(H, W): each pixel's hue as a turn on the unit circle, times its saturation."""
    white = np.exp(np.array(table.light.offset))
    levels = LINEAR[view] / white
    rooted = np.cbrt(np.clip(levels, 0, 4)).astype(np.float32)
    hsv = cv2.cvtColor(rooted, cv2.COLOR_BGR2HSV)
    turn = np.radians(np.interp(hsv[..., 0], _HUES_DEG, _TURNS_DEG))
    strength = np.clip(hsv[..., 1] * 1.6, 0, 1) * np.clip(hsv[..., 2] * 4, 0, 1)
    return np.asarray(strength * np.exp(1j * turn))


@lru_cache(maxsize=2)
def _templates(size: int, radius_px: float) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
    """Conjugate transforms of the turning ring and of the plain ring, each of sum 1 in size."""
    axis = (np.arange(size) + size // 2) % size - size // 2
    x, y = np.meshgrid(axis, axis)
    away = np.hypot(x, y)
    ring = (np.clip(radius_px - away, 0, 1) * np.clip(away - radius_px * HUB_SHARE, 0, 1)).astype(np.float64)
    ring /= ring.sum()
    turning = ring * np.exp(1j * np.arctan2(y, x))
    return np.conj(np.fft.fft2(turning)), np.conj(np.fft.fft2(ring))

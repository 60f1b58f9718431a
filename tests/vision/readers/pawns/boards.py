"""Boards for the tests: labeled pictures, and wheels drawn as a camera would see them at any place and turn."""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.app.printing.wheel import INKS
from companion.core.pieces import WHEEL
from companion.core.plan import Mat
from vision.image.light import Light
from vision.image.picture import Picture, read_picture
from vision.image.pose import Pose
from vision.readers.pawns.wheel import HUB_SHARE, RINGS, THICK_MM, Wheel
from vision.registration.registered_image import RegisteredImage, find_table

FOLDER = Path(__file__).parents[3] / "data" / "spectrum"
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.json")))
MAT = Mat(560, 560, 40)
_SIZE = (960, 720)


@cache
def load(name: str) -> tuple[Picture, dict[str, Any]]:
    """A picture and its label."""
    return read_picture(FOLDER / f"{name}.jpg"), json.loads((FOLDER / f"{name}.json").read_text())


@cache
def table_of(name: str) -> RegisteredImage:
    """The table of a labeled picture, corners clicked where a marker is hidden."""
    picture, label = load(name)
    hidden = len(label["mat"]["visible_ids"]) < 4
    return find_table(picture, MAT, label["mat"]["corners_px"] if hidden else None)


def oblique(height_mm: float = 800.0, back_mm: float = 450.0) -> Pose:
    """A camera over the table's lower edge that looks at its middle."""
    eye = np.array([280.0, 280.0 + back_mm, -height_mm])
    ahead = np.array([280.0, 280.0, 0.0]) - eye
    ahead /= np.linalg.norm(ahead)
    right = np.array([1.0, 0.0, 0.0])
    rotation = np.stack([right, np.cross(ahead, right), ahead])
    rvec = cv2.Rodrigues(rotation)[0].ravel()
    tvec = -rotation @ eye
    return Pose(_SIZE, 900.0, 0.0, tuple(map(float, rvec)), tuple(map(float, tvec)), 0.0)


def drawn(wheel: Wheel, pose: Pose, seed: int = 0) -> RegisteredImage:
    """A wheel on a wooden table, flat and without pawns."""
    width, height = _SIZE
    xs, ys = np.meshgrid(np.arange(width), np.arange(height))
    spots = pose.unproject(np.column_stack([xs.ravel(), ys.ravel()]), THICK_MM)
    board = wheel.to_board(spots)
    away = np.hypot(board[:, 0], board[:, 1])
    angle = np.degrees(np.arctan2(board[:, 1], board[:, 0]))
    path = np.floor((angle + 15) / 30).astype(int) % 12
    picture = np.tile(np.array([85.0, 125.0, 165.0]), (len(spots), 1))
    picture[away < wheel.radius_mm * 1.1] = 225
    inks = np.array([INKS[color][::-1] for color in WHEEL]) * 255
    on = away < wheel.radius_mm
    picture[on] = inks[path[on]] * 0.85
    rings = (wheel.radius_mm - away) / wheel.ring_mm()
    line = on & (np.abs(rings - np.rint(rings)) * wheel.ring_mm() < 0.6) & (rings < RINGS - 0.1)
    edge = np.abs((angle + 15) % 30 - 15 + 0.0)
    border = on & ((15 - edge) * math.pi / 180 * away < 0.6)
    picture[line | border | (np.abs(away - wheel.radius_mm) < 1.2)] = 25
    picture[away < wheel.radius_mm * HUB_SHARE] = 235
    noise = np.random.default_rng(seed).normal(0, 3, (height, width, 3))
    image = cv2.GaussianBlur(picture.reshape(height, width, 3), (0, 0), 0.7) + noise
    light = Light((280.0, 280.0), (-0.25, -0.25, -0.25), 0.0, 0.0, (0, 1, 2, 3))
    return RegisteredImage(np.clip(image, 0, 255).astype(np.uint8), 1.0, MAT, pose, light, (0, 1, 2, 3))

"""A marble table that is set by hand: parts of a picture with known pieces, laid over the picture of the empty table.

Both were taken from one place, so any of the thirty pieces can stand there or not.
"""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from companion.core.pieces import PYRAMID_COLORS, Pyramid
from companion.core.plan import Mat
from vision.calibration.calibration import Calibration
from vision.image.picture import Picture, read_picture
from vision.setup.calibrating import calibrate
from vision.sources.source import Shot

DATA = Path(__file__).parents[1] / "data" / "calibration"
MAT = Mat(600, 400, 40)

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in table millimeters."""
ROW: Box = (40, 50, 560, 160)
"""One large piece of each color."""
CYAN: Box = (250, 50, 300, 165)
THREE: tuple[Box, Box] = ((50, 50, 150, 160), (450, 240, 500, 330))
"""A red large, an orange large and a black small."""
COLORS = tuple(color for color in PYRAMID_COLORS if color != "white")
"""What is told apart in that row; nobody sees white on this marble."""
LARGES = tuple(Pyramid(color, "large") for color in COLORS)


@cache
def empty() -> Picture:
    """The table with its markers and nothing else."""
    return read_picture(DATA / "marble-empty.jpg")


@cache
def marble() -> Calibration:
    """What is known of it once it was shown empty."""
    return calibrate("pyramids", MAT, [empty()]).calibration


@cache
def another() -> Picture:
    """A table of the same size with a striped cloth."""
    return read_picture(DATA / "stripes-empty.jpg")


def staged(*boxes: Box, without: Box | None = None) -> Picture:
    """The table with what stands in these boxes, but for what stands in `without`."""
    picture = empty().copy()
    shown = _inside(*boxes)
    if without is not None:
        shown &= ~_inside(without)
    picture[shown] = read_picture(DATA / "marble-sampler.jpg")[shown]
    return picture


def under_lamp(picture: Picture, *gains: float) -> Picture:
    """The picture under a lamp of another color: linear light of B, G and R times these."""
    linear = (picture.astype(np.float32) / 255) ** 2.2 * np.array(gains)
    return np.asarray(np.clip(linear, 0, 1) ** (1 / 2.2) * 255, np.uint8)


def shifted(picture: Picture, by_mm: float) -> Picture:
    """The cloth between the markers moved to the right; what stands on it moves too."""
    pose, side = marble().empty.pose, MAT.marker_mm
    box = np.array([(side, side), (600 - side, side), (600 - side, 400 - side), (side, 400 - side)])
    before, after = (
        pose.project(np.column_stack([box[:, 0] + away, box[:, 1], np.zeros(4)])).astype(np.float32)
        for away in (0.0, by_mm)
    )
    size = picture.shape[1], picture.shape[0]
    moved = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(before, after), size)
    return np.asarray(np.where(_inside((side, side, 600 - side, 400 - side))[..., None], moved, picture), np.uint8)


def _inside(*boxes: Box) -> np.ndarray:
    """(H, W) which pixels show these boxes."""
    mask = np.zeros(empty().shape[:2], np.uint8)
    for x0, y0, x1, y1 in boxes:
        corners = np.array([(x0, y0, 0), (x1, y0, 0), (x1, y1, 0), (x0, y1, 0)], float)
        cv2.fillConvexPoly(mask, np.round(marble().empty.pose.project(corners)).astype(np.int32), 1)
    return mask > 0


class Stage:
    """A live camera over the table; a test sets what stands there, and everybody sees it with the next picture."""

    label = "camera of the stage"
    live = True
    stills = False

    def __init__(self, picture: Picture, rate_hz: float = 12.0) -> None:
        self._gap_s = 1 / rate_hz
        self._count = 0
        self._noise = np.random.default_rng(5).integers(-2, 3, (4, *picture.shape), np.int16)
        self._rustled: list[Picture | None] = []
        self.ended = False
        self.picture = picture

    @property
    def picture(self) -> Picture:
        """What stands there now."""
        return self._picture

    @picture.setter
    def picture(self, picture: Picture) -> None:
        self._picture = picture
        self._rustled = [None] * len(self._noise)

    def _rustling(self) -> Picture:
        """The picture with the noise whose turn it is, which is worked out once."""
        rustled, number = self._rustled, self._count % len(self._noise)
        found = rustled[number]
        if found is None:
            found = rustled[number] = np.clip(self._picture + self._noise[number], 0, 255).astype(np.uint8)
        return found.copy()

    def next(self, timeout_s: float) -> Shot | None:
        """One more picture, with other noise than the one before."""
        time.sleep(self._gap_s)
        if self.ended:
            return None
        self._count += 1
        at_s = time.time()
        return Shot(
            self._count, f"picture {self._count}", self._count * self._gap_s, at_s, self._gap_s, self._rustling()
        )

    def trouble(self) -> str | None:
        """Never any."""
        return None

    def close(self) -> None:
        """No more pictures."""
        self.ended = True

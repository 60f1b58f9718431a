"""Answers that a perfect net would give, for things that are placed by hand under a made-up camera."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.core.plan import Mat
from vision.readers.pyramids.cells import COLORS, OFFSET_PX, Answers
from vision.readers.pyramids.contours import Contours
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.shape_lines import OUTLINE, RIDGE, RIM
from vision.readers.pyramids.sheet import Sheet, sheet_of
from vision.readers.pyramids.training.contours import contour_scene
from vision.readers.pyramids.training.drawn.arrangement import Thing
from vision.readers.pyramids.training.drawn.camera import DrawnCamera, aimed
from vision.readers.pyramids.training.sheets import cells_px, targets

MAT = Mat(600.0, 400.0, 40.0)
SIZE_PX = (1280, 720)


def camera(tilt_deg: float = 35.0, distance_mm: float = 800.0) -> DrawnCamera:
    """Looks at the mat's middle from the near side, `tilt_deg` away from straight above."""
    tilt, middle = np.radians(tilt_deg), np.array([300.0, 200.0, 0.0])
    matrix = np.array([[950.0, 0, 639.5], [0, 950.0, 359.5], [0, 0, 1]])
    away = np.array([0.0, np.sin(tilt), np.cos(tilt)])
    return aimed(matrix, np.zeros(5), middle + away * distance_mm, middle, 0.0)


def standing(x: float, y: float, *pieces: str, yaw: float = 20.0) -> Thing:
    """A stack of "red large", "red small", ... from the lowest up."""
    colors, sizes = zip(*(piece.split() for piece in pieces), strict=True)
    return Thing(StackHypothesis(x, y, yaw, sizes), colors)


def lying(x: float, y: float, heading: float, piece: str) -> Thing:
    """A piece on its side."""
    color, size = piece.split()
    return Thing(StackHypothesis(x, y, heading, (size,), True), (color,))


def answers(things: Sequence[Thing], eye: DrawnCamera) -> tuple[Answers, Sheet]:
    """What a perfect net says about them."""
    sheet = sheet_of(eye, MAT, SIZE_PX)
    truth = targets(things, sheet, eye)
    there = truth.color > 0

    place = cells_px(sheet).transpose(2, 0, 1) + truth.offset.astype(float) * OFFSET_PX
    colors = np.stack([np.where(truth.color == k + 1, -0.1, -4.0) for k in range(COLORS)])
    return Answers(np.where(there, 4.0, -4.0), colors, place), sheet


class IdealContours(Contours):
    """What a perfect net says of the contours of some shapes, in a picture of `SIZE_PX`."""

    def __init__(self, eye: DrawnCamera, *places: StackHypothesis, sure: float = 4.0) -> None:
        scene = contour_scene(np.zeros((*SIZE_PX[::-1], 3), np.uint8), places, eye)
        true = [*(scene.kinds == kind for kind in (OUTLINE, RIM, RIDGE)), scene.inside == 1]
        self.odds = np.where(np.stack(true), sure, -sure).astype(np.float32)

    def around(self, low: NDArray[Any], high: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Just what is asked for, within the picture."""
        first = np.clip(np.floor(low).astype(int), 0, SIZE_PX)
        end = np.clip(np.ceil(high).astype(int), first + 1, SIZE_PX)
        return self.odds[:, first[1] : end[1], first[0] : end[0]], first

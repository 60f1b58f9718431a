"""How a stack is turned: the yaw whose outline holds most of the plastic."""

from __future__ import annotations

from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pyramids.cells.answers import Answers
from vision.pyramids.cells.sheet import STRIDE, Sheet
from vision.pyramids.hypothesis import Hypothesis, outlines

Floats = NDArray[Any]

_MOST = 5.0
"""Log odds of plastic that one cell may claim."""
_MARGIN = 2


class Projector(Protocol):
    """Anything that knows where a point of the table room is seen."""

    def project(self, points_mm: Floats) -> Floats: ...


def best_turn(place: Hypothesis, answers: Answers, sheet: Sheet, pose: Projector, step_deg: int = 9) -> Hypothesis:
    """The same stack as its outline fits best."""
    guesses = [place.moved(0, 0, float(turn)) for turn in range(0, 90, step_deg)]
    cells = [(sheet.to_sheet(o) - (STRIDE - 1) / 2) / STRIDE for o in outlines(guesses, pose)]
    flat = np.concatenate([c.reshape(-1, 2) for c in cells])
    height, width = answers.plastic.shape
    low = np.clip(np.floor(flat.min(axis=0)).astype(int) - _MARGIN, 0, (width - 1, height - 1))
    high = np.clip(np.ceil(flat.max(axis=0)).astype(int) + _MARGIN, low + 1, (width, height))
    plastic = np.clip(answers.plastic[low[1] : high[1], low[0] : high[0]], -_MOST, _MOST)

    def weight(corners: Floats) -> float:
        mask = np.zeros(plastic.shape, np.uint8)
        for piece in np.rint((corners - low) * 16).astype(np.int32):
            cv2.fillConvexPoly(mask, cv2.convexHull(piece), 1, shift=4)
        return float(plastic[mask > 0].sum())

    return guesses[int(np.argmax([weight(c) for c in cells]))]

"""Training data of the finder: drawn scenes with the right answers."""

from __future__ import annotations

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.readers.cards.answers import REACH_MM
from vision.readers.cards.sheet import CELL_MM, CELL_PX
from vision.readers.cards.training.scenes import SIDE_MM, Scene

Random = np.random.Generator

_LEAST_TO_FIND = 0.08
"""Of a card of which less is seen, the finder is not asked where it lies."""


class FinderSample(Struct, frozen=True):
    """A scene at one pixel a millimeter."""

    picture: NDArray[np.uint8]
    """(S, S, 3)."""
    truth: NDArray[np.float32]
    """(6, S / 4, S / 4): the answers of the finder, and whether they count."""


def finder_sample(scene: Scene) -> FinderSample:
    """A scene as the finder sees it."""
    side = SIDE_MM
    picture = cv2.resize(scene.picture, (side, side), interpolation=cv2.INTER_AREA)
    cells = scene.owner[CELL_PX // 2 :: CELL_PX, CELL_PX // 2 :: CELL_PX]
    there = cells >= 0
    truth = np.zeros((6, *cells.shape), np.float32)
    if scene.cards:
        known = np.array([[c.x_mm, c.y_mm, np.radians(2 * c.heading_deg), c.shown] for c in scene.cards], np.float32)
        of = known[np.maximum(cells, 0)]
        at = (np.arange(cells.shape[0], dtype=np.float32) + 0.5) * CELL_MM
        truth[1] = (of[..., 0] - at[None, :]) / REACH_MM
        truth[2] = (of[..., 1] - at[:, None]) / REACH_MM
        truth[3], truth[4] = np.cos(of[..., 2]), np.sin(of[..., 2])
        truth[5] = of[..., 3] >= _LEAST_TO_FIND
        truth[1:] *= there
    truth[0] = there
    return FinderSample(np.asarray(picture), truth)


def mirrored(sample: FinderSample, random: Random) -> FinderSample:
    """The same scene from another side, at times in a mirror: to find cards no letters are read."""
    picture, truth = sample.picture, sample.truth.copy()
    if random.random() < 0.5:
        picture, truth = picture[:, ::-1], truth[:, :, ::-1]
        truth[[1, 4]] *= -1
    if random.random() < 0.5:
        picture, truth = picture[::-1], truth[:, ::-1]
        truth[[2, 4]] *= -1
    if random.random() < 0.5:
        picture, truth = picture.transpose(1, 0, 2), truth.transpose(0, 2, 1)[[0, 2, 1, 3, 4, 5]]
        truth[3] *= -1
    return FinderSample(np.ascontiguousarray(picture), np.ascontiguousarray(truth))

"""Drawn sheets by the hundred, each from its own seed, made by several processes while others already learn."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.core.plan import Mat
from vision.calibration.difference import difference
from vision.readers.pyramids.sheet import LIGHT, beside, inputs, sheet_of
from vision.readers.pyramids.training.closeups import CloseupScene, scene_of
from vision.readers.pyramids.training.contours import ContourScene, contour_scene
from vision.readers.pyramids.training.drawn.arrangement import colors_of
from vision.readers.pyramids.training.drawn.camera import HEIGHT, WIDTH
from vision.readers.pyramids.training.drawn.painter import random_picture
from vision.readers.pyramids.training.sheets import LearnedSheet, learned, targets

Floats = NDArray[Any]


class MeasuredWhite:
    """White paper between the four markers, as a reader would measure it: a little wrong."""

    def __init__(self, white: Floats, mat: Mat, error: Floats) -> None:
        self.middle = np.array([mat.width_mm / 2, mat.height_mm / 2])
        design = np.column_stack([np.ones(4), np.array(mat.corners_mm()) - self.middle])
        self.plane = np.linalg.lstsq(design, np.log(np.maximum(white, 1e-4)), rcond=None)[0]
        self.error = error

    def white(self, xy_mm: Floats) -> Floats:
        """(N, 3) B, G, R."""
        places = np.asarray(xy_mm) - self.middle
        return np.asarray(np.exp(np.column_stack([np.ones(len(places)), places]) @ self.plane + self.error))


def drawn_sheet(seed: int) -> tuple[LearnedSheet, CloseupScene]:
    """One random picture, for all nets."""
    random = np.random.default_rng(seed)
    drawn = random_picture(random)
    sheet = sheet_of(drawn.camera, drawn.mat, (WIDTH, HEIGHT))
    error = random.normal(0, 0.06) + random.normal(0, 0.03, 3)
    seen = inputs(drawn.picture, sheet, drawn.camera, MeasuredWhite(drawn.white, drawn.mat, error))
    empty = inputs(drawn.empty, sheet, drawn.camera, MeasuredWhite(drawn.empty_white, drawn.mat, error))
    seen = beside(seen, difference(seen[LIGHT], empty[LIGHT], np.ones(seen.shape[1:])))
    whole = learned(seen, targets(drawn.things, sheet, drawn.camera), colors_of(drawn.things), "drawn")
    return whole, scene_of(whole, drawn.things, sheet, drawn.camera)


def drawn_sheets(count: int, processes: int) -> Iterator[tuple[LearnedSheet, CloseupScene]]:
    """`count` pictures in the order of their seeds."""
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(drawn_sheet, range(count), chunksize=4)


def drawn_contour(seed: int) -> ContourScene:
    """One random picture with its contours."""
    drawn = random_picture(np.random.default_rng(seed))
    return contour_scene(drawn.picture, [thing.place for thing in drawn.things], drawn.camera)


def drawn_contours(count: int, processes: int) -> Iterator[ContourScene]:
    """`count` pictures in the order of their seeds; each takes five megabytes of memory."""
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(drawn_contour, range(count), chunksize=4)

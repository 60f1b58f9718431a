"""A Spectrum board that fixes the table by itself: its rim is an ellipse, which has two poses; its lines choose."""

from __future__ import annotations

import numpy as np

from companion.core.foundation.errors import NoBoard
from companion.core.plan import Mat
from vision.image.picture import Picture
from vision.readers.pawns.reader import place_wheel, read_board
from vision.readers.pawns.recognition import PawnReading
from vision.readers.pawns.wheel import RADIUS_MM, THICK_MM
from vision.readers.pawns.wheel_fit import WheelFit
from vision.registration.registered_image import RegisteredImage, working
from vision.registration.unmarked import ellipses, focal_lengths, poses_of_circle, unmarked_table

_MAT = Mat(560.0, 560.0, 40.0)
"""The table around the board: any board lies in its middle."""
_MIDDLE = (_MAT.width_mm / 2, _MAT.height_mm / 2)
_TRIED = 3
"""So many ellipses of a picture are tried."""
_PLAINLY = 1.3
"""A board that is seen so plainly ends the search."""


def read_unmarked_pawns(picture: Picture) -> PawnReading:
    """Reads the board of a photograph without markers.

    Raises:
        NoBoard: No wheel is seen.
    """
    small, factor = working(picture)
    size_px = (small.shape[1], small.shape[0])
    best: tuple[float, WheelFit, RegisteredImage] | None = None
    for conic in ellipses(small)[:_TRIED]:
        for pose in poses_of_circle(conic, RADIUS_MM, THICK_MM, _MIDDLE, size_px, focal_lengths(size_px)[0]):
            around = np.radians(np.arange(0, 360, 10))
            rim = _MIDDLE + RADIUS_MM * np.column_stack([np.cos(around), np.sin(around)])
            outline = pose.project(np.column_stack([rim, np.full(len(rim), THICK_MM)]))
            table = unmarked_table(small, factor, _MAT, pose, outline)
            try:
                fit = place_wheel(table)
            except NoBoard:
                continue
            if best is None or fit.score > best[0]:
                best = fit.score, fit, table
        if best is not None and best[0] > _PLAINLY:
            break
    if best is None:
        raise NoBoard("No Spectrum board is seen. Take the photo from above, with the whole wheel in it.")
    _, fit, table = best
    return PawnReading(table, read_board(table, fit))

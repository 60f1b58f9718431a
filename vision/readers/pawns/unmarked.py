"""Reads a Spectrum board that locates the table by itself.

Its rim is an ellipse, which has two poses under each lens; its lines select one, and among equally good poses the
reading decides. Its twelve colors together show the light.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress

import cv2
import numpy as np
from msgspec.structs import replace

from companion.core.foundation.errors import NoBoard
from companion.core.plan import Mat
from vision.image.light import LINEAR, Light
from vision.image.picture import Picture
from vision.image.pose import Floats, Pose
from vision.readers.pawns.reader import place_wheel, read_board
from vision.readers.pawns.recognition import PawnReading
from vision.readers.pawns.wheel import RADIUS_MM, THICK_MM, Wheel
from vision.readers.pawns.wheel_fit import WheelFit, fit_wheel
from vision.registration.registered_image import RegisteredImage, working
from vision.registration.unmarked import ellipses, focal_lengths, poses_of_circle, unmarked_table

_MAT = Mat(560.0, 560.0, 40.0)
"""The assumed mat around the board; any board lies in its middle."""
_MIDDLE = (_MAT.width_mm / 2, _MAT.height_mm / 2)
_TRIED = 3
"""The largest number of ellipses of a picture that are tried."""
_AS_GOOD = 0.93
"""Poses under which the lines agree at least to this share of the best one's are read, too."""
_STEPS_DEG = (6.0, 3.0, 1.5)
_READ = 3
"""The largest number of poses that are read."""
_SENT_BACK = np.array([0.22, 0.35, 0.61])
"""The mean share of white's light that all spaces reflect, as B, G, R."""
_SOFT_PX = 5
_MOST_WHITE = 0.95
_LEAST = 1e-3
"""The least confidence that counts."""


def read_unmarked_pawns(picture: Picture) -> PawnReading:
    """Reads the board of a photograph without markers.

    Raises:
        NoBoard: No wheel is seen.
    """
    small, factor = working(picture)
    found = sorted(_fits(small, factor), key=lambda one: -one[0].score)
    found[:1] = [_tilted(*one) for one in found[:1]]
    good = [one for one in found if one[0].score > _AS_GOOD * found[0][0].score][:_READ]
    readings = [_read(fit, table) for fit, table in good]
    if not readings:
        raise NoBoard("No Spectrum board is seen. Take the photo from above, with the whole wheel in it.")
    return min(readings, key=_doubt)


def _fits(small: Picture, factor: float) -> Iterator[tuple[WheelFit, RegisteredImage]]:
    """Yields wheels under each pose of an ellipse; other lenses are tried for the likeliest one."""
    conics = ellipses(small)[:_TRIED]
    usual, *others = focal_lengths((small.shape[1], small.shape[0]))
    first = [(found, conic) for conic in conics for found in _under(small, factor, conic, usual)]
    yield from (found for found, _ in first)
    if first:
        best = max(first, key=lambda one: one[0][0].score)[1]
        for focal_px in others:
            yield from _under(small, factor, best, focal_px)


def _under(small: Picture, factor: float, conic: Floats, focal_px: float) -> Iterator[tuple[WheelFit, RegisteredImage]]:
    size_px = (small.shape[1], small.shape[0])
    around = np.radians(np.arange(0, 360, 10))
    rim = np.array(_MIDDLE) + RADIUS_MM * np.column_stack([np.cos(around), np.sin(around)])
    for pose in poses_of_circle(conic, RADIUS_MM, THICK_MM, _MIDDLE, size_px, focal_px):
        outline = pose.project(np.column_stack([rim, np.full(len(rim), THICK_MM)]))
        table = unmarked_table(small, factor, _MAT, pose, outline)
        with suppress(NoBoard):
            yield place_wheel(table), table


def _tilted(fit: WheelFit, table: RegisteredImage) -> tuple[WheelFit, RegisteredImage]:
    """Returns the fit under the tilt nearby for which the lines agree best, since the rim is accurate to a few
    degrees.
    """
    for step_deg in _STEPS_DEG:
        for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)):
            for sign in (1.0, -1.0):
                turn = np.asarray(cv2.Rodrigues(sign * math.radians(step_deg) * np.array(axis))[0], np.float64)
                moved = replace(table, pose=_turned(table.pose, turn))
                there = fit_wheel(moved.picture, moved.pose, fit.wheel)
                if there.score > fit.score:
                    fit, table = there, moved
                    break
    return fit, table


def _turned(pose: Pose, turn: Floats) -> Pose:
    """Returns the pose after the table was turned around the board's middle."""
    middle = np.array([*_MIDDLE, 0.0])
    return pose.in_frame(turn, middle - turn @ middle)


def _read(fit: WheelFit, table: RegisteredImage) -> PawnReading:
    """Returns the reading under the light that the wheel shows."""
    table = replace(table, light=light_of_wheel(table, fit.wheel))
    return PawnReading(table, read_board(table, fit))


def light_of_wheel(table: RegisteredImage, wheel: Wheel) -> Light:
    """Returns the light in which all spaces together have the color that they have on any board."""
    middles = wheel.to_table(wheel.middles())
    pixels = table.pose.project(np.column_stack([middles, np.full(len(middles), THICK_MM)])).round().astype(int)
    height, width = table.picture.shape[:2]
    inside = (pixels >= 0).all(axis=1) & (pixels < (width, height)).all(axis=1)
    soft = cv2.blur(table.picture, (_SOFT_PX, _SOFT_PX))
    across, down = pixels[inside].T
    white = np.minimum(LINEAR[soft[down, across]].mean(axis=0) / _SENT_BACK, _MOST_WHITE)
    b, g, r = (float(level) for level in np.log(np.maximum(white, 0.02)))
    return replace(table.light, offset=(b, g, r))


def _doubt(reading: PawnReading) -> float:
    return -sum(math.log(max(one.confidence, _LEAST)) for one in reading.reading.joint)

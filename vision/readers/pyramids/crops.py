"""Closeups of places, each named, and taken again where the place was missed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.image.pose import Pose
from vision.readers.pyramids.closeup import Closeup, CloseupShown, closeup, cut
from vision.readers.pyramids.naming import Named, Namer
from vision.readers.pyramids.sheet import Sheet, directions
from vision.readers.pyramids.weighing import place_mm

Floats = NDArray[Any]

_MISSED_PX = 1.5
"""A place that was missed by more is looked at again from where it should be."""
_PERHAPS = 0.1
"""If something is there at least so probably."""


def closeups(places: Floats, sheet: Sheet, pose: Pose) -> list[Closeup]:
    """How the sheet is cut at places (N, 2) in millimeters."""
    pixels = sheet.to_sheet(pose.project(np.column_stack([places, np.zeros(len(places))])))
    ways = zip(pixels, *directions(sheet, pose, places), strict=True)
    return [closeup(pixel, rise, float(scale)) for pixel, rise, scale in ways]


def crops(places: Floats, seen: CloseupShown, sheet: Sheet, pose: Pose, namer: Namer) -> list[tuple[Closeup, Named]]:
    """Closeups and names of places (N, 2); those that were missed by much are looked at again."""

    def look(at: Floats) -> tuple[list[Closeup], list[Named]]:
        closes = closeups(at, sheet, pose)
        return closes, namer(np.stack([cut(seen, close) for close in closes]))

    closes, found = look(places)
    again = [
        k
        for k, name in enumerate(found)
        if np.hypot(*name.shift_px) > _MISSED_PX and sum(g.probability for g in name.guesses) > _PERHAPS
    ]
    if again:
        new_closes, new_found = look(np.array([place_mm(closes[k], found[k], sheet, pose) for k in again]))
        for k, close, name in zip(again, new_closes, new_found, strict=True):
            closes[k], found[k] = close, name
    return list(zip(closes, found, strict=True))

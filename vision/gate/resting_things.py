"""Things that reach in over the picture's border and rest there: an arm on the rim of the table, a cup, a sleeve.

A thing that has covered the same place for a while is furniture: it hides only the part under it. A living arm stirs,
so motion close to a resting thing belongs to it.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gate.change import Map

STIR_MM = 24.0
"""The distance in millimeters from a resting thing within which motion belongs to it: sleeves and fingers stir."""
STIR_MM2 = 900.0
"""The area in square millimeters from which a change farther away is another hand, or the same one at work."""
GROWN_MM = 9.0
"""The margin in millimeters by which a resting thing covers more than a thumb shows: its soft rim and dark shadow."""


class RestingThings:
    """The time for which things that reach in have covered each place of a picture."""

    def __init__(self) -> None:
        self._age: NDArray[np.float32] | None = None

    def forget(self) -> None:
        """Starts over: the things there now belong to the table, or the picture shows another place."""
        self._age = None

    def take(self, places: Map, passed: float) -> None:
        """Records the places that a picture shows covered.

        Args:
            places: (h, w) 1 at things that reach in.
            passed: The number of seconds or pictures since the last call.
        """
        if self._age is None or self._age.shape != places.shape:
            self._age = np.zeros(places.shape, np.float32)
        self._age = np.where(places > 0, self._age + passed, 0).astype(np.float32)

    def resting(self, least: float) -> Map:
        """Returns (h, w) with 1 at the parts covered for at least `least`; requires an earlier call of `take`."""
        assert self._age is not None
        return np.asarray(self._age >= least, np.uint8)


class CoveredPart(NamedTuple):
    """The part of a picture that resting things cover."""

    place: Map
    """(h, w) of a thumb, 1 where the table cannot be seen."""
    near: Map
    """(h, w) 1 at `place` and where a resting thing stirs."""


def cover_of(places: Map, resting: Map, mm_per_px: float) -> CoveredPart:
    """Returns the cover that things make which rest, but for their stirring."""
    whole = _filled(places | resting)
    return CoveredPart(grown(whole, GROWN_MM / mm_per_px), grown(whole, STIR_MM / mm_per_px))


def is_at_work(places: Map, resting: Map, zones: Map | None, mm_per_px: float) -> bool:
    """True if something reaches in over a zone that does not rest.

    Args:
        places: (h, w) 1 at all things that reach in.
        zones: 1 near the zones; None: everywhere.
    """
    moving = places & (1 - grown(resting, STIR_MM / mm_per_px))
    if zones is not None:
        moving = moving & zones
    opened = cv2.morphologyEx(moving, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return cv2.countNonZero(opened) * mm_per_px**2 > STIR_MM2


def grown(place: Map, by_px: float) -> Map:
    """Returns a map (h, w) grown by `by_px` pixels."""
    side = 2 * max(1, round(by_px)) + 1
    return np.asarray(cv2.dilate(place, np.ones((side, side), np.uint8)), np.uint8)


def _filled(place: Map) -> Map:
    """Returns a map (h, w) without holes, which skin in nearly the table's color leaves."""
    closed = cv2.morphologyEx(place, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return np.asarray(cv2.drawContours(closed, outlines, -1, 1, cv2.FILLED), np.uint8)

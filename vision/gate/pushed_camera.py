"""A camera that was pushed and shows a part of the table still: that looks like a hand that reaches in, for seconds."""

from __future__ import annotations

import math
from collections.abc import Callable

from companion.core.plan import Point
from vision.gate.steadiness import Report
from vision.registration.markers import find_markers
from vision.sources.source import Shot

SUSPECT_S = 1.0
"""After something has reached into the picture for so long, it is asked whether the camera was moved instead."""
LOOK_S = 0.5
"""While it does, the markers are looked for so often."""
ELSEWHERE = 0.02
"""A marker that lies further from its place than this share of the picture's width lies elsewhere."""


class PushedCamera:
    """Suspects a push where markers lie elsewhere. It is only reported; no reading depends on it."""

    def __init__(self, tick: Callable[[], float]) -> None:
        self._tick = tick
        self._reaching_since_s: float | None = None
        """The time since which something has reached into the picture, or None."""
        self._looked_s = -math.inf
        self.suspected = False
        """True if the thing that reaches in is the table itself."""

    def follow(self, shot: Shot, report: Report, corners_px: tuple[Point, Point, Point, Point] | None) -> None:
        """Take one more picture in.

        Args:
            corners_px: Where the markers' centers lay; None: that is not known.
        """
        if not report.hand or report.steady:
            self._reaching_since_s, self.suspected = None, False
            return
        now_s = self._tick()
        if self._reaching_since_s is None:
            self._reaching_since_s = now_s
        if corners_px is None or now_s - self._reaching_since_s < SUSPECT_S or now_s - self._looked_s < LOOK_S:
            return
        self._looked_s = now_s
        limit_px = ELSEWHERE * shot.picture.shape[1]
        apart_px = [
            min(math.dist(corners.mean(axis=0), corners_px[number]) for corners in found)
            for number, found in find_markers(shot.picture).items()
        ]
        self.suspected = len(apart_px) >= 2 and min(apart_px) > limit_px

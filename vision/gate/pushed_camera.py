"""Detects a pushed camera that still shows a part of the table: for seconds this looks like a hand that reaches in."""

from __future__ import annotations

import math
from collections.abc import Callable

from companion.core.plan import Point
from vision.gate.steadiness import Report
from vision.registration.markers import find_markers
from vision.sources.source import Shot

SUSPECT_S = 1.0
"""The number of seconds with something reaching in after which a moved camera is suspected."""
LOOK_S = 0.5
"""The number of seconds between searches for the markers in that case."""
ELSEWHERE = 0.02
"""The share of the picture's width beyond which a marker counts as moved."""


class PushedCamera:
    """Suspects a push if markers have moved. It only reports; no reading depends on it."""

    def __init__(self, tick: Callable[[], float]) -> None:
        self._tick = tick
        self._reaching_since_s: float | None = None
        """The time since which something has reached into the picture; None if nothing does."""
        self._looked_s = -math.inf
        self.suspected = False
        """True if the thing that reaches in is the table itself."""

    def follow(self, shot: Shot, report: Report, corners_px: tuple[Point, Point, Point, Point] | None) -> None:
        """Takes the next picture.

        Args:
            corners_px: The last centers of the markers; None if they are unknown.
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

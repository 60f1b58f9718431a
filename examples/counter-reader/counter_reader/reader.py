"""Reads round red counters of 20 to 40 mm that lie flat on the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from companion.api.reader import OverlayMark, RegisteredImage

PX_PER_MM = 2.0
"""Pixels of the view from above for each millimeter."""
DIAMETERS_MM = (20.0, 40.0)
ROUND = 0.8
"""The least share of its circle that a counter fills."""


@dataclass(frozen=True)
class Counter:
    """One counter: center and diameter in millimeters."""

    x_mm: float
    y_mm: float
    diameter_mm: float
    confidence: float


@dataclass(frozen=True)
class CounterReading:
    """The counters of one picture."""

    table: RegisteredImage
    counters: tuple[Counter, ...]

    def truth(self) -> dict[str, Any]:
        """`counters`, each with its place in millimeters and its confidence."""
        return {
            "counters": [
                {"x": round(one.x_mm, 1), "y": round(one.y_mm, 1), "confidence": round(one.confidence, 3)}
                for one in self.counters
            ]
        }

    def marks(self) -> tuple[OverlayMark, ...]:
        """The outline of each counter, in the pixels of the original picture."""
        angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)
        found = []
        for one in self.counters:
            x, y = (one.diameter_mm / 2 * turn(angles) for turn in (np.cos, np.sin))
            rim = np.column_stack([one.x_mm + x, one.y_mm + y, np.zeros(16)])
            outline = self.table.original_px(self.table.pose.project(rim))
            found.append(OverlayMark(outline, "counter", "read", confidence=one.confidence))
        return tuple(found)


def read_counters(table: RegisteredImage) -> CounterReading:
    """Read the counters on a table."""
    red = cv2.inRange(cv2.cvtColor(_from_above(table), cv2.COLOR_BGR2HSV), (0, 120, 80), (10, 255, 255))
    outlines, _ = cv2.findContours(red, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = []
    for outline in outlines:
        (x, y), radius = cv2.minEnclosingCircle(outline)
        share = cv2.contourArea(outline) / (np.pi * max(radius, 1.0) ** 2)
        diameter_mm = 2 * radius / PX_PER_MM
        if DIAMETERS_MM[0] <= diameter_mm <= DIAMETERS_MM[1] and share >= ROUND:
            found.append(Counter(x / PX_PER_MM, y / PX_PER_MM, diameter_mm, min(float(share), 1.0)))
    return CounterReading(table, tuple(found))


def _from_above(table: RegisteredImage) -> np.ndarray[Any, Any]:
    """The mat as seen from above, `PX_PER_MM` pixels a millimeter."""
    size = round(table.mat.width_mm * PX_PER_MM), round(table.mat.height_mm * PX_PER_MM)
    corners = np.column_stack([np.array(table.mat.corners_mm()), np.zeros(4)])
    seen = np.asarray(table.pose.project(corners), dtype=np.float32)
    flat = np.array(table.mat.corners_mm(), dtype=np.float32) * PX_PER_MM
    return np.asarray(cv2.warpPerspective(table.picture, cv2.getPerspectiveTransform(seen, flat), size))

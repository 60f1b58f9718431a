"""Draws marks over a picture for people: the reading and its confidence."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from companion.core.protocols.eyes import OverlayMark
from vision.image.picture import Picture

_COLORS: dict[str, tuple[int, int, int]] = {
    "read": (255, 255, 255),
    "doubt": (0, 165, 255),
    "hand": (255, 0, 255),
    "board": (255, 200, 0),
    "marker": (0, 255, 0),
}
"""Kind of mark to its color as B, G, R."""


def draw(picture: Picture, marks: Iterable[OverlayMark]) -> Picture:
    """Returns a copy of the picture with the marks on it."""
    drawn = picture.copy()
    scale = max(picture.shape[:2]) / 1280
    thick = max(round(1.5 * scale), 1)
    for mark in marks:
        color = _COLORS[mark.kind]
        outline = np.array(mark.outline_px)
        if not np.isfinite(outline).all() or not len(outline):
            continue
        points = np.clip(outline, -30000, 30000).round().astype(np.int32).reshape(-1, 1, 2)
        cv2.polylines(drawn, [points], True, (0, 0, 0), thick + 2, cv2.LINE_AA)
        cv2.polylines(drawn, [points], True, color, thick, cv2.LINE_AA)
        if mark.label:
            _write(drawn, mark.label, outline.mean(0), color, 0.42 * scale)
    return drawn


def _write(
    picture: Picture,
    text: str,
    middle: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    color: tuple[int, int, int],
    size: float,
) -> None:
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    at = round(float(middle[0]) - width / 2), round(float(middle[1]) + height / 2)
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, color, 1, cv2.LINE_AA)

"""Reads Spectrum boards in one photograph, with the answer in the words of the labeled picture set, and outlines."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from msgspec import Struct

from companion.core.layout import Detection
from companion.core.pieces import Pawn
from companion.core.protocols.eyes import OverlayMark
from vision.image.pose import Floats
from vision.readers.pawns.reader import WheelReading, place_wheel, read_board
from vision.readers.pawns.wheel import PAWN_BASE_MM, PAWN_HEIGHT_MM, SPACES, THICK_MM
from vision.registration.registered_image import RegisteredImage

SURE = 0.9
"""Readings below this confidence are drawn as doubtful."""
_CORNERS = 72
"""The number of corners of the drawn rim."""
_HEAD_MM = 3.6
"""The radius of a pawn's head in millimeters."""


def board_marks(table: RegisteredImage, reading: WheelReading) -> tuple[OverlayMark, ...]:
    """Returns marks of the board, its pawns and its doubtful spaces, in the original picture's pixels."""
    wheel = reading.wheel
    angles = np.arange(_CORNERS) * 2 * math.pi / _CORNERS
    rim = wheel.to_table(np.column_stack([np.cos(angles), np.sin(angles)]) * wheel.radius_mm)
    outline = table.pose.project(np.column_stack([rim, np.full(_CORNERS, THICK_MM)]))
    marks = [OverlayMark(table.original_px(outline), "", "board")]
    for space, place, sighting in zip(SPACES, wheel.to_table(wheel.middles()), reading.joint, strict=True):
        if isinstance(sighting.piece, Pawn) or sighting.confidence < SURE:
            marks.append(_mark(table, place, space.spot, sighting))
    return tuple(marks)


def silhouette_mm(place_mm: Floats) -> Floats:
    """Returns (N, 3): points around base and head of a pawn at a table place (2,)."""
    angles = np.arange(16) * math.pi / 8
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    base = np.column_stack([place_mm + ring * PAWN_BASE_MM / 2, np.full(16, THICK_MM)])
    head = np.column_stack([place_mm + ring * _HEAD_MM, np.full(16, THICK_MM + PAWN_HEIGHT_MM - _HEAD_MM)])
    return np.concatenate([base, head])


def _mark(table: RegisteredImage, place: Floats, spot: str, sighting: Detection) -> OverlayMark:
    pixels = table.pose.project(silhouette_mm(place)).astype(np.float32)
    hull = cv2.convexHull(pixels.reshape(-1, 1, 2)).reshape(-1, 2).astype(np.float64)
    label = sighting.piece.color if isinstance(sighting.piece, Pawn) else ""
    confidence = sighting.confidence
    return OverlayMark(table.original_px(hull), label, "read" if confidence >= SURE else "doubt", spot, confidence)


class PawnReading(Struct, frozen=True):
    """The reading of a photograph of a Spectrum board."""

    table: RegisteredImage
    reading: WheelReading

    def truth(self) -> dict[str, Any]:
        """Returns `board` and `pawns`, each with its confidence."""
        wheel = self.reading.wheel
        board = {
            "cx": round(wheel.x_mm, 2),
            "cy": round(wheel.y_mm, 2),
            "radius": round(wheel.radius_mm, 2),
            "red_heading": round(wheel.heading_deg % 360, 2),
            "confidence": round(min(max(self.reading.fit.score / 1.4, 0.0), 1.0), 4),
        }
        pawns = [
            {
                "color": sighting.piece.color,
                "path": space.color,
                "space": space.ring,
                "confidence": round(sighting.confidence, 4),
            }
            for space, sighting in zip(SPACES, self.reading.joint, strict=True)
            if isinstance(sighting.piece, Pawn)
        ]
        return {"board": board, "pawns": pawns}

    def marks(self) -> tuple[OverlayMark, ...]:
        """Returns the marks of board and pawns."""
        return board_marks(self.table, self.reading)


def read_pawns(table: RegisteredImage) -> PawnReading:
    """Reads a board and the pawns on it.

    Raises:
        NoBoard: No board is on the table.
    """
    return PawnReading(table, read_board(table, place_wheel(table)))

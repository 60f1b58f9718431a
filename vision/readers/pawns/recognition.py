"""Reads Spectrum boards in one photograph, with the answer in the words of the labeled picture set."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from companion.core.pieces import Pawn
from companion.core.protocols.eyes import OverlayMark
from vision.readers.pawns.marks import board_marks
from vision.readers.pawns.reader import WheelReading, place_wheel, read_board
from vision.readers.pawns.wheel import SPACES
from vision.registration.registered_image import RegisteredImage


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

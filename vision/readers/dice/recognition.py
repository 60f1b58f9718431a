"""Reads photographs of dice, as one domain of `vision.domains`."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from msgspec import Struct

from companion.core.layout import Spot
from companion.core.pieces import Die
from companion.core.protocols.eyes import OverlayMark
from vision.readers.dice.reader import SeenDie, read_dice
from vision.registration.registered_image import RegisteredImage

SURE = 0.9
"""Readings below this confidence are drawn as doubtful."""


class DiceReading(Struct, frozen=True):
    """The dice in one photograph."""

    table: RegisteredImage
    dice: tuple[SeenDie, ...]

    def truth(self) -> dict[str, Any]:
        """Returns `dice`, each with its runner-up, its yaw, its confidence and whether it is cocked.

        Dice that lean too much to have an upper face are in `cocked` instead.
        """
        told = [die for die in self.dice if die.told]
        return {"dice": [_told(die) for die in told], "cocked": [_told(die) for die in self.dice if not die.told]}

    def marks(self) -> tuple[OverlayMark, ...]:
        """Returns the outline of each die, in the photograph's pixels."""
        return tuple(die_mark(self.table, die) for die in self.dice)


def _told(seen: SeenDie) -> dict[str, Any]:
    second = next((one for one in seen.sighting.candidates[1:] if isinstance(one.piece, Die)), None)
    told: dict[str, Any] = {
        "kind": seen.die.kind,
        "face": seen.die.face,
        "x": round(seen.place.x_mm, 2),
        "y": round(seen.place.y_mm, 2),
        "yaw": round(seen.place.yaw_deg, 1),
        "cocked": seen.cocked,
        "confidence": round(seen.sighting.confidence, 4),
        "runner_up": None,
    }
    if second is not None and isinstance(second.piece, Die):
        told["runner_up"] = {
            "kind": second.piece.kind,
            "face": second.piece.face,
            "confidence": round(second.probability, 4),
        }
    return told


def die_mark(table: RegisteredImage, seen: SeenDie, spot: Spot | None = None) -> OverlayMark:
    """Returns the overlay of one die."""
    pixels = table.pose.project(seen.candidate.corners_mm()).astype(np.float32)
    hull = cv2.convexHull(pixels.reshape(-1, 1, 2)).reshape(-1, 2).astype(np.float64)
    sure = seen.sighting.confidence
    label = "cocked" if seen.cocked else str(seen.die.face)
    clear = sure >= SURE and not seen.cocked
    return OverlayMark(table.original_px(hull), label, "read" if clear else "doubt", spot, sure)


def read_tray(table: RegisteredImage) -> DiceReading:
    """Reads a table's picture."""
    return DiceReading(table, read_dice(table))

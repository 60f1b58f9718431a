"""Photographs of pyramids as one domain of `vision.recognize`."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from msgspec import Struct

from companion.core.layout import Spot
from companion.core.pieces import Pyramid
from companion.core.protocols.eyes import OverlayMark
from vision.readers.pyramids.assignment import Limits
from vision.readers.pyramids.confirmed import ConfirmedColors
from vision.readers.pyramids.reader import read
from vision.readers.pyramids.scene import FoundPieces, PyramidScene
from vision.registration.registered_image import RegisteredImage

PATTERNED = "This table's pattern looks like pieces: clear it and press *Remember the empty table*."
"""The sentence instead of a list of a hundred pieces."""
SURE = 0.9
"""Readings below this confidence are drawn as doubtful."""


class PyramidReading(Struct, frozen=True):
    """One photograph read for pyramids."""

    table: RegisteredImage
    scene: PyramidScene

    def truth(self) -> dict[str, Any]:
        """The contents in the words of the labeled picture set, with a confidence on every piece."""
        return self.scene.truth()

    def remarks(self) -> tuple[str, ...]:
        """The obstacles to reading this table well."""
        return (PATTERNED,) if self.scene.patterned else ()

    def marks(self) -> tuple[OverlayMark, ...]:
        """The outline of each stack and lying piece, in the photograph's pixels."""
        return tuple(found_mark(self.table, found) for found in self.scene.found)


def found_mark(table: RegisteredImage, found: FoundPieces, spot: Spot | None = None) -> OverlayMark:
    """The overlay of one thing."""
    hull = cv2.convexHull(found.outline_px.reshape(-1, 1, 2).astype(np.float32)).reshape(-1, 2).astype(np.float64)
    words = [f"{level.piece.color} {level.piece.size}" for level in found.levels if isinstance(level.piece, Pyramid)]
    sure = min((level.confidence for level in found.levels), default=found.confidence)
    return OverlayMark(table.original_px(hull), ", ".join(words), "read" if sure >= SURE else "doubt", spot, sure)


def read_pyramids(table: RegisteredImage, limits: Limits | None = None) -> PyramidReading:
    """Read a table's picture; `limits` say how many of each piece can be there."""
    known = table.calibration
    empty = None if known is None else known.empty
    colors = None if known is None else ConfirmedColors(known.colors, known.tones)
    memory = read(table.picture, table.pose, table.light, table.mat, limits=limits, colors=colors, empty=empty)
    return PyramidReading(table, memory.scene)

"""Spectrangle in one photograph: the answer in the words of the labeled picture set."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from companion.core.pieces import Tile
from companion.core.protocols.eyes import OverlayMark
from vision.readers.tiles.marks import scene_marks
from vision.readers.tiles.scene import TileScene, read_scene
from vision.registration.registered_image import RegisteredImage


class TileReading(Struct, frozen=True):
    """A photograph of a Spectrangle table, read."""

    table: RegisteredImage
    scene: TileScene

    def truth(self) -> dict[str, Any]:
        """`board` and 36 `cells`; the confidence of a cell counts for its tile or, in `empty`, for its emptiness."""
        apex, left, right = self.scene.board.placement.corners_mm()
        cells: list[dict[str, Any] | None] = []
        for cell in self.scene.board.cells:
            piece = cell.joint.piece
            if isinstance(piece, Tile):
                cells.append(
                    {
                        "left": piece.left,
                        "right": piece.right,
                        "flat": piece.flat,
                        "value": piece.value,
                        "confidence": round(cell.joint.confidence, 4),
                    }
                )
            else:
                cells.append(None)
        corners = {
            name: [round(x, 2), round(y, 2)]
            for name, (x, y) in zip(("apex", "left", "right"), (apex, left, right), strict=True)
        }
        confidence = min(max(self.scene.fit.score / 2, 0.0), 1.0)
        return {"board": {**corners, "confidence": round(confidence, 4)}, "cells": cells}

    def marks(self) -> tuple[OverlayMark, ...]:
        """Board, tiles and loose tiles."""
        return scene_marks(self.table, self.scene)


def read_tiles(table: RegisteredImage) -> TileReading:
    """Read board and loose tiles.

    Raises:
        NoBoard: No board is on the table.
    """
    return TileReading(table, read_scene(table))

"""Reads Spectrangle in one photograph, with the answer in the words of the labeled picture set."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct

from companion.core.layout import Detection, Spot
from companion.core.pieces import Tile
from companion.core.protocols.eyes import OverlayMark
from vision.image.pose import Floats
from vision.readers.tiles.lattice import CELL_MM, CELLS, CORNERS, RIM_MM, TILE_TOP_MM, Placement
from vision.readers.tiles.scene import LooseTile, TileScene, read_scene
from vision.registration.registered_image import RegisteredImage

SURE = 0.9
"""Readings below this confidence are drawn as doubtful."""
_TILE_MM = 48.0
"""The side of a tile in millimeters."""


def outline_mm(placement: Placement, corners: Floats) -> Floats:
    """Returns board places (N, 2) as table places (N, 3) at the tiles' height."""
    spots = placement.to_table(corners)
    return np.column_stack([spots, np.full(len(spots), TILE_TOP_MM)])


def scene_marks(table: RegisteredImage, scene: TileScene, prefix: str = "c") -> tuple[OverlayMark, ...]:
    """Returns marks of the board, its tiles and all loose tiles, in the original picture's pixels."""
    return (*board_marks(table, scene, prefix), *(loose_mark(table, tile, None) for tile in scene.loose))


def board_marks(table: RegisteredImage, scene: TileScene, prefix: str) -> tuple[OverlayMark, ...]:
    """Returns marks of the board and its tiles."""
    placement = scene.board.placement
    tray = CORNERS * (1 + RIM_MM / (CORNERS[0, 1] / 2))
    marks = [OverlayMark(table.original_px(table.pose.project(outline_mm(placement, tray))), "", "board")]
    for cell, read in zip(CELLS, scene.board.cells, strict=True):
        corners = np.array(cell.corners)
        middle = np.array(cell.middle)
        shrunk = middle + (corners - middle) * (_TILE_MM / CELL_MM)
        pixels = table.original_px(table.pose.project(outline_mm(placement, shrunk)))
        if isinstance(read.joint.piece, Tile) or read.joint.confidence < SURE:
            marks.append(tile_mark(pixels, read.joint, f"{prefix}{cell.number}"))
    return tuple(marks)


def loose_mark(table: RegisteredImage, tile: LooseTile, spot: Spot | None) -> OverlayMark:
    """Returns the mark of one loose tile."""
    corners = CORNERS * (_TILE_MM / 300)
    placement = Placement(tile.spot.x_mm, tile.spot.y_mm, tile.spot.heading_deg)
    return tile_mark(table.original_px(table.pose.project(outline_mm(placement, corners))), tile.joint, spot)


def tile_mark(pixels: tuple[tuple[float, float], ...], sighting: Detection, spot: Spot | None) -> OverlayMark:
    """Returns a tile's outline with its name; a doubtful tile is marked as such."""
    piece = sighting.piece
    label = piece.name if isinstance(piece, Tile) else ""
    return OverlayMark(pixels, label, "read" if sighting.confidence >= SURE else "doubt", spot, sighting.confidence)


class TileReading(Struct, frozen=True):
    """The reading of a photograph of a Spectrangle table."""

    table: RegisteredImage
    scene: TileScene

    def truth(self) -> dict[str, Any]:
        """Returns `board` and 36 `cells`; the confidence of a cell is that of its tile or, in `empty`, of its
        emptiness.
        """
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
        """Returns the marks of the board, its tiles and loose tiles."""
        return scene_marks(self.table, self.scene)


def read_tiles(table: RegisteredImage) -> TileReading:
    """Reads board and loose tiles.

    Raises:
        NoBoard: No board is on the table.
    """
    return TileReading(table, read_scene(table))

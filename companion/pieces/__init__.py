"""The vocabulary of physical pieces: what they are called and which of them a set holds. No game, no pixel."""

from __future__ import annotations

from companion.pieces.die import Die
from companion.pieces.pyramid import Pyramid
from companion.pieces.pyramid import (
    PYRAMID_COLORS,
    PYRAMID_MEASURES,
    PYRAMID_SIZES,
    Pyramid,
    PyramidMeasure,
)
from companion.pieces.tile import JOKER, TILES, EdgeColor, Tile, identify

Piece = Tile | Die | Pyramid | Pyramid
"""Any piece that can be seen, drawn or shown. Tagged, so JSON knows which is which."""

__all__ = ["JOKER", "TILES", "Die", "EdgeColor", "Piece", "Pyramid", "Tile", "identify"]

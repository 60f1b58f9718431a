"""The vocabulary of physical pieces: what they are called and which of them a set holds. No game, no pixel."""

from __future__ import annotations

from companion.core.pieces.card import Card, Special
from companion.core.pieces.die import FACES, INTERMEDIATES, PRIMARIES, WHEEL, Die
from companion.core.pieces.pawn import Pawn
from companion.core.pieces.pyramid import (
    PYRAMID_COLORS,
    PYRAMID_SIZES,
    SHAPES,
    STACK_STEP_MM,
    Pyramid,
    PyramidShape,
    PyramidSize,
    Rock,
    Stack,
    a_color,
)
from companion.core.pieces.tile import JOKER, TILES, EdgeColor, Tile, identify

Piece = Tile | Die | Pyramid | Rock | Stack | Pawn | Card | Special
"""Any piece that can be seen, drawn or shown. Tagged, so JSON knows which is which."""

__all__ = [
    "FACES",
    "INTERMEDIATES",
    "JOKER",
    "PRIMARIES",
    "PYRAMID_COLORS",
    "PYRAMID_SIZES",
    "SHAPES",
    "STACK_STEP_MM",
    "TILES",
    "WHEEL",
    "Card",
    "Die",
    "EdgeColor",
    "Pawn",
    "Piece",
    "Pyramid",
    "PyramidShape",
    "PyramidSize",
    "Rock",
    "Special",
    "Stack",
    "Tile",
    "a_color",
    "identify",
]

"""The vocabulary of physical pieces: what they are called and which of them a set holds. No game, no pixel."""

from __future__ import annotations

from companion.pieces.die import Die
from companion.pieces.pyramid import PYRAMID_COLORS, PYRAMID_SIZES, SHAPES, STACK_STEP_MM, Pyramid, Shape
from companion.pieces.rock import Rock
from companion.pieces.stack import Stack
from companion.pieces.tile import JOKER, TILES, EdgeColor, Tile, identify

Piece = Tile | Die | Pyramid | Rock | Stack
"""Any piece that can be seen, drawn or shown. Tagged, so JSON knows which is which."""

__all__ = [
    "JOKER",
    "PYRAMID_COLORS",
    "PYRAMID_SIZES",
    "SHAPES",
    "STACK_STEP_MM",
    "TILES",
    "Die",
    "EdgeColor",
    "Piece",
    "Pyramid",
    "Rock",
    "Shape",
    "Stack",
    "Tile",
    "identify",
]

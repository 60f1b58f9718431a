"""Icehouse pyramids: a color and a size (SPA-1, ICE-2, RGB-3), with their measures.

All three sizes have the same shape. Eight colors are translucent (clear among them), black and white are opaque.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec import Struct


class Rock(Struct, frozen=True, tag="rock", cache_hash=True):
    """One rock, which has only a color."""

    color: str


PYRAMID_COLORS = ("red", "orange", "yellow", "green", "cyan", "blue", "purple", "clear", "black", "white")
"""Every color a pyramid may have; the last two are opaque."""

PyramidSize = Literal["large", "medium", "small"]
PYRAMID_SIZES: tuple[PyramidSize, ...] = ("large", "medium", "small")
"""Largest first."""

STACK_STEP_MM = 7.5
"""The height of a piece's tip above the tip of the piece right below it in a stack."""


class PyramidShape(NamedTuple):
    """True size of a pyramid."""

    base_mm: float
    """Side of the square base."""
    height_mm: float
    pips: int


SHAPES = {
    "large": PyramidShape(25.4, 44.5, 3),
    "medium": PyramidShape(19.8, 34.7, 2),
    "small": PyramidShape(14.3, 25.0, 1),
}
"""Size name to measures."""


def a_color(color: str) -> str:
    """A color with its article: "a red", "an orange"."""
    return f"{'an' if color[0] in 'aeiou' else 'a'} {color}"


class Pyramid(Struct, frozen=True, tag="pyramid", cache_hash=True):
    """One pyramid: a name of `PYRAMID_COLORS` and one of `PYRAMID_SIZES`."""

    color: str
    size: str


# Pyramids that stand on each other, as one thing to see.
#
# Stacks have no fixed place on a table, and their order matters. So a heap holds whole stacks: the heap has no order,
# each stack in it has one, and a stack that grows is one stack less and another one more.


class Stack(Struct, frozen=True, tag="stack", cache_hash=True):
    """Pyramids bottom to top, never empty; a lone pyramid is a stack of one."""

    pieces: tuple[Pyramid, ...]

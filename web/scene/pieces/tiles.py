"""Spectrangle tiles as scenes: color, letter and pattern on each edge, the value in the middle.

Red and green of these tiles are hard to distinguish, so color is never the only sign of an edge: each edge has a
letter, and each color has its own pattern. Colors are dark enough for white letters, or light enough for black ones, at
a contrast of 4.5 to 1.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from companion.core.pieces import EdgeColor, Tile
from web.scene.shape import Attributes, Point, Shape, label, polygon, shape

SIDE_MM = 50.0
HEIGHT_MM = SIDE_MM * 3**0.5 / 2

COLOR_NAMES: Mapping[str, str] = {color.value: color.name.lower() for color in EdgeColor}


class TilePaint(NamedTuple):
    """The way in which a color is drawn: the fill, the letter's color, and the pattern's size, turn and strokes."""

    fill: str
    ink: str
    size_mm: float
    turn_deg: float
    strokes: str
    """Path within one square of the pattern; empty: plain."""
    stroke_mm: float
    over: str
    """A path within one square of the pattern; empty: no pattern."""


PAINTS: Mapping[str, TilePaint] = {
    "R": TilePaint("#c8322b", "#fff", 3.2, 45, "M0 1.6H3.2", 1.1, "#6d0f0b"),
    "G": TilePaint("#1c7c48", "#fff", 3.4, 0, "M1.7 1.7h.01", 1.7, "#aee6c4"),
    "B": TilePaint("#2460c2", "#fff", 3.6, 0, "M0 .9H3.6M0 2.7H3.6", 0.7, "#bcd4ff"),
    "Y": TilePaint("#f2c42c", "#221c00", 4.4, 0, "M2.2 0V4.4", 0.7, "#9a7400"),
    "P": TilePaint("#7a3fae", "#fff", 3.8, 45, "M0 1.9H3.8M1.9 0V3.8", 0.7, "#e0c4ff"),
    "W": TilePaint("#fbfaf4", "#222", 1.0, 0, "", 0, ""),
}
"""Red has dark diagonals, green light dots, blue light lines across, yellow upright lines, purple a light lattice."""


def corners(up: bool, at: Point = (0.0, 0.0), side: float = SIDE_MM) -> tuple[Point, Point, Point]:
    """Returns the corners of a cell around its center `at`: apex, right, left if it points up; otherwise tip, left,
    right.
    """
    x, y = at
    reach = side / 3**0.5
    half, near = side / 2, reach / 2
    if up:
        return (x, y - reach), (x + half, y + near), (x - half, y + near)
    return (x, y + reach), (x - half, y - near), (x + half, y - near)


def edges(up: bool, at: Point = (0.0, 0.0), side: float = SIDE_MM) -> dict[str, tuple[Point, Point]]:
    """Returns both ends of the left, right and flat edge of a cell."""
    tip, second, third = corners(up, at, side)
    if up:
        return {"left": (third, tip), "right": (tip, second), "flat": (second, third)}
    return {"left": (tip, second), "right": (third, tip), "flat": (second, third)}


def patterns(prefix: str, letters: Collection[str]) -> Shape:
    """Returns the patterns of these colors as definitions whose ids start with `prefix`, so that scenes can share a
    page.
    """
    found = []
    for letter, paint in PAINTS.items():
        if letter in letters and paint.strokes:
            size = paint.size_mm
            turn = f"rotate({paint.turn_deg:g})" if paint.turn_deg else None
            box: Attributes = {"id": f"{prefix}-{letter}", "width": size, "height": size}
            line: Attributes = {
                "d": paint.strokes,
                "fill": "none",
                "stroke": paint.over,
                "stroke-width": paint.stroke_mm,
                "stroke-linecap": "round",
            }
            found.append(
                shape(
                    "pattern", {**box, "patternUnits": "userSpaceOnUse", "patternTransform": turn}, shape("path", line)
                )
            )
    return shape("defs", {}, *found)


def tile(piece: Tile, up: bool, prefix: str, at: Point = (0.0, 0.0), side: float = SIDE_MM) -> Shape:
    """Returns a tile in its rotation in a cell around `at`; `prefix` names the patterns. Its cell must name it."""
    x, y = at
    scale = side / SIDE_MM
    parts: list[Shape] = []
    for edge, (one, other) in edges(up, at, side).items():
        letter = getattr(piece, edge)
        paint = PAINTS[letter]
        wedge = (at, one, other)
        parts.append(polygon(wedge, "edge", fill=paint.fill))
        if paint.strokes:
            parts.append(polygon(wedge, "pattern", fill=f"url(#{prefix}-{letter})"))
        middle = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
        spot = (x + 0.685 * (middle[0] - x), y + 0.685 * (middle[1] - y))
        parts.append(
            shape("circle", {"class": "seat", "cx": spot[0], "cy": spot[1], "r": 4 * scale, "fill": paint.fill})
        )
        parts.append(label(letter, spot, "letter", 6.4 * scale, fill=paint.ink))
    # The seams between the colors make two edges of one color look like two.
    for corner in corners(up, at, side):
        parts.append(shape("line", {"class": "seam", "x1": x, "y1": y, "x2": corner[0], "y2": corner[1]}))
    parts.append(polygon(corners(up, at, side), "rim"))
    parts.append(shape("circle", {"class": "value-ground", "cx": x, "cy": y, "r": 5.2 * scale}))
    parts.append(label(str(piece.value), at, "value", 7.6 * scale))
    return shape("g", {"class": "tile", "aria-hidden": "true"}, *parts)


def spoken(piece: Tile, *, lies: bool = True) -> str:
    """Returns a tile in words: in its rotation in a cell, or off the board."""
    left, right, flat = (COLOR_NAMES[letter] for letter in piece.edges)
    if piece.edges == "WWW":
        return f"white joker, value {piece.value}"
    if left == right == flat:
        return f"{left} on all edges, value {piece.value}"
    if lies:
        return f"left {left}, right {right}, flat {flat}, value {piece.value}"
    return f"{left} {right} {flat}, value {piece.value}"

"""Color dice as scenes, seen from above: color, letters, pattern and shape.

A six-sided die is a square, a twelve-sided one has ten corners. A primary shows its letter on its own pattern, the same
as on pyramids; an intermediate shows two letters, and each half of it is one of its two neighboring primaries. So color
is never the only sign of a face.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, pi, sin

from companion.core.pieces import PRIMARIES, WHEEL, Die
from companion.games.shared.color_dice import D6, PLACE
from web.scene.pieces.hatching import lines
from web.scene.pieces.pyramids import PAINTS
from web.scene.shape import Attributes, Point, Shape, group, label, polygon, shape

LETTERS: Mapping[str, str] = {color: "".join(part[0].upper() for part in color.split("-")) for color in WHEEL}
"""The letters of each color: red is R, red-orange RO."""

_GAP_MM = 3.2
_STROKE_MM = 0.7


def halves(color: str) -> tuple[str, str]:
    """Returns the two primaries with which a color is drawn: itself twice, or its two neighbors.

    >>> halves("purple-red")
    ('purple', 'red')
    """
    place = WHEEL.index(color)
    return (color, color) if color in PRIMARIES else (WHEEL[place - 1], WHEEL[(place + 1) % 12])


def outline(kind: str, at: Point, size: float) -> tuple[Point, ...]:
    """Returns the corners of a die's outline around a point; `size` is its width."""
    x, y = at
    half = size / 2
    if kind == D6:
        cut = size * 0.12
        corners = ((-half + cut, -half), (half - cut, -half), (half, -half + cut), (half, half - cut))
        rest = ((half - cut, half), (-half + cut, half), (-half, half - cut), (-half, -half + cut))
        return tuple((x + dx, y + dy) for dx, dy in (*corners, *rest))
    return tuple((x + half * sin(pi * (i + 0.5) / 5), y - half * cos(pi * (i + 0.5) / 5)) for i in range(10))


def painted(color: str, around: Sequence[Point], middle_x: float) -> list[Shape]:
    """Returns a polygon filled with a color of the wheel: one paint, or two primaries left and right of `middle_x`."""
    parts = []
    first, second = halves(color)
    for name, side in ((first, -1), (second, 1)) if first != second else ((first, 0),):
        cut = _side(around, middle_x, side) if side else tuple(around)
        paint = PAINTS[name]
        parts.append(polygon(cut, "side", fill=paint.fill))
        strokes = "".join(lines(cut, turn_deg, _GAP_MM) for turn_deg in paint.turns_deg)
        known: Attributes = {
            "class": "strokes",
            "d": strokes,
            "stroke": paint.over,
            "stroke-width": _STROKE_MM,
            "stroke-linecap": "round",
            "fill": "none",
        }
        if strokes:
            parts.append(shape("path", known))
    return parts


def _side(around: Sequence[Point], x: float, side: int) -> tuple[Point, ...]:
    """Returns the part of a convex polygon left (-1) or right (1) of a vertical line."""
    found: list[Point] = []
    for i, (x0, y0) in enumerate(around):
        x1, y1 = around[(i + 1) % len(around)]
        if (x0 - x) * side >= 0:
            found.append((x0, y0))
        if (x0 - x) * (x1 - x) < 0:
            found.append((x, y0 + (y1 - y0) * (x - x0) / (x1 - x0)))
    return tuple(found)


def letters(color: str, at: Point, size: float) -> list[Shape]:
    """Returns a color's letters on a plain ground, so that the pattern does not run through them."""
    text = LETTERS[color]
    if len(text) == 1:
        paint = PAINTS[color]
        ground: Attributes = {"class": "seat", "cx": at[0], "cy": at[1], "r": size * 0.56, "fill": paint.fill}
        return [shape("circle", ground), label(text, at, "letter", size, fill=paint.ink)]
    wide, high = size * 1.62, size * 1.06
    box: Attributes = {"class": "letters-ground", "x": at[0] - wide / 2, "y": at[1] - high / 2}
    around: Attributes = {"width": wide, "height": high, "fill": "#fff", "stroke": "#16191d", "stroke-width": 0.4}
    return [shape("rect", {**box, **around}), label(text, at, "letter", size * 0.92, fill="#16191d")]


def die(one: Die, at: Point, size: float = 24.0) -> Shape:
    """Returns a die with a color up; the element around it must name it."""
    color = WHEEL[PLACE[one]]
    around = outline(one.kind, at, size)
    parts = painted(color, around, at[0])
    return group("die", *parts, polygon(around, "rim"), *letters(color, at, size * 0.42), aria_hidden="true")


def in_hand(kind: str, at: Point, size: float = 24.0) -> Shape:
    """Returns the empty place of a die that was taken up."""
    return group("die in-hand", polygon(outline(kind, at, size), "rim dashed"), aria_hidden="true")


def single_die(one: Die) -> Shape:
    """Returns a die alone, for a list or a button."""
    known = {"class": "single die-single", "viewBox": "-13 -13 26 26", "aria-hidden": "true", "focusable": "false"}
    return shape("svg", known, die(one, (0.0, 0.0)))

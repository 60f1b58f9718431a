"""Patterns as strokes that are cut to a shape's outline.

A pattern fill needs an id that is unique on the page, and it disappears when the element that defines it is hidden.
Strokes are part of the drawing and have neither problem, so one picture of a piece may appear on a page any number of
times.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, cos, floor, radians, sin

from web.scene.shape import Point, measure

Outline = Sequence[Point]
"""The corners of a convex polygon, in either direction."""


def lines(outline: Outline, turn_deg: float, gap_mm: float) -> str:
    """Returns the path of parallel lines across a convex polygon; 0 degrees is horizontal, and the angle is clockwise.

    Lines are at multiples of the gap from the origin, so neighboring shapes continue each other's pattern.
    """
    along = (cos(radians(turn_deg)), sin(radians(turn_deg)))
    across = (-along[1], along[0])
    heights = [x * across[0] + y * across[1] for x, y in outline]
    parts = []
    for number in range(ceil(min(heights) / gap_mm), floor(max(heights) / gap_mm) + 1):
        ends = _cut(outline, heights, number * gap_mm)
        if len(ends) == 2:
            (x0, y0), (x1, y1) = ends
            parts.append(f"M{measure(x0)} {measure(y0)}L{measure(x1)} {measure(y1)}")
    return "".join(parts)


def dots(outline: Outline, gap_mm: float) -> str:
    """Returns the path of a lattice of dots within a convex polygon; its strokes need round ends."""
    left, right = min(x for x, _ in outline), max(x for x, _ in outline)
    top, bottom = min(y for _, y in outline), max(y for _, y in outline)
    parts = []
    for row in range(ceil(top / gap_mm), floor(bottom / gap_mm) + 1):
        shift = gap_mm / 2 if row % 2 else 0.0
        for column in range(ceil((left - shift) / gap_mm), floor((right - shift) / gap_mm) + 1):
            at = (column * gap_mm + shift, row * gap_mm)
            if _within(outline, at):
                parts.append(f"M{measure(at[0])} {measure(at[1])}h.01")
    return "".join(parts)


def _cut(outline: Outline, heights: Sequence[float], level: float) -> list[Point]:
    """Returns the points where a line crosses the outline: two points, or fewer if it only touches the outline."""
    found: list[Point] = []
    for i, (x0, y0) in enumerate(outline):
        x1, y1 = outline[(i + 1) % len(outline)]
        low, high = heights[i] - level, heights[(i + 1) % len(outline)] - level
        if (low < 0) != (high < 0):
            share = low / (low - high)
            found.append((x0 + share * (x1 - x0), y0 + share * (y1 - y0)))
    return found


def _within(outline: Outline, at: Point) -> bool:
    sides = []
    for i, (x0, y0) in enumerate(outline):
        x1, y1 = outline[(i + 1) % len(outline)]
        sides.append((x1 - x0) * (at[1] - y0) - (y1 - y0) * (at[0] - x0))
    return all(side > 0 for side in sides) or all(side < 0 for side in sides)

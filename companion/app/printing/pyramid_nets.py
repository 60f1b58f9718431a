"""Paper pyramids in three sizes: four sides in a fan fold into a hollow pyramid, which stacks like a real one.

Paper lets no light through, so each side names its color; pips along the lower edge and the shade of the tip show the
size. Clear is printed grey, so that people and cameras distinguish it from white.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from companion.app.printing.pen import BLACK, Ink, Pen, against, around, between
from companion.app.printing.sheets import Part, Run
from companion.core.pieces import PYRAMID_SIZES, SHAPES, PyramidSize
from companion.core.plan import Point

PYRAMID_INKS: dict[str, Ink] = {
    "red": (0.86, 0.13, 0.15),
    "orange": (0.96, 0.52, 0.12),
    "yellow": (0.98, 0.86, 0.16),
    "green": (0.13, 0.58, 0.28),
    "cyan": (0.25, 0.72, 0.80),
    "blue": (0.14, 0.33, 0.76),
    "purple": (0.50, 0.22, 0.62),
    "clear": (0.46, 0.49, 0.52),
    "black": (0.10, 0.10, 0.10),
    "white": (1.0, 1.0, 1.0),
}
_LETTERS = {
    "red": "R", "orange": "O", "yellow": "Y", "green": "G", "cyan": "C", "blue": "B", "purple": "P", "clear": "CL",
    "black": "K", "white": "W",
}  # fmt: skip
_FLAP_MM = 4.0
_TIPS: dict[PyramidSize, tuple[float, float]] = {"small": (0.0, 0.42), "medium": (0.26, 0.42)}
"""Where each side has another shade, as shares of its edges from the tip: a small is painted at its tip, a medium has a
ring, a large has neither. The tip of a stack's topmost piece is always in view, and with it the sign of its size."""


def pyramid_run(pieces: Iterable[tuple[str, PyramidSize, int]]) -> Run:
    """Returns the nets of pyramids for colors, sizes and counts."""
    ordered = sorted(pieces, key=lambda one: PYRAMID_SIZES.index(one[1]))
    return Run(
        "Print on heavy paper, cut along the outer line, fold the dashed lines, glue the flap under the first side.",
        tuple(part for color, size, count in ordered for part in [net_part(color, size)] * count),
        2.0,
    )


def net_part(color: str, size: PyramidSize) -> Part:
    """Returns the net of one pyramid: its sides meet at the tip, and the flap is at the last side."""
    shape = SHAPES[size]
    slant_mm, edge_mm, side_deg = _measures(size)
    flap_deg = math.degrees(_FLAP_MM / edge_mm)
    start = 270 - 2 * side_deg
    rim = [around((0.0, 0.0), edge_mm, start + k * side_deg) for k in range(5)]
    flap = (
        between((0.0, 0.0), around((0.0, 0.0), edge_mm, start + 4 * side_deg + flap_deg), 0.25),
        between((0.0, 0.0), around((0.0, 0.0), edge_mm, start + 4 * side_deg + flap_deg), 0.92),
    )
    points = [(0.0, 0.0), *rim, *flap]
    low = min(x for x, _ in points), min(y for _, y in points)
    size_mm = max(x for x, _ in points) - low[0], max(y for _, y in points) - low[1]
    ink = PYRAMID_INKS[color]
    mark = against(ink)
    tip = _mixed(ink, mark)

    def draw(pen: Pen) -> None:
        with pen.moved((-low[0], -low[1])):
            for k in range(4):
                middle = start + (k + 0.5) * side_deg
                pen.polygon(((0.0, 0.0), rim[k], rim[k + 1]), fill=ink)
                if size in _TIPS:
                    upper, lower = _TIPS[size]
                    first = [between((0.0, 0.0), rim[k], share) for share in (upper, lower)]
                    second = [between((0.0, 0.0), rim[k + 1], share) for share in (lower, upper)]
                    pen.polygon((*first, *second), fill=tip)
                pen.text(
                    _LETTERS[color],
                    around((0.0, 0.0), slant_mm * 0.55, middle),
                    shape.base_mm * 0.15,
                    ink=mark,
                    turn_deg=middle + 90,
                )
                for pip in range(shape.pips):
                    share = 0.5 + (pip - (shape.pips - 1) / 2) * 0.2
                    foot = between(rim[k], rim[k + 1], share)
                    pen.circle(between(foot, (0.0, 0.0), 2.8 / slant_mm), 1.5, fill=mark)
            for k in range(1, 5):
                pen.line((0.0, 0.0), rim[k], mark if k < 4 else BLACK, 0.2, dashed=True)

    outline: tuple[Point, ...] = tuple((x - low[0], y - low[1]) for x, y in ((0.0, 0.0), *rim, flap[1], flap[0]))
    return Part(f"{color} {size}", size_mm, draw, outline_mm=outline)


def _mixed(ink: Ink, mark: Ink) -> Ink:
    """Returns a shade between both."""
    red, green, blue = (round(0.35 * one + 0.65 * other, 3) for one, other in zip(ink, mark, strict=True))
    return red, green, blue


def _measures(size: PyramidSize) -> tuple[float, float, float]:
    """Returns the length of a side from tip to foot along its middle and along its edge, and its angle at the tip."""
    shape = SHAPES[size]
    slant_mm = math.hypot(shape.height_mm, shape.base_mm / 2)
    edge_mm = math.hypot(slant_mm, shape.base_mm / 2)
    return slant_mm, edge_mm, 2 * math.degrees(math.asin(shape.base_mm / 2 / edge_mm))

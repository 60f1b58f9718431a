"""Pyramids and rocks as scenes, seen from the side: color, letter, pattern and pips, alone or on each other.

No palette distinguishes ten colors for all eyes, so color is never the only sign of a piece. The three primaries have a
pattern each, and a secondary has the two patterns of its primaries, as SPA-3 mixes them. A code is letter and pips:
"R3" is a red large.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, SHAPES, STACK_STEP_MM, Pyramid, Rock
from web.scene.pieces.hatching import Outline, dots, lines
from web.scene.shape import Attributes, Point, Shape, group, label, polygon, shape

LETTERS: Mapping[str, str] = {color: color[0].upper() for color in PYRAMID_COLORS} | {"black": "K", "clear": "T"}
"""The letter of each color: black is K as in print, and clear, which is transparent, is T."""

_LEVEL_MM = 15.0
"""The distance between equal sizes on each other, drawn larger than in reality so that each letter can be read."""


class PyramidPaint(NamedTuple):
    """The way in which a color is drawn."""

    fill: str
    ink: str
    """The color of letter and pips."""
    over: str
    """The color of the pattern's strokes."""
    turns_deg: tuple[float, ...] = ()
    """The directions of the pattern's lines."""
    gap_mm: float = 3.4
    stroke_mm: float = 0.75
    dotted: bool = False
    rim: str = "rim"
    """The class of the outline."""


_RED, _YELLOW, _BLUE = 45.0, 90.0, 0.0

PAINTS: Mapping[str, PyramidPaint] = {
    "red": PyramidPaint("#c8322b", "#fff", "#6d0f0b", (_RED,)),
    "orange": PyramidPaint("#ef8a2c", "#1f0e00", "#8f4300", (_RED, _YELLOW)),
    "yellow": PyramidPaint("#f2c42c", "#221c00", "#9a7400", (_YELLOW,)),
    "green": PyramidPaint("#1c7c48", "#fff", "#9adcb6", (_YELLOW, _BLUE)),
    "cyan": PyramidPaint("#4fc3d9", "#00222a", "#0b5a6b", gap_mm=3.2, stroke_mm=1.3, dotted=True),
    "blue": PyramidPaint("#2460c2", "#fff", "#bcd4ff", (_BLUE,)),
    "purple": PyramidPaint("#7a3fae", "#fff", "#e0c4ff", (_BLUE, _RED)),
    "clear": PyramidPaint("#dfe8ec", "#1d2a30", "#6b8791", (-60.0, 60.0), gap_mm=6.0, stroke_mm=0.5, rim="rim dashed"),
    "black": PyramidPaint("#202226", "#fff", "#202226", rim="rim light"),
    "white": PyramidPaint("#fdfdfa", "#1b1b1b", "#fdfdfa"),
}
"""The paint of each color."""


def code(piece: Pyramid) -> str:
    """Returns the letter and the pips: "R3"."""
    return f"{LETTERS[piece.color]}{SHAPES[piece.size].pips}"


CODES: Mapping[str, Pyramid] = {
    code(piece): piece for piece in (Pyramid(color, size) for color in PYRAMID_COLORS for size in PYRAMID_SIZES)
}
"""The piece of each code."""


def spoken(piece: Pyramid) -> str:
    """Returns a piece in words: "red small"."""
    return f"{piece.color} {piece.size}"


def outline(piece: Pyramid, foot: Point) -> tuple[Point, Point, Point]:
    """Returns the tip, the right and the left corner of a piece; `foot` is the middle of its base."""
    x, y = foot
    base_mm, height_mm, _ = SHAPES[piece.size]
    return (x, y - height_mm), (x + base_mm / 2, y), (x - base_mm / 2, y)


def pattern(paint: PyramidPaint, around: Outline) -> Shape | None:
    """Returns the pattern of a color within an outline; None if the color has none."""
    path = dots(around, paint.gap_mm) if paint.dotted else ""
    path += "".join(lines(around, turn_deg, paint.gap_mm) for turn_deg in paint.turns_deg)
    if not path:
        return None
    strokes: Attributes = {
        "stroke": paint.over,
        "stroke-width": paint.stroke_mm,
        "stroke-linecap": "round",
        "fill": "none",
    }
    return shape("path", {"class": "strokes", "d": path, **strokes})


def pyramid(piece: Pyramid, foot: Point) -> Shape:
    """Returns a piece; `foot` is the middle of its base. The element around it must name it."""
    paint, (x, y), around = PAINTS[piece.color], foot, outline(piece, foot)
    size = 7.6 if piece.size == "small" else 8.8
    middle = (x, y - (8.6 if piece.size == "small" else 9.6))
    return group(
        "pyramid",
        polygon(around, "side", fill=paint.fill),
        pattern(paint, around),
        shape("circle", {"class": "seat", "cx": x, "cy": middle[1], "r": size * 0.56, "fill": paint.fill}),
        _pips(piece, foot, paint),
        polygon(around, paint.rim),
        label(LETTERS[piece.color], middle, "letter", size, fill=paint.ink),
        aria_hidden="true",
    )


def _pips(piece: Pyramid, foot: Point, paint: PyramidPaint) -> Shape:
    """Returns one dot per pip on a bar of plain color, as on the real pieces."""
    x, y = foot
    count = SHAPES[piece.size].pips
    gap = 3.6
    bar = gap * (count - 1) + 3.8
    parts = [shape("rect", {"x": x - bar / 2, "y": y - 4.3, "width": bar, "height": 3.6, "fill": paint.fill})]
    for number in range(count):
        at = x + gap * (number - (count - 1) / 2)
        parts.append(shape("circle", {"class": "pip", "cx": at, "cy": y - 2.5, "r": 1.15, "fill": paint.ink}))
    return group("pips", *parts)


def feet(pieces: Sequence[Pyramid]) -> Iterator[float]:
    """Yields the height above the table at which the base of each piece of a stack is drawn, from the bottom up."""
    height = 0.0
    for i, piece in enumerate(pieces):
        if i:
            below = pieces[i - 1]
            true = SHAPES[below.size].height_mm + STACK_STEP_MM - SHAPES[piece.size].height_mm
            height += max(_LEVEL_MM, true)
        yield height


def stack_height(pieces: Sequence[Pyramid]) -> float:
    """Returns the drawn height of a stack."""
    tops = [foot + SHAPES[piece.size].height_mm for foot, piece in zip(feet(pieces), pieces, strict=True)]
    return max(tops, default=0.0)


def stack(pieces: Sequence[Pyramid], foot: Point, *, ghost: Pyramid | None = None) -> Shape:
    """Returns pieces on each other, bottom to top; `ghost` is shown on top, on trial only."""
    whole = (*pieces, ghost) if ghost is not None else tuple(pieces)
    drawn = [pyramid(piece, (foot[0], foot[1] - high)) for piece, high in zip(whole, feet(whole), strict=True)]
    if ghost is not None:
        drawn[-1] = group("ghost", drawn[-1])
    return group("stack", *drawn, aria_hidden="true")


def single(pieces: Sequence[Pyramid]) -> Shape:
    """Returns a piece or a stack alone, for a list, all at one scale. The element around it must name it."""
    height = max(SHAPES["large"].height_mm, stack_height(pieces)) + 3
    frame = f"-15 {-height + 1.5:.2f} 30 {height:.2f}"
    known = {"class": "single pyramid-single", "viewBox": frame, "aria-hidden": "true", "focusable": "false"}
    return shape("svg", known, stack(pieces, (0.0, 0.0)))


_CORNERS = ((-9.5, -3.0), (-5.0, -8.5), (3.5, -9.0), (9.3, -3.8), (8.6, 4.6), (2.0, 9.0), (-6.4, 7.4), (-10.0, 2.2))


def rock(piece: Rock, at: Point) -> Shape:
    """Returns a rock around `at`, 20 mm wide."""
    paint = PAINTS[piece.color]
    around: Outline = [(at[0] + x, at[1] + y) for x, y in _CORNERS]
    return group(
        "rock",
        polygon(around, "side", fill=paint.fill),
        pattern(paint, around),
        shape("circle", {"class": "seat", "cx": at[0], "cy": at[1], "r": 5.4, "fill": paint.fill}),
        polygon(around, paint.rim),
        label(LETTERS[piece.color], at, "letter", 9, fill=paint.ink),
        aria_hidden="true",
    )


def single_rock(piece: Rock) -> Shape:
    """Returns a rock alone, for a list. The element around it must name it."""
    known = {"class": "single rock-single", "viewBox": "-12 -12 24 24", "aria-hidden": "true", "focusable": "false"}
    return shape("svg", known, rock(piece, (0.0, 0.0)))

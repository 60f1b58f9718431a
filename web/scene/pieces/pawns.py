"""Pawns on a board: the color's letter and pattern within the sign of the player, with a light rim around it.

The rim separates a pawn from a path of its own color.
"""

from __future__ import annotations

from math import cos, pi, sin

from companion.core.pieces import Pawn
from web.scene.pieces.dice import LETTERS
from web.scene.pieces.hatching import lines
from web.scene.pieces.pyramids import PAINTS
from web.scene.shape import Attributes, Point, Shape, group, label, measure, shape
from web.scene.signs import SIGN_PATHS

_INSIDE = {"circle": 0.86, "square": 0.86, "triangle": 0.66, "diamond": 0.72, "pentagon": 0.82, "cross": 0.52}
"""The share of a sign's half width that a round pattern may fill."""


def board_pawn(one: Pawn, sign: str, at: Point, size: float) -> Shape:
    """Returns a pawn seen from above.

    Args:
        sign: The name of the shape of the player's sign.
        size: The width of the pawn.
    """
    paint = PAINTS[one.color]
    x, y = at
    half = size / 2
    body: Attributes = {
        "d": SIGN_PATHS[sign],
        "transform": f"translate({measure(x)} {measure(y)}) scale({measure(half)})",
    }
    low = 0.16 * half if sign == "triangle" else 0.0
    reach = half * _INSIDE.get(sign, 0.6)
    around = tuple((x + reach * cos(pi * i / 8), y + low + reach * sin(pi * i / 8)) for i in range(16))
    strokes = "".join(lines(around, turn, size * 0.19) for turn in paint.turns_deg)
    pattern: Attributes = {"class": "strokes", "d": strokes, "stroke": paint.over, "stroke-width": size * 0.055}
    ground: Attributes = {"class": "seat", "cx": x, "cy": y + low, "r": half * 0.56, "fill": paint.fill}
    return group(
        "pawn",
        shape("path", {"class": "pawn-halo", **body}),
        shape("path", {"class": "pawn-body", **body, "fill": paint.fill}),
        shape("path", pattern) if strokes else None,
        shape("path", {"class": "pawn-rim", **body}),
        shape("circle", ground),
        label(LETTERS[one.color], (x, y + low), "letter", size * 0.6, fill=paint.ink),
        aria_hidden="true",
    )


def single_board_pawn(one: Pawn, sign: str) -> Shape:
    """Returns a pawn alone, for a list or a button."""
    known = {
        "class": "single pawn-single",
        "viewBox": "-7.4 -7.4 14.8 14.8",
        "aria-hidden": "true",
        "focusable": "false",
    }
    return shape("svg", known, board_pawn(one, sign, (0.0, 0.0), 11.6))

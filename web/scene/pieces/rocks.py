"""Rocks as scenes: round, with the letter and the color of the pyramids for which they stand."""

from __future__ import annotations

from companion.core.pieces import Rock
from web.scene.pieces.hatching import Outline
from web.scene.pieces.pyramids import LETTERS, PAINTS, pattern
from web.scene.shape import Point, Shape, group, label, polygon, shape

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


def single(piece: Rock) -> Shape:
    """Returns a rock alone, for a list. The element around it must name it."""
    known = {"class": "single rock-single", "viewBox": "-12 -12 24 24", "aria-hidden": "true", "focusable": "false"}
    return shape("svg", known, rock(piece, (0.0, 0.0)))

"""Printed stones, counters, paper pawns and score tracks."""

from __future__ import annotations

import math
from collections.abc import Callable

from companion.app.printing.pen import BLACK, WHITE, Pen, against, around, between
from companion.app.printing.pyramid_nets import PYRAMID_INKS
from companion.app.printing.sheets import Part, Run
from companion.app.printing.wheel import INKS, letters
from companion.core.pieces import PRIMARIES
from companion.core.plan import Point

STONE_MM = 40.0
"""The diameter of a stone; it is white. The reader of pyramids takes smaller or colored discs for pyramids."""
_STONES = {"red": "R", "orange": "O", "yellow": "Y", "green": "G", "cyan": "C", "blue": "B", "purple": "P"}
_SHAPES = ("circle", "triangle", "square", "ring", "cross", "bars", "diamond")
"""A sign for each color, in the order of the rainbow (ICE-1)."""
PAWN_BASE_MM, PAWN_HEIGHT_MM = 12.0, 22.0
_FLAP_DEG = 14.0
_FIELD_MM = 14.0


def stone_run(each: int) -> Run:
    """Returns stones for drawing from a bag, `each` of every color (ICE-2); their backs are alike."""
    parts = tuple(stone_part(color) for color in _STONES for _ in range(each))
    return Run("Glue on card, cut out the stones, and put them into a bag.", parts, 2.0)


def stone_part(color: str) -> Part:
    """Returns one stone."""
    ink = PYRAMID_INKS[color]
    middle = (STONE_MM / 2, STONE_MM / 2)
    rim = tuple(around(middle, STONE_MM / 2, 7.5 * k) for k in range(48))

    def draw(pen: Pen) -> None:
        pen.text(_STONES[color], (middle[0], middle[1] - 4.0), 14.0)
        _sign(pen, _SHAPES[list(_STONES).index(color)], (middle[0], middle[1] + 10.0), ink, 2.0)

    return Part(f"stone {color}", (STONE_MM, STONE_MM), draw, outline_mm=rim)


def _sign(pen: Pen, shape: str, at: Point, ink: tuple[float, float, float], scale: float = 1.0) -> None:
    """Draws a sign of some 3 mm; a scale makes it larger."""
    x, y = at
    match shape:
        case "circle":
            pen.circle(at, 1.6 * scale, fill=ink)
        case "ring":
            pen.circle(at, 1.5 * scale, line=ink, width_mm=0.5 * scale)
        case "triangle":
            pen.polygon([around(at, 1.9 * scale, 90 + 120 * k) for k in range(3)], fill=ink)
        case "square":
            pen.rectangle((x - 1.4 * scale, y - 1.4 * scale), (2.8 * scale, 2.8 * scale), fill=ink)
        case "diamond":
            pen.polygon([around(at, 1.9 * scale, 90 * k) for k in range(4)], fill=ink)
        case "cross":
            pen.line((x - 1.6 * scale, y), (x + 1.6 * scale, y), ink, 0.7 * scale)
            pen.line((x, y - 1.6 * scale), (x, y + 1.6 * scale), ink, 0.7 * scale)
        case _:
            for k in (-scale, 0, scale):
                pen.line((x - 1.6 * scale, y + k), (x + 1.6 * scale, y + k), ink, 0.4 * scale)


def pawn_run(each: int) -> Run:
    """Returns pawns as paper cones, `each` of every color (BRD-5)."""
    parts = tuple(pawn_part(color) for color in PRIMARIES for _ in range(each))
    return Run("Cut out, roll each piece into a cone, and glue the white flap under its edge.", parts, 2.0)


def pawn_part(color: str) -> Part:
    """Returns a sector of a circle that becomes a cone of a pawn's size."""
    reach = math.hypot(PAWN_HEIGHT_MM, PAWN_BASE_MM / 2)
    turn = 360 * PAWN_BASE_MM / 2 / reach
    start = 270 - turn / 2
    rim = [around((0.0, 0.0), reach, start + turn * k / 24) for k in range(25)]
    flap = [between((0.0, 0.0), around((0.0, 0.0), reach, start + turn + _FLAP_DEG), share) for share in (0.95, 0.3)]
    points = [(0.0, 0.0), *rim, *flap]
    low = min(x for x, _ in points), min(y for _, y in points)
    size = max(x for x, _ in points) - low[0], max(y for _, y in points) - low[1]
    ink = INKS[color]

    def draw(pen: Pen) -> None:
        with pen.moved((-low[0], -low[1])):
            pen.polygon([(0.0, 0.0), *rim], fill=ink)
            for k in range(4):
                pen.text(
                    letters(color),
                    around((0.0, 0.0), reach - 3.0, start + turn * (k + 0.5) / 4),
                    2.4,
                    ink=against(ink),
                    turn_deg=start + turn * (k + 0.5) / 4 + 90,
                )

    outline = tuple((x - low[0], y - low[1]) for x, y in points)
    return Part(f"pawn {color}", size, draw, outline_mm=outline)


def track_run(highest: int, counters: int) -> Run:
    """Returns a score track from 0 up, and counters for it."""
    size, draw = _track(highest)
    track = Part(f"track {highest}", size, draw)
    parts = tuple(_counter(number) for number in range(counters))
    return Run(
        "Glue on card, cut out the track and its counters: one stays on the last score, one goes on.",
        (track, *parts),
        2.0,
    )


def _track(highest: int) -> tuple[Point, Callable[[Pen], None]]:
    columns = 12
    rows = math.ceil((highest + 1) / columns)
    size = columns * _FIELD_MM, rows * _FIELD_MM

    def draw(pen: Pen) -> None:
        for score in range(highest + 1):
            row, place = divmod(score, columns)
            column = place if row % 2 == 0 else columns - 1 - place
            at = column * _FIELD_MM, row * _FIELD_MM
            tens = score % 10 == 0
            pen.rectangle(
                at, (_FIELD_MM, _FIELD_MM), fill=(0.82, 0.82, 0.82) if tens else WHITE, line=BLACK, width_mm=0.2
            )
            middle = at[0] + _FIELD_MM / 2, at[1] + _FIELD_MM / 2
            pen.text(str(score), middle, 4.0 if tens else 3.2)

    return size, draw


def _counter(number: int) -> Part:
    shape = number % len(_SHAPES)
    middle = (6.0, 6.0)

    def draw(pen: Pen) -> None:
        ink = list(PYRAMID_INKS.values())[shape]
        pen.circle(middle, 6.0, fill=ink)
        pen.text(str(shape + 1), (6.0, 4.4), 3.6, ink=against(ink))
        _sign(pen, _SHAPES[shape], (6.0, 9.0), against(ink))

    return Part(
        f"counter {shape + 1}", (12.0, 12.0), draw, outline_mm=tuple(around(middle, 6.0, 10 * k) for k in range(36))
    )

"""Boards of colored square cells with files and ranks, and the figures on them.

A cell shows its color as a tint, a letter and a pattern, so color is never its only sign. A figure is the pyramid that
names it, on a base with its owner's sign and its rank; beside it is the health, which a camera cannot see in a stack.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from companion.core.layout import Spot
from companion.core.pieces import Pyramid
from web.scene.marks import Marks
from web.scene.pieces.hatching import lines
from web.scene.pieces.pyramids import LETTERS, PAINTS, pyramid, spoken
from web.scene.shape import Attributes, BoardFrame, Point, Shape, group, label, measure, polygon, shape
from web.scene.signs import Sign, sign_shape

WIDE_MM = 42.0
HIGH_MM = 48.0
_LEFT_MM = 10.0
_FOOT_MM = 10.0
_BASE_MM = 8.4
_SCALE = 0.82
"""The factor by which figures are drawn smaller than pyramids, so that there is room for health beside them."""
_TINT = 0.74
"""The share of white that is mixed into a cell's color, so that figures of the same color stand out."""
_POINTED = ("legal", "last", "refused", "about", "changed")
_SAID = {
    "legal": "allowed here",
    "last": "last move",
    "refused": "not allowed",
    "about": "in question",
    "changed": "would change",
}


class BoardPiece(Struct, frozen=True):
    """A piece of one player."""

    pyramid: Pyramid
    """The pyramid that names the piece."""
    rank: str
    """A short label: "Wiz"."""
    sign: Sign
    """The sign of the owner."""
    is_dark: bool
    """True if the owner's base is black."""
    health: int
    spells: int | None
    """The number of spells; None for a figure that never has any."""
    words: str
    """The description for screen readers."""


class Square(Struct, frozen=True):
    """One cell."""

    spot: Spot
    column: int
    """The column, from 0 at the left."""
    row: int
    """The row, from 0 at the top."""
    color: str | None
    """The cell's color, a color of pyramids; None: a plain cell."""
    words: str
    """The color in words."""
    figure: BoardPiece | None = None
    piece: Pyramid | None = None
    """The pyramid on the cell, if it is not a figure."""


def board(squares: Sequence[Square], files: str, ranks: Sequence[str], marks: Marks, frame: BoardFrame) -> Shape:
    """Returns the cells at their columns and rows; there may be holes.

    Args:
        files: The letters below the columns.
        ranks: The names beside the rows, from the top.
    """
    width, height = _LEFT_MM + WIDE_MM * len(files), HIGH_MM * len(ranks) + _FOOT_MM
    edge = [label(one, (_LEFT_MM / 2 - 1, (i + 0.5) * HIGH_MM), "coordinate", 8) for i, one in enumerate(ranks)]
    edge += [
        label(one, (_LEFT_MM + (i + 0.5) * WIDE_MM, height - _FOOT_MM / 2 + 1), "coordinate", 8)
        for i, one in enumerate(files)
    ]
    rows: dict[int, list[Square]] = {}
    for square in squares:
        rows.setdefault(square.row, []).append(square)
    drawn = []
    for number in sorted(rows):
        row = sorted(rows[number], key=lambda one: one.column)
        cells = [_cell(square, marks, frame.name, frame.live) for square in row]
        drawn.append(shape("g", {"role": "row" if frame.live else None, "class": "row"}, *cells))
    names = group("coordinates", *edge, aria_hidden="true")
    return frame.around("squares-board", (-1, -1, width + 2, height + 2), names, *drawn)


def tint(color: str) -> str:
    """Returns a color's paint mixed with white: "#f1c9c7"."""
    paint = PAINTS[color].fill.lstrip("#")
    parts = [int(paint[at : at + 2], 16) for at in (0, 2, 4)]
    return "#" + "".join(f"{round(part + (255 - part) * _TINT):02x}" for part in parts)


def _cell(square: Square, marks: Marks, name: str, live: bool) -> Shape:
    x, y = _LEFT_MM + square.column * WIDE_MM, square.row * HIGH_MM
    foot = (x + WIDE_MM / 2, y + HIGH_MM - 2.0)
    figure, piece = square.figure, square.piece
    ghost = marks.ghosts.get(square.spot)
    pointed = [kind for kind in _POINTED if square.spot in getattr(marks, kind)]
    parts: list[Shape | None] = [*_ground(square.color, x, y)]
    if figure is not None:
        parts += _standing(figure, foot)
    if piece is not None:
        parts.append(_scaled(piece, (foot[0], foot[1] - _BASE_MM)))
    if isinstance(ghost, Pyramid):
        parts.append(group("ghost", _scaled(ghost, (foot[0], foot[1] - _BASE_MM))))
    parts += _signs(pointed, x, y)
    box: Attributes = {
        "x": x + 1.6,
        "y": y + 1.6,
        "width": WIDE_MM - 3.2,
        "height": HIGH_MM - 3.2,
        "aria-hidden": "true",
    }
    parts.append(shape("rect", {"class": "focus", **box}))
    classes = " ".join(["cell", "filled" if figure or piece else "empty", *pointed])
    if not live:
        return group(classes, *parts)
    stands = figure.words if figure else spoken(piece) if piece else "empty"
    words = [word for word in (square.spot, square.words, stands) if word] + [_SAID[kind] for kind in pointed]
    known: Attributes = {
        "id": f"{name}-{square.spot}",
        "class": classes,
        "role": "gridcell",
        "tabindex": "-1",
        "aria-label": ", ".join(words),
        "data-spot": square.spot,
        "data-x": x + WIDE_MM / 2,
        "data-y": y + HIGH_MM / 2,
    }
    return shape("g", known, *parts)


def _ground(color: str | None, x: float, y: float) -> list[Shape]:
    """Returns the cell itself: tint, pattern, letter."""
    left, top, right, foot = x + 0.4, y + 0.4, x + WIDE_MM - 0.4, y + HIGH_MM - 0.4
    around = ((left, top), (right, top), (right, foot), (left, foot))
    if color is None:
        return [polygon(around, "tinted", fill=tint("white"))]
    paint = PAINTS[color]
    parts = [polygon(around, "tinted", fill=tint(color))]
    pattern = "".join(lines(around, turn_deg, 2.4 * paint.gap_mm) for turn_deg in paint.turns_deg)
    if pattern:
        parts.append(
            shape("path", {"class": "weave", "d": pattern, "stroke": paint.fill, "stroke-width": 0.5, "fill": "none"})
        )
    at = (x + 6.4, y + 7.0)
    parts.append(shape("circle", {"class": "letter-ground", "cx": at[0], "cy": at[1], "r": 4.7, "fill": tint(color)}))
    parts.append(label(LETTERS[color], at, "cell-letter", 7.6, aria_hidden="true"))
    return parts


def _scaled(piece: Pyramid, foot: Point) -> Shape:
    move = f"translate({measure(foot[0])} {measure(foot[1])}) scale({measure(_SCALE)})"
    return shape("g", {"transform": move}, pyramid(piece, (0.0, 0.0)))


def _standing(figure: BoardPiece, foot: Point) -> list[Shape | None]:
    """Returns the figure on its base, with health on its right and spells on its left."""
    x, y = foot
    half, top = (16.0 if figure.pyramid.size == "large" else 14.0), y - _BASE_MM
    rim = ((x - half + 2, top), (x + half - 2, top), (x + half, y), (x - half, y))
    kind = "dark" if figure.is_dark else "light"
    base = group(
        f"figure-base {kind}",
        polygon(rim, "base-ground"),
        sign_shape(figure.sign, x - half + 6, y - _BASE_MM / 2, 2.5),
        label(figure.rank, (x + 3.2, y - _BASE_MM / 2), "rank", 7.4),
        aria_hidden="true",
    )
    health = (x + 13.6, y - HIGH_MM + 11.0)
    parts: list[Shape | None] = [base, _scaled(figure.pyramid, (x, top))]
    parts.append(
        group(
            "health" if figure.health else "health none",
            shape("circle", {"class": "badge", "cx": health[0], "cy": health[1], "r": 5.4}),
            label(str(figure.health), health, "badge-text", 8.4),
            aria_hidden="true",
        )
    )
    if figure.spells is not None:
        at = (x - 14.2, y - 19.0)
        parts.append(
            group(
                "spells",
                shape("rect", {"class": "badge", "x": at[0] - 5.2, "y": at[1] - 4.8, "width": 10.4, "height": 9.6}),
                label(f"*{figure.spells}", at, "badge-text", 7.4),
                aria_hidden="true",
            )
        )
    return parts


def _box(x: float, y: float, inset: float) -> Mapping[str, float]:
    """Returns a frame within a cell."""
    return {"x": x + inset, "y": y + inset, "width": WIDE_MM - 2 * inset, "height": HIGH_MM - 2 * inset}


def _signs(pointed: Sequence[str], x: float, y: float) -> list[Shape]:
    parts = [
        shape("rect", {"class": f"pointed {kind}-sign", **_box(x, y, 3.6), "aria-hidden": "true"}) for kind in pointed
    ]
    if "refused" in pointed:
        arm, at = 3.4, (x + WIDE_MM - 8.0, y + HIGH_MM - 16.0)
        cross = f"M{measure(at[0] - arm)} {measure(at[1] - arm)}l{2 * arm} {2 * arm}m0 {-2 * arm}l{-2 * arm} {2 * arm}"
        parts.append(
            shape("circle", {"class": "cross-ground", "cx": at[0], "cy": at[1], "r": 5.8, "aria-hidden": "true"})
        )
        parts.append(shape("path", {"class": "cross", "d": cross, "aria-hidden": "true"}))
    return parts

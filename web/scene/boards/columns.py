"""The twelve colors of the Spectrum board as columns: the center at the bottom, the rim and the exit at the top.

A column is one element with an id and a name, because a move chooses a color and not a space. Marks name single spaces
("red.9"), or a column ("red") for pawns that leave the board.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from companion.core.layout import Spot
from companion.core.pieces import Pawn
from web.scene.marks import Marks
from web.scene.pieces.dice import LETTERS, letters, painted
from web.scene.pieces.pawns import board_pawn
from web.scene.shape import Attributes, BoardFrame, Point, Shape, group, label, measure, polygon, shape

WIDE_MM = 23.0
HIGH_MM = 18.5
SPACES = 9
_LEFT_MM = 15.0
"""The width for the numbers of positions, and for the word for the exit in any language."""
_OUT_MM = 18.0
_FOOT_MM = 19.0
_PAWN_MM = 13.5
_POINTED = ("legal", "last", "refused", "about", "changed")
_SAID = {"last": "last move", "refused": "not allowed", "about": "in question", "changed": "would change"}


class PlacedPawn(Struct, frozen=True):
    """A pawn on a space."""

    spot: Spot
    position: int
    pawn: Pawn
    sign: str
    """The shape of the player's sign."""
    owner: str
    """The player's name."""


class Open(Struct, frozen=True):
    """The position to which the player on turn may go in a color."""

    position: int
    """The position; 10 is off the board."""
    note: str
    """A short text: the dice that lead there."""
    words: str


class Column(Struct, frozen=True):
    """The column of one color."""

    color: str
    spots: tuple[Spot, ...]
    """The spots by position, from 1."""
    standing: tuple[PlacedPawn, ...] = ()
    open: Open | None = None


def board(columns: Sequence[Column], marks: Marks, frame: BoardFrame) -> Shape:
    """Returns the twelve columns side by side."""
    width = _LEFT_MM + WIDE_MM * len(columns)
    height = _OUT_MM + SPACES * HIGH_MM + _FOOT_MM
    heads = [label(str(n), (_LEFT_MM / 2, _middle(n)), "position", 6.4) for n in range(1, SPACES + 1)]
    out: Attributes = {"class": "position", "x": 0, "y": _OUT_MM / 2 + 2.2, "font-size": 6.4}
    drawn = [_column(column, marks, f"{frame.name}-{column.color}", i, frame.live) for i, column in enumerate(columns)]
    row: Attributes = {"class": "row", "role": "row" if frame.live else None}
    scale = group("positions", *heads, shape("text", out, "out"), aria_hidden="true")
    return frame.around("columns-board", (-1, -1, width + 2, height + 2), scale, shape("g", row, *drawn))


def _middle(position: int) -> float:
    """Returns the y coordinate of the middle of a position; off the board is above all others."""
    return _OUT_MM / 2 if position > SPACES else _OUT_MM + (SPACES - position + 0.5) * HIGH_MM


def _column(column: Column, marks: Marks, place: str, number: int, live: bool) -> Shape:
    x = _LEFT_MM + number * WIDE_MM
    middle = x + WIDE_MM / 2
    ground: Attributes = {"class": "ground", "x": x + 0.6, "y": _OUT_MM, "width": WIDE_MM - 1.2}
    parts: list[Shape | None] = [
        shape("rect", {**ground, "class": "way-out", "y": 0.6, "height": _OUT_MM - 1.2}),
        shape("rect", {**ground, "height": SPACES * HIGH_MM}),
    ]
    steps = "".join(
        f"M{measure(x + 0.6)} {measure(_OUT_MM + i * HIGH_MM)}h{measure(WIDE_MM - 1.2)}" for i in range(1, SPACES)
    )
    parts.append(shape("path", {"class": "steps", "d": steps}))
    parts.append(_swatch(column.color, middle))
    held = set(marks.ghosts)
    for one in column.standing:
        if one.spot not in held:
            parts.append(board_pawn(one.pawn, one.sign, (middle, _middle(one.position)), _PAWN_MM))
    if column.open is not None:
        parts.append(_open(column.open, (middle, _middle(column.open.position))))
    parts += _marked(column, marks, x)
    box: Attributes = {
        "x": x + 0.6,
        "y": 0.6,
        "width": WIDE_MM - 1.2,
        "height": _OUT_MM + SPACES * HIGH_MM + _FOOT_MM - 1.2,
    }
    parts.append(shape("rect", {"class": "focus", **box, "aria-hidden": "true"}))
    kinds = ["cell", "column", "fits" if column.open else ""]
    classes = " ".join(kind for kind in kinds if kind)
    if not live:
        return group(classes, *parts)
    known: Attributes = {
        "id": place,
        "class": classes,
        "role": "gridcell",
        "tabindex": "-1",
        "aria-label": _words(column, marks),
        "data-spot": column.color,
        "data-x": middle,
        "data-y": _OUT_MM + SPACES * HIGH_MM / 2,
    }
    return shape("g", known, *parts)


def _swatch(color: str, middle: float) -> Shape:
    """Returns the color itself, drawn at the center of the board."""
    top = _OUT_MM + SPACES * HIGH_MM + 1.0
    left, right, foot = middle - WIDE_MM / 2 + 0.6, middle + WIDE_MM / 2 - 0.6, top + _FOOT_MM - 2.4
    around = ((left, top), (right, top), (right, foot), (left, foot))
    middle_at = (middle, (top + foot) / 2)
    return group("swatch", *painted(color, around, middle), polygon(around, "rim"), *letters(color, middle_at, 8.6))


def _open(one: Open, at: Point) -> Shape:
    ring: Attributes = {"class": "open-ring", "cx": at[0], "cy": at[1], "r": 7.2}
    return group("open", shape("circle", ring), label(one.note, at, "open-note", 7), aria_hidden="true")


def _marked(column: Column, marks: Marks, x: float) -> list[Shape]:
    """Returns the signs on spaces, and the trial contents of spaces."""
    parts: list[Shape] = []
    middle = x + WIDE_MM / 2
    signs = {one.pawn: one for one in column.standing}
    for position, spot in enumerate((column.color, *column.spots)):
        at = (middle, _middle(position or SPACES + 1))
        ghost = marks.ghosts.get(spot)
        if isinstance(ghost, Pawn):
            known = signs.get(ghost)
            sign = known.sign if known else "circle"
            parts.append(group("ghost", board_pawn(ghost, sign, at, _PAWN_MM)))
        kinds = [kind for kind in _POINTED if spot in getattr(marks, kind)]
        top = at[1] - HIGH_MM / 2 + 0.8
        box: Attributes = {"x": x + 1.4, "y": top, "width": WIDE_MM - 2.8, "height": HIGH_MM - 1.6}
        parts += [shape("rect", {"class": f"pointed {kind}-sign", **box, "aria-hidden": "true"}) for kind in kinds]
        if "refused" in kinds:
            cross = f"M{measure(x + 3)} {measure(top + 2)}l4 4m0-4l-4 4"
            parts.append(shape("path", {"class": "cross", "d": cross, "aria-hidden": "true"}))
    return parts


def _words(column: Column, marks: Marks) -> str:
    """Returns a column in words: the pawns on each space, the leader first, and the possible moves of the player on
    turn.
    """
    standing = sorted(column.standing, key=lambda one: -one.position)
    parts = [f"{column.color}, {LETTERS[column.color]}"]
    parts.append(", ".join(f"{one.owner} on {one.position}" for one in standing) or "empty")
    if column.open is not None:
        parts.append(column.open.words)
    for kind, words in _SAID.items():
        if any(spot in getattr(marks, kind) for spot in (column.color, *column.spots)):
            parts.append(words)
    return ", ".join(parts)

"""Nine dice in a row, and the score sheets of Roll & Color, all players side by side.

Every die and every row is one element with an id and a name. A row shows what each player entered and, in the column of
the player on turn, the points that the roll would bring now.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from companion.core.layout import Spot
from companion.core.pieces import WHEEL, Die
from web.scene.marks import Marks
from web.scene.pieces.dice import die, in_hand, painted
from web.scene.shape import Attributes, BoardFrame, Point, Shape, group, label, polygon, shape
from web.scene.signs import Sign, sign_shape

WIDTH_MM = 272.0
_DIE_MM, _PITCH_MM, _GROUP_MM = 25.0, 29.4, 7.4
_ROW_MM = 13.4
_HEAD_MM = 15.0
_NAME_MM = 68.0
_SIDE_BY_SIDE = 3
"""The number of players above which the two halves of the sheet are placed one below the other."""
_POINTED = ("last", "refused", "about", "changed")
_SAID = {"last": "last move", "refused": "not allowed", "about": "in question", "changed": "would change"}


class DicePlace(Struct, frozen=True):
    """One of the nine dice."""

    spot: Spot
    number: int
    kind: str
    die: Die | None
    """The die; None: it is not rolled yet."""
    taken_up: bool
    """True if the die is in a hand to be rolled."""
    words: str


class SheetLine(Struct, frozen=True):
    """One row of the sheet."""

    spot: Spot
    name: str
    """The name of the row; if it is a color of the wheel, the color is drawn, too."""
    entered: tuple[str, ...]
    """The points by seat; an empty text if nothing was entered."""
    offer: str = ""
    """The points that the roll would bring the player on turn."""
    best: bool = False
    """True if no other row would bring more points."""
    words: str = ""


class SheetPart(Struct, frozen=True):
    """The rows under one title."""

    title: str
    lines: tuple[SheetLine, ...]


class SheetPlayer(Struct, frozen=True):
    """One column of the sheet."""

    sign: Sign
    total: str


def board(
    dice: Sequence[DicePlace],
    parts: Sequence[SheetPart],
    players: Sequence[SheetPlayer],
    turn: int | None,
    marks: Marks,
    frame: BoardFrame,
) -> Shape:
    """Returns the dice above the sheets.

    Args:
        parts: The sections of the sheet; the first half of them is on the left, or above.
        turn: The seat whose column shows what the roll would bring.
    """
    drawn: list[Shape] = [_dice(dice, marks, frame.name, frame.live)]
    half = (len(parts) + 1) // 2
    beside = len(players) <= _SIDE_BY_SIDE
    top = _DIE_MM + 14.0
    wide = (WIDTH_MM - 6.0) / 2 if beside else WIDTH_MM
    left, foot = 0.0, top
    for number, block in enumerate((parts[:half], parts[half:])):
        if number and beside:
            left = wide + 6.0
        elif number:
            top = foot + 4.0
        about = f"{frame.name}-{number}"
        pieces, below = _block(block, players, turn, marks, (left, top), wide, about, frame.live, bool(number))
        drawn += pieces
        foot = max(foot, below)
    return frame.around("sheet-board", (-1, -1, WIDTH_MM + 2, foot + 2), *drawn)


def _dice(dice: Sequence[DicePlace], marks: Marks, name: str, live: bool) -> Shape:
    parts = []
    x = _PITCH_MM / 2 - 2
    for number, one in enumerate(dice):
        if number and one.kind != dice[number - 1].kind:
            x += _GROUP_MM
        parts.append(_die(one, marks, name, (x, _DIE_MM / 2 + 1), live))
        x += _PITCH_MM
    row: Attributes = {"class": "row", "role": "row" if live else None, "aria-label": "Dice" if live else None}
    return shape("g", row, *parts)


def _die(one: DicePlace, marks: Marks, name: str, at: Point, live: bool) -> Shape:
    drawn = in_hand(one.kind, at, _DIE_MM) if one.die is None or one.taken_up else die(one.die, at, _DIE_MM)
    box: Attributes = {"x": at[0] - _PITCH_MM / 2 + 0.8, "y": at[1] - _DIE_MM / 2 - 1.2, "width": _PITCH_MM - 1.6}
    tall: Attributes = {**box, "height": _DIE_MM + 10.4, "aria-hidden": "true"}
    number = label(str(one.number), (at[0], at[1] + _DIE_MM / 2 + 5), "die-number", 7.4)
    parts = [shape("rect", {"class": "ground", **tall}), drawn, number, *_signs(one.spot, marks, tall)]
    return _element("cell die-cell", one.spot, one.words, at, f"{name}-{one.spot}", marks, live, tall, parts)


def _block(
    parts: Sequence[SheetPart],
    players: Sequence[SheetPlayer],
    turn: int | None,
    marks: Marks,
    corner: Point,
    wide: float,
    name: str,
    live: bool,
    totals: bool,
) -> tuple[list[Shape], float]:
    """Returns sections below each other with one column for each player, and their height; the second block ends with
    the totals.
    """
    left, y = corner
    column = min(24.0, (wide - _NAME_MM) / len(players))
    centers = [left + _NAME_MM + column * (seat + 0.5) for seat in range(len(players))]
    drawn = []
    for part in parts:
        head: Attributes = {"class": "part-title", "x": left + 1, "y": y + 10.4, "font-size": 7.6}
        signs = [sign_shape(player.sign, center, y + 8, 3.6) for player, center in zip(players, centers, strict=True)]
        drawn.append(group("part-head", shape("text", head, part.title), *signs, aria_hidden="true"))
        y += _HEAD_MM
        for line in part.lines:
            drawn.append(_line(line, turn, centers, column, (left, y), wide, name, marks, live))
            y += _ROW_MM
    if totals:
        y += 2.0
        words: Attributes = {"class": "total-name", "x": left + 1, "y": y + 9.2, "font-size": 7.6}
        sums = [label(one.total, (x, y + 6.4), "total", 8.4) for one, x in zip(players, centers, strict=True)]
        drawn.append(group("totals-line", shape("text", words, "total"), *sums, aria_hidden="true"))
        y += _ROW_MM
    return drawn, y


def _line(
    line: SheetLine,
    turn: int | None,
    centers: Sequence[float],
    column: float,
    corner: Point,
    wide: float,
    name: str,
    marks: Marks,
    live: bool,
) -> Shape:
    left, y = corner
    box: Attributes = {"x": left, "y": y + 0.4, "width": wide, "height": _ROW_MM - 0.8, "aria-hidden": "true"}
    parts: list[Shape] = [shape("rect", {"class": "ground", **box})]
    if line.name in WHEEL:
        around = ((left + 1.4, y + 2), (left + 10.8, y + 2), (left + 10.8, y + 11.4), (left + 1.4, y + 11.4))
        parts += [*painted(line.name, around, left + 6.1), polygon(around, "swatch-rim")]
    known: Attributes = {"class": "row-name", "x": left + (13.2 if line.name in WHEEL else 2), "y": y + 9.2}
    parts.append(shape("text", {**known, "font-size": 7}, line.name))
    for seat, (points, x) in enumerate(zip(line.entered, centers, strict=True)):
        at = (x, y + _ROW_MM / 2)
        if points:
            parts.append(label(points, at, "points-entered" if points != "0" else "points-entered none", 7.8))
        elif seat == turn and line.offer:
            high, width = _ROW_MM - 3.2, min(column - 2, 17.0)
            ring: Attributes = {"class": "offer-ground", "x": x - width / 2, "y": at[1] - high / 2}
            ground = shape("rect", {**ring, "width": width, "height": high})
            kind = "offer best" if line.best else "offer"
            parts.append(group(kind, ground, label(line.offer, at, "offer-points", 7)))
    parts += _signs(line.spot, marks, box)
    middle = (left + wide / 2, y + _ROW_MM / 2)
    drawn = _element("cell line", line.spot, line.words, middle, f"{name}-{line.spot}", marks, live, box, parts)
    return shape("g", {"class": "row", "role": "row" if live else None}, drawn)


def _signs(spot: Spot, marks: Marks, box: Attributes) -> list[Shape]:
    """Returns the shapes of the marks on an element or on one of its cells ("red.3")."""
    return [shape("rect", {"class": f"pointed {kind}-sign", **box}) for kind in _kinds(spot, marks)]


def _kinds(spot: Spot, marks: Marks) -> list[str]:
    return [
        kind for kind in _POINTED if any(one == spot or one.rpartition(".")[0] == spot for one in getattr(marks, kind))
    ]


def _element(
    kind: str,
    spot: Spot,
    words: str,
    at: Point,
    place: str,
    marks: Marks,
    live: bool,
    box: Attributes,
    parts: Sequence[Shape],
) -> Shape:
    focus = shape("rect", {"class": "focus", **box})
    if not live:
        return group(kind, *parts, focus)
    said = ", ".join([words, *(_SAID[one] for one in _kinds(spot, marks))])
    known: Attributes = {
        "id": place,
        "class": kind,
        "role": "gridcell",
        "tabindex": "-1",
        "aria-label": said,
        "data-spot": spot,
        "data-x": at[0],
        "data-y": at[1],
    }
    return shape("g", known, *parts, focus)

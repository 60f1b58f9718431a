"""The Spectrangle board: a triangle of 36 cells with its bonus numbers (TRI-4, TRI-5).

Every cell is one element with an id, a name and its row and column, so the page can move through them by keys, patch
one without the others, and a screen reader can read the board. Marks (allowed, refused, last, changed) have a sign
besides their color.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.layout import Spot
from companion.core.pieces import Tile
from companion.games.spectrangle.board import BONUS, points_up, row_and_column, spot
from web.scene.frame import BOARD, BoardFrame
from web.scene.marks import NOTHING, Marks
from web.scene.pieces.tiles import HEIGHT_MM, PAINTS, SIDE_MM, corners, patterns, spoken, tile
from web.scene.shape import Attributes, Point, Shape, group, label, polygon, shape

ROWS = 6
_MARGIN_MM = 8.0


def center(cell: int) -> Point:
    """Middle of a cell; the board's apex lies at (150, 0)."""
    row, column = row_and_column(cell)
    x = ROWS * SIDE_MM / 2 + (column - row) * SIDE_MM / 2
    share = 2 / 3 if points_up(cell) else 1 / 3
    return x, (row + share) * HEIGHT_MM


def board(tiles: Mapping[int, Tile], marks: Marks = NOTHING, frame: BoardFrame = BOARD) -> Shape:
    """The board with its tiles."""
    rows = []
    for row in range(ROWS):
        cells = [_cell(row * row + column, tiles, marks, frame.name, frame.live) for column in range(2 * row + 1)]
        rows.append(shape("g", {"role": "row" if frame.live else None, "class": "row"}, *cells))
    width, height = ROWS * SIDE_MM, ROWS * HEIGHT_MM
    box = (-_MARGIN_MM, -_MARGIN_MM, width + 2 * _MARGIN_MM, height + 2 * _MARGIN_MM)
    rim = ((width / 2, -5.0), (width + 4.6, height + 2.6), (-4.6, height + 2.6))
    edge = polygon(rim, "rim-board", aria_hidden="true")
    return frame.around("triangle", box, patterns(frame.name, PAINTS), edge, *rows)


def _cell(cell: int, tiles: Mapping[int, Tile], marks: Marks, name: str, live: bool) -> Shape:
    here = spot(cell)
    at = center(cell)
    up = points_up(cell)
    ghost = marks.ghosts.get(here)
    lying = None if here in marks.ghosts else tiles.get(cell)
    bonus = BONUS.get(cell)
    kinds = ["cell", f"bonus-{bonus}" if bonus else None, "filled" if lying else "empty"]
    kinds += [kind for kind in ("legal", "last", "refused", "about", "changed") if here in getattr(marks, kind)]
    # What can be read on a cell stands in its name as it is read, for those who speak to their browser.
    words = [f"{here} ×{bonus}" if bonus else here, "points up" if up else "points down"]
    parts: list[Shape | str | None] = [polygon(corners(up, at), "ground")]
    if lying:
        words += [lying.name, spoken(lying)]
        parts.append(tile(lying, up, name, at, SIDE_MM - 1.6))
    elif isinstance(ghost, Tile):
        words += [f"on trial: {ghost.name}", spoken(ghost)]
        parts.append(group("ghost", tile(ghost, up, name, at, SIDE_MM - 1.6)))
    else:
        words.append("empty")
        if here not in marks.legal:
            foot = (at[0], at[1] + 10.2) if up else (at[0], at[1] - 10.2)
            parts += [label(here, foot, "number", 4.6, aria_hidden="true"), " "]
            if bonus:
                parts.append(label(f"×{bonus}", at, "bonus", 11, aria_hidden="true"))
    words += _pointed_out(here, marks)
    parts += _signs(here, at, up, marks)
    parts.append(polygon(corners(up, at, SIDE_MM - 7), "focus", aria_hidden="true"))
    if not live:
        return group(" ".join(kind for kind in kinds if kind), *parts)
    known: Attributes = {
        "id": f"{name}-{here}",
        "class": " ".join(kind for kind in kinds if kind),
        "role": "gridcell",
        "tabindex": "-1",
        "aria-label": ", ".join(words),
        "data-spot": here,
        "data-x": at[0],
        "data-y": at[1],
    }
    return shape("g", known, *parts)


def _pointed_out(here: Spot, marks: Marks) -> list[str]:
    words = []
    if here in marks.legal:
        words.append(f"allowed here, {marks.legal[here]} points")
    if here in marks.last:
        words.append("last move")
    if here in marks.refused:
        words.append("not allowed")
    if here in marks.about:
        words.append("in question")
    if here in marks.changed:
        words.append("would change")
    return words


def _signs(here: Spot, at: Point, up: bool, marks: Marks) -> list[Shape | None]:
    """Outlines and the signs that stand for them without color: a number, a dot, a cross, a ring."""
    x, y = at
    # The widest part of a cell, where a sign beside the value does not hide an edge's letter.
    tip = (x, y - 17.5) if up else (x, y + 17.5)
    parts: list[Shape | None] = []
    if here in marks.last:
        parts.append(polygon(corners(up, at, SIDE_MM - 3), "sign last-sign", aria_hidden="true"))
        parts.append(
            shape("circle", {"class": "dot last-dot", "cx": tip[0], "cy": tip[1], "r": 2.6, "aria-hidden": "true"})
        )
    if here in marks.about:
        parts.append(polygon(corners(up, at, SIDE_MM - 3), "sign about-sign", aria_hidden="true"))
    if here in marks.changed:
        parts.append(polygon(corners(up, at, SIDE_MM - 4), "sign changed-sign", aria_hidden="true"))
    if here in marks.refused:
        parts.append(polygon(corners(up, at, SIDE_MM - 4), "sign refused-sign", aria_hidden="true"))
        arm = 3.0
        cross = f"M{tip[0] - arm} {tip[1] - arm}l{2 * arm} {2 * arm}m0 {-2 * arm}l{-2 * arm} {2 * arm}"
        parts.append(
            shape("circle", {"class": "cross-ground", "cx": tip[0], "cy": tip[1], "r": 5.4, "aria-hidden": "true"})
        )
        parts.append(shape("path", {"class": "cross", "d": cross, "aria-hidden": "true"}))
    if here in marks.legal:
        parts.append(polygon(corners(up, at, SIDE_MM - 5), "sign legal-sign", aria_hidden="true"))
        if here not in marks.ghosts:
            parts.append(shape("circle", {"class": "points-ground", "cx": x, "cy": y, "r": 8.6, "aria-hidden": "true"}))
            parts.append(label(marks.legal[here], at, "points", 9.5, aria_hidden="true"))
    return parts


def single(piece: Tile, *, name: str, up: bool = True, side: float = SIDE_MM) -> Shape:
    """One tile alone, for a hand or a list. Its caller names it."""
    reach = side / 3**0.5
    top = -reach if up else -reach / 2
    height = reach * 1.5
    frame = f"{-side / 2 - 1:.2f} {top - 1:.2f} {side + 2:.2f} {height + 2:.2f}"
    known = {"class": "single", "viewBox": frame, "aria-hidden": "true", "focusable": "false"}
    return shape("svg", known, patterns(name, piece.edges), tile(piece, up, name, (0.0, 0.0), side))

"""The printed score sheet of Roll & Color: 24 rows with the condition and the points of each cell (ROL-7 to ROL-10)."""

from __future__ import annotations

from companion.app.printing.pen import BLACK, PLAIN, Pen, against
from companion.app.printing.sheets import Part, Run
from companion.app.printing.wheel import INKS, letters
from companion.core.pieces import WHEEL
from companion.core.plan import Point
from companion.games.roll_and_color.sheet import ROWS, SheetRow

SIZE_MM: Point = (180.0, 240.0)
_ROW_MM, _NAME_MM, _CELL_MM = 8.4, 48.0, 20.0
_TOP_MM = 24.0


def sheet_run(players: int) -> Run:
    """Returns a sheet for each player."""
    part = Part("sheet", SIZE_MM, _draw)
    return Run(
        "One sheet a player: cross the cell that a roll fills, and write its points at the right.", (part,) * players
    )


def _draw(pen: Pen) -> None:
    pen.text("Roll & Color", (4.0, 7.0), 5.0, side="left")
    pen.said("Name:", (100.0, 7.5), 3.0, side="left", font=PLAIN)
    pen.line((114.0, 10.0), (SIZE_MM[0] - 4, 10.0), BLACK, 0.2)
    pen.said("24 rounds: roll nine dice, then again 4, 3, 2, and 5 or more.", (4.0, 15.5), 2.4, side="left", font=PLAIN)
    group = ""
    top = _TOP_MM - 4.5
    for row in ROWS:
        if row.kind != group:
            group = row.kind
            top += 1.2
        _row(pen, row, top)
        top += _ROW_MM
    pen.said("Total", (_NAME_MM + 6 * _CELL_MM - 2, top + 6.0), 3.6, side="right")
    pen.rectangle((_NAME_MM + 6 * _CELL_MM, top + 1.0), (12.0, 9.0), line=BLACK, width_mm=0.5)


def _row(pen: Pen, row: SheetRow, top: float) -> None:
    high = _ROW_MM - 0.8
    if row.color is not None:
        ink = INKS[WHEEL[row.color]]
        pen.rectangle((2.0, top), (_NAME_MM - 3.0, high), fill=ink)
        pen.text(letters(WHEEL[row.color]), (4.0, top + high / 2), 3.0, side="left", ink=against(ink))
        pen.said(row.name, (13.0, top + high / 2), 2.6, side="left", ink=against(ink), widest_mm=_NAME_MM - 16)
    else:
        pen.said(row.name.capitalize(), (4.0, top + high / 2), 2.6, side="left", widest_mm=_NAME_MM - 7)
    for cell, (condition, points) in enumerate(zip(row.cells, row.points, strict=True)):
        at = (_NAME_MM + cell * _CELL_MM, top)
        if points:
            pen.rectangle(at, (_CELL_MM - 1.0, high), line=BLACK, width_mm=0.25)
            pen.text(condition, (at[0] + 1.5, top + high / 2), 2.4, side="left", font=PLAIN)
            pen.text(str(points), (at[0] + _CELL_MM - 2.5, top + high / 2), 3.2, side="right")
        else:
            pen.rectangle(at, (_CELL_MM - 1.0, high), fill=(0.85, 0.85, 0.85))
    pen.rectangle((_NAME_MM + 6 * _CELL_MM, top), (12.0, high), line=BLACK, width_mm=0.4)

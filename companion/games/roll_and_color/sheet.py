"""The score sheet: 24 rows and what each cell is worth (ROL-7 to ROL-10, ROL-15).

An entry is one number, ten times the row plus the cell; cell 0 is an entry of no points (ROL-5), cells 1 to 6 are those
of the sheet from left to right.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from msgspec import Struct

from companion.core.pieces import INTERMEDIATES, PRIMARIES, WHEEL

Kind = Literal["secondary", "primary", "sequence", "combo"]
Palette = Literal["secondary", "spectrum", "primary"]
"""Which colors a sequence or combo takes."""

ROUNDS = 24
"""One row a round (ROL-2)."""
CELL_COUNT = 6

OF_A_KIND = ("1", "2", "3", "4", "5", "6")
IN_A_ROW = ("2", "3", "4", "5", "6", "7")
COMBOS = ("2&2", "2&3", "2&4", "3&3", "3&4", "4&4")
SIZES = ((2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (4, 4))
"""Dice of the two colors of a combo, fewer ones first (ROL-10)."""


class SheetRow(Struct, frozen=True):
    """One row of the sheet."""

    name: str
    """As people write it: "red-orange", "spectrum combo 2"."""
    kind: Kind
    rule: str
    cells: tuple[str, ...]
    """The condition of each of the six cells."""
    points: tuple[int, ...]
    """By cell; 0 is N/A (ROL-6)."""
    palette: Palette
    color: int | None = None
    """Place on the wheel of the color that the row is about; None for sequences and combos."""

    @property
    def group(self) -> str:
        """The group of a row; its rows differ only in color or number: "secondary", "spectrum combo"."""
        return self.kind if self.color is not None else f"{self.palette} {self.kind}"


_SECONDARY = (3, 6, 10, 24, 60, 0)
_PRIMARY = (1, 2, 3, 6, 10, 20)
_SEQUENCES: dict[Palette, tuple[int, ...]] = {
    "secondary": (4, 13, 29, 54, 0, 0),
    "spectrum": (2, 6, 15, 27, 42, 60),
    "primary": (1, 5, 9, 14, 19, 0),
}
_COMBOS: dict[Palette, tuple[int, ...]] = {
    "secondary": (16, 32, 0, 0, 0, 0),
    "spectrum": (2, 4, 8, 16, 32, 64),
    "primary": (1, 2, 5, 12, 24, 45),
}

ROWS: tuple[SheetRow, ...] = (
    *(SheetRow(c, "secondary", "ROL-7", OF_A_KIND, _SECONDARY, "secondary", WHEEL.index(c)) for c in INTERMEDIATES),
    *(SheetRow(c, "primary", "ROL-8", OF_A_KIND, _PRIMARY, "primary", WHEEL.index(c)) for c in PRIMARIES),
    *(
        SheetRow(f"{palette} sequence {number}", "sequence", "ROL-9", IN_A_ROW, points, palette)
        for palette, points in _SEQUENCES.items()
        for number in (1, 2)
    ),
    *(
        SheetRow(f"{palette} combo {number}", "combo", "ROL-10", COMBOS, points, palette)
        for palette, points in _COMBOS.items()
        for number in (1, 2)
    ),
)
"""In the order of the sheet."""
ROW = {row.name: place for place, row in enumerate(ROWS)}
"""Name of a row to its place."""

Sheet = tuple[int, ...]
"""Entries, the oldest first."""


def entry(row: int, cell: int) -> int:
    """The number of an entry: row 13, cell 2 is 132."""
    return 10 * row + cell


def row_of(number: int) -> int:
    """The row of an entry."""
    return number // 10


def cell_of(number: int) -> int:
    """The cell of an entry; 0 for no points."""
    return number % 10


POINTS: dict[int, int] = {
    entry(place, cell): row.points[cell - 1] if cell else 0
    for place, row in enumerate(ROWS)
    for cell in range(CELL_COUNT + 1)
    if not cell or row.points[cell - 1]
}
"""Every entry that the sheet has room for, to its points; N/A cells are none (ROL-6)."""


@lru_cache(maxsize=256)
def open_rows(sheet: Sheet) -> tuple[int, ...]:
    """The rows without an entry, in the order of the sheet."""
    full = {row_of(number) for number in sheet}
    return tuple([row for row in range(len(ROWS)) if row not in full])


def total(sheet: Sheet) -> int:
    """The points of a sheet (ROL-2)."""
    return sum([POINTS[number] for number in sheet])


def words(number: int) -> str:
    """An entry in words: "red-orange: 3 of a kind", "spectrum sequence 1: 4 in a row", "green: nothing"."""
    row, cell = ROWS[row_of(number)], cell_of(number)
    if not cell:
        return f"{row.name}: nothing"
    asked = row.cells[cell - 1]
    if row.kind == "sequence":
        return f"{row.name}: {asked} in a row"
    return f"{row.name}: {asked}" + ("" if row.kind == "combo" else " of a kind")

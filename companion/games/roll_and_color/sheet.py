"""The score sheet: 24 rows and the points of each cell (ROL-7 to ROL-10, ROL-15).

An entry is one number, ten times the row plus the cell. Cell 0 is an entry of no points (ROL-5), cells 1 to 6 are those
of the sheet from left to right.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from msgspec import Struct

from companion.core.pieces import INTERMEDIATES, PRIMARIES, WHEEL

Kind = Literal["secondary", "primary", "sequence", "combo"]
Palette = Literal["secondary", "spectrum", "primary"]
"""The colors that count for a sequence or combo."""

ROUNDS = 24
"""The number of rounds: one for each row (ROL-2)."""
CELL_COUNT = 6

OF_A_KIND = ("1", "2", "3", "4", "5", "6")
IN_A_ROW = ("2", "3", "4", "5", "6", "7")
COMBOS = ("2&2", "2&3", "2&4", "3&3", "3&4", "4&4")
SIZES = ((2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (4, 4))
"""The numbers of dice in the two colors of a combo, the smaller number first (ROL-10)."""


class SheetRow(Struct, frozen=True):
    """One row of the sheet."""

    name: str
    """The name in words: "red-orange", "spectrum combo 2"."""
    kind: Kind
    rule: str
    cells: tuple[str, ...]
    """The condition of each of the six cells."""
    points: tuple[int, ...]
    """The points of each cell; 0 stands for N/A (ROL-6)."""
    palette: Palette
    color: int | None = None
    """The wheel index of the row's color; None for sequences and combos."""

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
"""The rows in the order of the sheet."""
ROW = {row.name: place for place, row in enumerate(ROWS)}
"""Name of a row to its index."""

Sheet = tuple[int, ...]
"""The entries of a sheet, oldest first."""


def entry(row: int, cell: int) -> int:
    """Returns the number of an entry: row 13, cell 2 is 132."""
    return 10 * row + cell


def row_of(number: int) -> int:
    """Returns the row of an entry."""
    return number // 10


def cell_of(number: int) -> int:
    """Returns the cell of an entry; 0 for no points."""
    return number % 10


POINTS: dict[int, int] = {
    entry(place, cell): row.points[cell - 1] if cell else 0
    for place, row in enumerate(ROWS)
    for cell in range(CELL_COUNT + 1)
    if not cell or row.points[cell - 1]
}
"""Every possible entry to its points; N/A cells are left out (ROL-6)."""


@lru_cache(maxsize=256)
def open_rows(sheet: Sheet) -> tuple[int, ...]:
    """Returns the rows without an entry, in the order of the sheet."""
    full = {row_of(number) for number in sheet}
    return tuple([row for row in range(len(ROWS)) if row not in full])


def total(sheet: Sheet) -> int:
    """Returns the points of a sheet (ROL-2)."""
    return sum([POINTS[number] for number in sheet])


def words(number: int) -> str:
    """Returns an entry in words: "red-orange: 3 of a kind", "spectrum sequence 1: 4 in a row", "green: nothing"."""
    row, cell = ROWS[row_of(number)], cell_of(number)
    if not cell:
        return f"{row.name}: nothing"
    asked = row.cells[cell - 1]
    if row.kind == "sequence":
        return f"{row.name}: {asked} in a row"
    return f"{row.name}: {asked}" + ("" if row.kind == "combo" else " of a kind")


# Finds the cells that a roll meets (ROL-7 to ROL-12), for all 24 rows together.
#
# Only the number of dice of each color counts. The *level* of a row is one small number that says which of its cells a
# roll meets: dice of the color, length of the sequence, dice of the two colors of a combo. `CELLS` looks the cells up.

Cells = tuple[int, ...]
"""The cells of a row that a roll meets, lowest first; 1 is the leftmost."""


def _longest(shown: int, colors: Iterable[int], wraps: int) -> int:
    """Returns the largest number of consecutive colors, in this order around the wheel, that are shown."""
    ring = [shown >> color & 1 for color in colors]
    best = run = 0
    for bit in ring + ring[:-1]:
        run = run + 1 if bit else 0
        best = max(best, min(run, wraps))
    return best


RUNS: dict[Palette, tuple[int, ...]] = {
    "secondary": tuple(_longest(shown, range(1, 12, 2), 6) for shown in range(4096)),
    "spectrum": tuple(_longest(shown, range(12), 12) for shown in range(4096)),
    "primary": tuple(_longest(shown, range(0, 12, 2), 6) for shown in range(4096)),
}
"""Set of shown colors (a bit mask) to the longest sequence of secondaries, of all colors, or of primaries (ROL-9)."""


def _available(row: int, cells: Iterable[int]) -> Cells:
    return tuple(cell for cell in cells if ROWS[row].points[cell - 1])


_OF_A_KIND = tuple(tuple(_available(row, range(1, min(count, 6) + 1)) for count in range(10)) for row in range(12))
"""The cells met in a row of one color, by row and number of its dice; at most six dice count (ROL-8)."""

_IN_A_ROW = tuple(tuple(_available(row, range(1, min(run, 7))) for run in range(13)) for row in range(12, 18))
"""The cells met in a row of a sequence, by row and length; excess length is ignored (ROL-12)."""

_BOTH = tuple(
    tuple(
        _available(row, (cell for cell, (few, many) in enumerate(SIZES, 1) if more >= many and less >= few))
        for more in range(10)
        for less in range(10)
    )
    for row in range(18, 24)
)
"""The cells met in a row of a combo, by row and ten times the larger number of dice plus the smaller (ROL-10,
ROL-11).
"""

CELLS: tuple[tuple[Cells, ...], ...] = (*_OF_A_KIND, *_IN_A_ROW, *_BOTH)
"""The cells that are met, by row and level."""


def counts_of(dice: Iterable[int]) -> list[int]:
    """Returns the number of dice by color of the wheel."""
    counts = [0] * 12
    for color in dice:
        counts[color] += 1
    return counts


class _Part(NamedTuple):
    """The features of the primaries alone, or of the secondaries alone, in a roll."""

    counts: tuple[int, ...]
    shown: int
    """The shown colors, as a bit mask."""
    most: int
    """The number of dice of the most frequent color."""
    run: int
    """The longest sequence of these colors alone."""
    pair: int
    """The level of a combo of two of these colors."""


_WEIGHTS = tuple(1 << (4 * (color // 2) + 24 * (color % 2)) for color in range(12))
"""For each color, the number that adds one die; primaries are counted in the lower 24 bits, secondaries above them."""
_LOWER = (1 << 24) - 1
_SPECTRUM = RUNS["spectrum"]


@cache
def _part(packed: int, second: bool) -> _Part:
    """Returns the features of the primaries, or of the secondaries, among the dice; packed as `_WEIGHTS` counts
    them.
    """
    counts = tuple(packed >> 4 * place & 15 for place in range(6))
    shown = sum((2 if second else 1) << 2 * place for place, count in enumerate(counts) if count)
    less, more = sorted(counts)[4:]
    return _Part(counts, shown, more, RUNS["secondary" if second else "primary"][shown], 10 * more + less)


def levels(dice: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the level of each row for a roll. Nine dice show one of a few thousand sets of primaries and of
    secondaries.

    Args:
        dice: The colors of the nine dice, as wheel indices.
    """
    weights = _WEIGHTS
    a, b, c, d, e, f, g, h, i = dice
    packed = weights[a] + weights[b] + weights[c] + weights[d] + weights[e] + weights[f] + weights[g] + weights[h]
    packed += weights[i]
    first, shown_first, most_first, run_first, pair_first = _part(packed & _LOWER, False)
    second, shown_second, most_second, run_second, pair_second = _part(packed >> 24, True)
    run = _SPECTRUM[shown_first | shown_second]
    both = 10 * most_first + most_second if most_first > most_second else 10 * most_second + most_first
    runs = (run_second, run_second, run, run, run_first, run_first)
    return (*second, *first, *runs, pair_second, pair_second, both, both, pair_first, pair_first)


def met(dice: tuple[int, ...]) -> tuple[Cells, ...]:
    """Returns the cells of each row that a roll meets, from the lowest to the highest."""
    return tuple([cells[level] for cells, level in zip(CELLS, levels(dice), strict=True)])

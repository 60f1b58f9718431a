"""A second, slow reading of ROL-7 to ROL-12 that shares nothing with the engine but the names of colors.

Every cell is asked on its own: is there a way to take such dice out of the roll? Points stand here once more, as the
rules print them.
"""

from __future__ import annotations

from functools import cache

from companion.core.pieces import INTERMEDIATES, PRIMARIES, WHEEL

SHEET: dict[str, dict[str, int]] = {
    **{color: {"1": 3, "2": 6, "3": 10, "4": 24, "5": 60} for color in INTERMEDIATES},
    **{color: {"1": 1, "2": 2, "3": 3, "4": 6, "5": 10, "6": 20} for color in PRIMARIES},
    **{f"secondary sequence {n}": {"2": 4, "3": 13, "4": 29, "5": 54} for n in (1, 2)},
    **{f"spectrum sequence {n}": {"2": 2, "3": 6, "4": 15, "5": 27, "6": 42, "7": 60} for n in (1, 2)},
    **{f"primary sequence {n}": {"2": 1, "3": 5, "4": 9, "5": 14, "6": 19} for n in (1, 2)},
    **{f"secondary combo {n}": {"2&2": 16, "2&3": 32} for n in (1, 2)},
    **{f"spectrum combo {n}": {"2&2": 2, "2&3": 4, "2&4": 8, "3&3": 16, "3&4": 32, "4&4": 64} for n in (1, 2)},
    **{f"primary combo {n}": {"2&2": 1, "2&3": 2, "2&4": 5, "3&3": 12, "3&4": 24, "4&4": 45} for n in (1, 2)},
}
"""Row to cell to points; N/A cells are not there."""

_RINGS = {"secondary": INTERMEDIATES, "spectrum": WHEEL, "primary": PRIMARIES}


@cache
def runs(kind: str, length: int) -> list[set[str]]:
    """Every sequence of a kind, wherever on the ring it begins."""
    ring = _RINGS[kind]
    return [{ring[(start + step) % len(ring)] for step in range(length)} for start in range(len(ring))]


def is_met(row: str, cell: str, roll: list[str]) -> bool:
    """Whether a roll contains what a cell asks for."""
    if row in WHEEL:
        return len([one for one in roll if one == row]) >= int(cell)
    kind, what, _ = row.split(" ")
    if what == "sequence":
        return any(run <= set(roll) for run in runs(kind, int(cell)))
    sizes = [int(size) for size in cell.split("&")]
    few, many = ([color for color in set(roll) if roll.count(color) >= size] for size in sizes)
    secondaries = {"secondary": 2, "spectrum": 1, "primary": 0}[kind]
    return any(
        one != other and (one in INTERMEDIATES) + (other in INTERMEDIATES) == secondaries
        for one in few
        for other in many
    )


def met_cells(row: str, roll: list[str]) -> list[str]:
    """The cells of a row that a roll meets."""
    return [cell for cell in SHEET[row] if is_met(row, cell, roll)]


def best(row: str, roll: list[str]) -> int:
    """The most points that a roll brings in a row."""
    return max((SHEET[row][cell] for cell in met_cells(row, roll)), default=0)

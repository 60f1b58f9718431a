"""Reports on a roll of color dice in a photograph: the cells on the sheet of Roll & Color that it may score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.foundation.errors import BadRecord
from companion.core.pieces import WHEEL
from companion.games.roll_and_color.moves import DICE
from companion.games.roll_and_color.sheet import ROWS, met
from companion.referee.photographs.report import Note, PhotoReport


def dice_report(readings: Sequence[Mapping[str, Any]], seats: int) -> PhotoReport:
    """Returns the best cell of each row for the last roll, the most points first."""
    faces = [str(die["face"]) for die in readings[-1]["dice"] if die["kind"] != "pips-d6"]
    if any(face not in WHEEL for face in faces):
        raise BadRecord("A die shows none of the twelve colors. Correct it.")
    shown = ", ".join(sorted(faces, key=WHEEL.index)) or "no dice"
    if len(faces) != DICE:
        text = (
            f"{len(faces)} color dice are seen ({shown}); a roll has nine. Correct the reading or take another photo."
        )
        return PhotoReport((Note(text, "ROL-1", broken=True),))
    notes = []
    for row, cells in zip(ROWS, met(tuple(WHEEL.index(face) for face in faces)), strict=True):
        if cells:
            best = max(cells, key=lambda cell: row.points[cell - 1])
            points = row.points[best - 1]
            notes.append(Note(f"{row.name}, {row.cells[best - 1]}: {points}", row.rule, row.name, points=points))
    notes.sort(key=lambda note: -(note.points or 0))
    return PhotoReport((Note(f"The roll: {shown}.", "ROL-1"), *notes))

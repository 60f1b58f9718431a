"""Arranges parts on sheets: each part at true size with its cutting line, as many side by side as a sheet allows.

After a sheet of parts with backs comes a sheet of backs, mirrored so that a printer that turns sheets over their long
side prints each back behind its face.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from companion.app.printing.mat_pdf import MARGIN_MM, draw_notes
from companion.app.printing.pen import Ink, Pen
from companion.core.foundation.words import Words
from companion.core.plan import PAPERS_MM, Point

HEAD_MM, FOOT_MM, SIDE_MM = 10.0, 10.0, 8.0
"""The margins of a sheet: above for the instruction, below for the check line, and on both sides."""
CUT: Ink = (0.6, 0.6, 0.6)
_LINE_MM = 0.15


class Part(Struct, frozen=True):
    """One thing to be cut out, drawn from its top left corner."""

    name: str
    size_mm: Point
    draw: Callable[[Pen], None]
    back: Callable[[Pen], None] | None = None
    outline_mm: tuple[Point, ...] = ()
    """The cutting line; empty: around the part's rectangle."""


class Run(Struct, frozen=True):
    """The parts of one kind, which share sheets, and the sentence that says what to do with them."""

    advice: str
    parts: tuple[Part, ...]
    gap_mm: float = 0.0
    """The gap between parts; parts that share their cutting lines have none."""


class Placed(NamedTuple):
    """A part on a sheet; `at_mm` is its top left corner relative to that of the paper."""

    part: Part
    at_mm: Point


class Sheet(NamedTuple):
    """One side of paper."""

    placed: tuple[Placed, ...]
    advice: str
    size_mm: Point
    backs: bool = False


def lay_out(runs: Sequence[Run], paper: str) -> list[Sheet]:
    """Returns all sheets of some runs; parts fill rows from the left, and rows fill the sheet from above."""
    sheets: list[Sheet] = []
    for run in runs:
        for size_mm, rows in _pages(run, paper):
            top = HEAD_MM
            faces: list[Placed] = []
            for row in rows:
                used = sum(part.size_mm[0] for part in row) + run.gap_mm * (len(row) - 1)
                left = (size_mm[0] - used) / 2
                for part in row:
                    faces.append(Placed(part, (left, top)))
                    left += part.size_mm[0] + run.gap_mm
                top += max(part.size_mm[1] for part in row) + run.gap_mm
            sheets.append(Sheet(tuple(faces), run.advice, size_mm))
            if any(one.part.back is not None for one in faces):
                behind = tuple(Placed(part, _behind(part, at_mm, size_mm)) for part, at_mm in faces if part.back)
                sheets.append(Sheet(behind, run.advice, size_mm, backs=True))
    return sheets


def _behind(part: Part, at_mm: Point, paper_mm: Point) -> Point:
    """Returns the place of a part's back on a sheet that is turned over its long side."""
    (x, y), (w, h) = at_mm, part.size_mm
    width, height = paper_mm
    return (width - x - w, y) if width < height else (x, height - y - h)


def _pages(run: Run, paper: str) -> Iterator[tuple[Point, list[list[Part]]]]:
    """Yields rows of parts sheet by sheet, on portrait or landscape paper, whichever needs fewer sheets."""
    wide, high = PAPERS_MM[paper]
    found = [(size_mm, list(_filled(run, size_mm))) for size_mm in ((wide, high), (high, wide))]
    size_mm, pages = min((one for one in found if one[1]), key=lambda one: len(one[1]))
    for rows in pages:
        yield size_mm, rows


def _filled(run: Run, size_mm: Point) -> Iterator[list[list[Part]]]:
    """Yields the rows of parts for each sheet of this size; none if a part does not fit on the paper."""
    width, height = size_mm[0] - 2 * SIDE_MM, size_mm[1] - HEAD_MM - FOOT_MM
    if any(part.size_mm[0] > width + 1e-6 or part.size_mm[1] > height + 1e-6 for part in run.parts):
        return
    rows: list[list[Part]] = [[]]
    across = down = 0.0
    for part in run.parts:
        w, h = part.size_mm
        if rows[-1] and across + w > width + 1e-6:
            down += max(one.size_mm[1] for one in rows[-1]) + run.gap_mm
            rows.append([])
            across = 0.0
        if down + h > height + 1e-6:
            yield [row for row in rows if row]
            rows, across, down = [[]], 0.0, 0.0
        rows[-1].append(part)
        across += w + run.gap_mm
    yield rows


def draw_sheets(canvas: Canvas, sheets: Sequence[Sheet], title: str, words: Words) -> None:
    """Draws each sheet on a page of its own."""
    pen = Pen(canvas, words)
    for number, sheet in enumerate(sheets, 1):
        width, height = sheet.size_mm
        canvas.setPageSize((width * mm, height * mm))
        draw_notes(canvas, sheet.size_mm, title, f"sheet {number} of {len(sheets)}", words)
        canvas.saveState()
        canvas.translate(0, height * mm)
        pen.said(
            "Backs: print them on the other side of the sheet before, turned over its long side."
            if sheet.backs
            else sheet.advice,
            (MARGIN_MM, HEAD_MM - 4.0),
            2.2,
            side="left",
            font="Helvetica",
            widest_mm=width - 2 * MARGIN_MM,
        )
        for part, at_mm in sheet.placed:
            with pen.moved(at_mm):
                if not sheet.backs:
                    part.draw(pen)
                    w, h = part.size_mm
                    pen.polygon(part.outline_mm or ((0, 0), (w, 0), (w, h), (0, h)), line=CUT, width_mm=_LINE_MM)
                elif part.back is not None:
                    part.back(pen)
        canvas.restoreState()
        canvas.showPage()

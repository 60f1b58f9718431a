"""A printed mat: the plan's markers and zones at true size, cut into sheets.

Paper space: millimeters from the top left of the print; table space starts at marker 0's center, `BORDER_MM` further
in. No marker is cut: a sheet that would end within a marker ends before it. Every sheet repeats a 50 mm check line,
because a printer that scales to fit makes every measurement wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from companion.app.printing.wheel import INKS, PrintedWheel
from companion.core.foundation.words import Words
from companion.core.plan import (
    PAPERS_MM,
    CardZone,
    DiceTray,
    Mat,
    PawnBoard,
    Plan,
    Point,
    PyramidBoard,
    PyramidZone,
    TileBoard,
    TileHeap,
)

# A printed board of square cells: each is marked by its name, the name of its color and a pale tint.
#
# The camera reads translucent pieces on these cells, so the ink is pale and the middle of each cell is plain; labels
# are at the cells' edges.

PALE = 0.35
"""The share of a color's ink; the rest is white paper."""
_NAME_POINTS = 8

_Place = Callable[[Point], tuple[float, float]]
"""Converts table millimeters to canvas points."""


class PrintedCells:
    """A drawing of one board on a canvas."""

    def __init__(self, canvas: Canvas, place: _Place, board: PyramidBoard, words: Words) -> None:
        self.canvas = canvas
        self.place = place
        self.board = board
        self.words = words

    def at(self, column: float, row: float) -> tuple[float, float]:
        """Returns the canvas point of a place in the grid; 0, 0 is where the first row begins."""
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = self.board.outline_mm
        u, v = column / len(self.board.rows[0]), row / len(self.board.rows)
        x = (1 - v) * ((1 - u) * ax + u * bx) + v * ((1 - u) * dx + u * cx)
        y = (1 - v) * ((1 - u) * ay + u * by) + v * ((1 - u) * dy + u * cy)
        return self.place((x, y))

    def draw(self) -> None:
        """Draws all cells."""
        self.canvas.setLineWidth(0.8)
        for row, spots in enumerate(self.board.rows):
            for column, spot in enumerate(spots):
                if spot:
                    self._cell(column, row, spot, self.board.tints[row][column] if self.board.tints else "")

    def _cell(self, column: int, row: int, spot: str, color: str) -> None:
        path = self.canvas.beginPath()
        path.moveTo(*self.at(column, row))
        for across, down in ((1, 0), (1, 1), (0, 1)):
            path.lineTo(*self.at(column + across, row + down))
        path.close()
        ink = INKS.get(color, (1.0, 1.0, 1.0))
        self.canvas.setFillColorRGB(*(1 - PALE * (1 - part) for part in ink))
        self.canvas.drawPath(path, stroke=1, fill=1)
        self.canvas.setFillGray(0)
        self.canvas.setFont("Helvetica", _NAME_POINTS)
        self.canvas.drawCentredString(*self.at(column + 0.5, row + 0.94), f"{spot} {self.words(_named(color))}".strip())
        self.canvas.saveState()
        self.canvas.translate(*self.at(column + 0.5, row + 0.06))
        self.canvas.rotate(180)
        self.canvas.drawCentredString(0, 0, f"{spot} {self.words(_named(color))}".strip())
        self.canvas.restoreState()


def _named(color: str) -> str:
    """Returns the name of a cell's color; cells of clear pieces are called white."""
    return "white" if color == "clear" else color


BORDER_MM = 34.0
"""The distance from a marker's center to the print's edge: half a marker, its quiet zone and room to cut."""
QUIET_MM = 8.0
"""The white border that a marker needs around its black square."""
MARGIN_MM = 10.0
"""The margin that printers leave white, which is also the strip for glue."""

WORDS_MM = 5.0
"""The height for the words above or below a marker's white border."""
PLACES = ("top left", "top right", "bottom right", "bottom left")
"""The printed words for the places of markers 0 to 3."""

Pattern = Callable[[int], Sequence[Sequence[bool]]]
"""Returns the cells of a marker by its id: rows from the top, True for white, black border included."""


def cuts(total_mm: float, usable_mm: float, whole_mm: Sequence[tuple[float, float]]) -> list[float]:
    """Returns the positions in mm where sheets begin and end along one side of a print, from 0 to `total_mm`.

    Args:
        usable_mm: The length that one sheet prints.
        whole_mm: Stretches that no cut may go through, each shorter than a sheet.
    """
    ends = [0.0]
    while total_mm - ends[-1] > usable_mm + 1e-9:
        end = ends[-1] + usable_mm
        while any(low < end < high for low, high in whole_mm):
            end = min(low for low, high in whole_mm if low < end < high)
        ends.append(end)
    return [*ends, total_mm]


def uncut(mat: Mat) -> tuple[Sequence[tuple[float, float]], Sequence[tuple[float, float]]]:
    """Returns the ranges of a print, across and down, that contain markers with their white borders and words."""
    patch_mm = mat.marker_mm / 2 + QUIET_MM
    low_mm, right_mm, bottom_mm = BORDER_MM - patch_mm, BORDER_MM + mat.width_mm, BORDER_MM + mat.height_mm
    across = [(low_mm, BORDER_MM + patch_mm), (right_mm - patch_mm, right_mm + patch_mm)]
    down = [(low_mm - WORDS_MM, BORDER_MM + patch_mm), (bottom_mm - patch_mm, bottom_mm + patch_mm + WORDS_MM)]
    return across, down


class Poster:
    """A drawing of one print on a canvas whose origin was moved to the print's top left, y up."""

    def __init__(self, canvas: Canvas, mat: Mat, words: Words) -> None:
        self.canvas = canvas
        self.mat = mat
        self.words = words

    def at(self, point_mm: Point) -> tuple[float, float]:
        """Converts table millimeters to canvas points."""
        return (point_mm[0] + BORDER_MM) * mm, -(point_mm[1] + BORDER_MM) * mm

    def polygon(self, corners_mm: Sequence[Point], dashed: bool) -> None:
        """Draws an outline."""
        path = self.canvas.beginPath()
        path.moveTo(*self.at(corners_mm[0]))
        for corner in corners_mm[1:]:
            path.lineTo(*self.at(corner))
        path.close()
        self.canvas.setDash(*((6, 4) if dashed else (1, 0)))
        self.canvas.drawPath(path)
        self.canvas.setDash(1, 0)

    def text(self, middle_mm: Point, text: str, size: float = 11) -> None:
        """Draws a centered line of text."""
        self.canvas.setFont("Helvetica", size)
        self.canvas.drawCentredString(*self.at(middle_mm), self.words(text))

    def marker(self, number: int, cells: Sequence[Sequence[bool]]) -> None:
        """Draws one marker with its quiet zone and a thin cutting line."""
        x_mm, y_mm = self.mat.corners_mm()[number]
        half_mm = self.mat.marker_mm / 2
        patch_mm = half_mm + QUIET_MM
        left, top = self.at((x_mm - patch_mm, y_mm - patch_mm))
        self.canvas.setFillGray(1)
        self.canvas.setStrokeGray(0.75)
        self.canvas.rect(left, top - 2 * patch_mm * mm, 2 * patch_mm * mm, 2 * patch_mm * mm, fill=1)
        self.canvas.setStrokeGray(0)
        self.canvas.setFillGray(0)
        beside_mm = y_mm - patch_mm - 1.5 if number < 2 else y_mm + patch_mm + WORDS_MM - 1
        self.text((x_mm, beside_mm), f"Marker {number}: {PLACES[number]}", 8)
        cell_mm = self.mat.marker_mm / len(cells)
        for row, line in enumerate(cells):
            for column, white in enumerate(line):
                if not white:
                    corner = self.at((x_mm - half_mm + column * cell_mm, y_mm - half_mm + (row + 1) * cell_mm))
                    # A small overlap keeps viewers from showing white seams between neighboring black cells.
                    self.canvas.rect(*corner, cell_mm * mm + 0.2, cell_mm * mm + 0.2, stroke=0, fill=1)


def _middle(corners_mm: Sequence[Point]) -> Point:
    return sum(x for x, _ in corners_mm) / len(corners_mm), sum(y for _, y in corners_mm) / len(corners_mm)


def outline_tile_board(poster: Poster, board: TileBoard) -> None:
    """Draws the outline of a board that the players own."""
    if board.corners_mm is not None:
        poster.polygon(board.corners_mm, dashed=False)
        poster.text(_middle(board.corners_mm), "Board: the cells fill this triangle")


def _draw(mat_pdf: Poster, plan: Plan, pattern: Pattern, draw_tile_board: Callable[[Poster, TileBoard], None]) -> None:
    mat_pdf.canvas.setLineWidth(0.8)
    for zone in plan.zones:
        match zone:
            case TileBoard():
                draw_tile_board(mat_pdf, zone)
            case TileHeap(spot=spot, outline_mm=outline_mm):
                seat = int(spot.removeprefix("seat").partition(".")[0])
                mat_pdf.polygon(outline_mm, dashed=True)
                mat_pdf.text(_middle(outline_mm), f"Hand of player {seat + 1}")
            case PyramidZone(spot=spot, outline_mm=outline_mm, kind=kind):
                owner = spot.partition(".")[0]
                whose = f" of player {int(owner.removeprefix('seat')) + 1}" if owner.startswith("seat") else ""
                mat_pdf.polygon(outline_mm, dashed=True)
                mat_pdf.text(_middle(outline_mm), kind.capitalize() + whose)
            case PyramidBoard():
                PrintedCells(mat_pdf.canvas, mat_pdf.at, zone, mat_pdf.words).draw()
            case DiceTray():
                # Lines and letters among dice would look like pips, so the words are between two markers.
                rim_mm = zone.outline_mm or plan.mat.corners_mm()
                owner = zone.spot.partition(".")[0]
                above_mm = _middle(rim_mm)[0], min(y for _, y in rim_mm)
                if owner.startswith("seat"):
                    mat_pdf.text(above_mm, f"Die of player {int(owner.removeprefix('seat')) + 1}", 8)
                else:
                    mat_pdf.text(above_mm, "Dice tray")
            case CardZone(spot=spot, outline_mm=outline_mm):
                owner, _, name = spot.rpartition(".")
                whose = f" of player {int(owner.removeprefix('seat')) + 1}" if owner.startswith("seat") else ""
                mat_pdf.polygon(outline_mm, dashed=True)
                mat_pdf.text(_middle(outline_mm), name.capitalize() + whose, 8)
            case PawnBoard(center_mm=None):
                pass
            case PawnBoard():
                PrintedWheel(mat_pdf.canvas, mat_pdf.at, zone, mat_pdf.words).draw()
    for number in range(4):
        mat_pdf.marker(number, pattern(number))


def draw_notes(canvas: Canvas, paper_mm: tuple[float, float], title: str, sheet: str, words: Words) -> None:
    """Draws the check line and the sheet's place in the lower margin."""
    canvas.setFont("Helvetica", 7)
    canvas.setLineWidth(0.6)
    y = 4.0 * mm
    canvas.line(MARGIN_MM * mm, y, (MARGIN_MM + 50) * mm, y)
    for x_mm in (MARGIN_MM, MARGIN_MM + 50):
        canvas.line(x_mm * mm, y - 1.2 * mm, x_mm * mm, y + 1.2 * mm)
    canvas.drawString((MARGIN_MM + 53) * mm, 3.2 * mm, words('must measure 50 mm: print at 100 %, not "fit to page"'))
    canvas.drawRightString((paper_mm[0] - MARGIN_MM) * mm, 3.2 * mm, f"{title}, {words(sheet)}")


def cut_sheets(mat: Mat, paper: str) -> tuple[Point, list[float], list[float]]:
    """Returns the size of the sheets of a print, portrait or landscape, and where they begin and end across and
    down.
    """
    upright = PAPERS_MM[paper]
    sides, whole = (mat.width_mm, mat.height_mm), uncut(mat)

    def cut(side: int, paper_mm: Point) -> list[float]:
        return cuts(sides[side] + 2 * BORDER_MM, paper_mm[side] - 2 * MARGIN_MM, whole[side])

    lying = upright[1], upright[0]
    paper_mm = min((upright, lying), key=lambda size: (len(cut(0, size)) - 1) * (len(cut(1, size)) - 1))
    return paper_mm, cut(0, paper_mm), cut(1, paper_mm)


def mat_pdf(plan: Plan, title: str, paper: str, pattern: Pattern, words: Words = str) -> bytes:
    """Returns the PDF of a plan's mat."""
    out = BytesIO()
    canvas = Canvas(out, invariant=1)
    canvas.setTitle(title)
    draw_mat(canvas, plan, title, paper, pattern, words)
    canvas.save()
    return out.getvalue()


def draw_mat(
    canvas: Canvas,
    plan: Plan,
    title: str,
    paper: str,
    pattern: Pattern,
    words: Words,
    draw_tile_board: Callable[[Poster, TileBoard], None] = outline_tile_board,
) -> None:
    """Draws a plan's mat on pages of its own: one print over as many sheets of `paper` as it needs.

    Neighboring sheets meet at the thin frame around their printed part: cut one of them there and glue it on.
    """
    paper_mm, across, down = cut_sheets(plan.mat, paper)
    columns, rows = len(across) - 1, len(down) - 1
    for row in range(rows):
        for column in range(columns):
            canvas.setPageSize((paper_mm[0] * mm, paper_mm[1] * mm))
            draw_notes(
                canvas,
                paper_mm,
                title,
                f"sheet {row * columns + column + 1} of {rows * columns}: row {row + 1}, column {column + 1}",
                words,
            )
            canvas.saveState()
            frame = canvas.beginPath()
            width, height = across[column + 1] - across[column], down[row + 1] - down[row]
            frame.rect(MARGIN_MM * mm, (paper_mm[1] - MARGIN_MM - height) * mm, width * mm, height * mm)
            canvas.setLineWidth(0.2)
            canvas.setStrokeGray(0.6)
            canvas.clipPath(frame, stroke=1, fill=0)
            canvas.setStrokeGray(0)
            canvas.translate((MARGIN_MM - across[column]) * mm, (paper_mm[1] - MARGIN_MM + down[row]) * mm)
            _draw(Poster(canvas, plan.mat, words), plan, pattern, draw_tile_board)
            canvas.restoreState()
            canvas.showPage()

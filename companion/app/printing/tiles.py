"""The 36 printed Spectrangle tiles, and their board: each color has its letter and a pattern along the edge.

Each colored sector is plain between its edge and the digit except for a small letter, because the reader compares the
colors of sectors with each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from companion.app.printing.mat_pdf import BORDER_MM, Poster
from companion.app.printing.pen import BLACK, WHITE, Ink, Pen, against, between
from companion.app.printing.sheets import Part, Run
from companion.core.pieces import TILES, Tile
from companion.core.plan import Point, TileBoard

SIDE_MM = 50.0
HEIGHT_MM = SIDE_MM * math.sqrt(3) / 2
TILE_INKS: dict[str, Ink] = {
    "R": (0.86, 0.13, 0.15),
    "G": (0.10, 0.55, 0.26),
    "B": (0.13, 0.33, 0.78),
    "Y": (0.98, 0.84, 0.10),
    "P": (0.46, 0.18, 0.62),
    "W": (1.0, 1.0, 1.0),
}
"""The ink of each edge letter."""
_BAND_MM = 2.0
"""The width of the pattern along an edge."""
_DISC_MM, _DIGIT_MM = 5.4, 6.6
_GROUND: Ink = (0.42, 0.44, 0.48)
"""The color of the board's surface, which differs from white and from dark tiles."""
_RIM_MM = 10.7
BONUS: dict[int, int] = {10: 2, 14: 2, 30: 2, 2: 3, 26: 3, 34: 3, 11: 4, 13: 4, 20: 4}
"""The cells with a printed factor (TRI-5)."""


def tile_run() -> Run:
    """Returns all tiles, to be glued on card; upward and downward ones alternate, so neighbors share a cut."""
    return Run(
        "Glue the sheet on card of 2 to 5 mm, then cut out the 36 tiles along the thin lines.",
        tuple(tile_part(tile) for tile in TILES),
        2.0,
    )


def tile_part(tile: Tile) -> Part:
    """Returns a tile with its tip up."""
    corners = (SIDE_MM / 2, 0.0), (SIDE_MM, HEIGHT_MM), (0.0, HEIGHT_MM)

    def draw(pen: Pen) -> None:
        tip, right, left = corners
        middle = SIDE_MM / 2, HEIGHT_MM * 2 / 3
        for letter, one, other in ((tile.left, left, tip), (tile.right, tip, right), (tile.flat, right, left)):
            _sector(pen, letter, middle, one, other)
        for corner in corners:
            pen.line(middle, corner, BLACK, 0.35)
        pen.circle(middle, _DISC_MM, fill=WHITE, line=BLACK, width_mm=0.3)
        pen.text(str(tile.value), middle, _DIGIT_MM)
        if tile.value == 6:
            pen.line((middle[0] - 2.2, middle[1] + 4.2), (middle[0] + 2.2, middle[1] + 4.2), BLACK, 0.5)

    return Part(tile.name, (SIDE_MM, HEIGHT_MM), draw, outline_mm=corners)


def _sector(pen: Pen, letter: str, middle: Point, one: Point, other: Point) -> None:
    ink = TILE_INKS[letter]
    pen.polygon((middle, one, other), fill=ink)
    mark = against(ink)
    foot = between(one, other, 0.5)
    depth = math.dist(foot, middle)
    step = (middle[0] - foot[0]) / depth, (middle[1] - foot[1]) / depth

    def at(along: float, in_mm: float) -> Point:
        x, y = between(one, other, along)
        return x + step[0] * in_mm, y + step[1] * in_mm

    _PATTERNS[letter](pen, at, mark)
    heading = math.degrees(math.atan2(-step[1], step[0]))
    pen.text(letter, at(0.5, 4.3), 3.2, ink=mark, turn_deg=heading - 90)


_At = Callable[[float, float], Point]
"""Returns a point by its share of the way along an edge and its distance in mm from the edge."""


def _ticks(shares: Sequence[float], slant: float) -> Callable[[Pen, _At, Ink], None]:
    def draw(pen: Pen, at: _At, ink: Ink) -> None:
        for share in shares:
            pen.line(at(share - slant, 0.5), at(share + slant, _BAND_MM), ink, 0.35)

    return draw


def _dots(pen: Pen, at: _At, ink: Ink) -> None:
    for k in range(13):
        pen.circle(at(0.14 + 0.06 * k, 1.2), 0.5, fill=ink)


def _stripe(pen: Pen, at: _At, ink: Ink) -> None:
    for in_mm in (0.8, 1.7):
        pen.line(at(0.12, in_mm), at(0.88, in_mm), ink, 0.35)


def _lattice(pen: Pen, at: _At, ink: Ink) -> None:
    for slant in (-0.02, 0.02):
        _ticks([0.14 + 0.045 * k for k in range(17)], slant)(pen, at, ink)


def _plain(pen: Pen, at: _At, ink: Ink) -> None:
    pen.line(at(0.12, 0.4), at(0.88, 0.4), ink, 0.2)


_PATTERNS: dict[str, Callable[[Pen, _At, Ink], None]] = {
    "R": _ticks([0.14 + 0.045 * k for k in range(17)], 0.018),
    "G": _dots,
    "B": _stripe,
    "Y": _ticks([0.14 + 0.06 * k for k in range(13)], 0.0),
    "P": _lattice,
    "W": _plain,
}
"""Red has slanted lines, green dots, blue two lines along the edge, yellow upright lines, and purple a lattice."""


def draw_board(poster: Poster, board: TileBoard) -> None:
    """Draws the board on its mat."""
    if board.corners_mm is not None:
        apex, left, right = ((x + BORDER_MM, y + BORDER_MM) for x, y in board.corners_mm)
        PrintedTriangle(Pen(poster.canvas, poster.words), (apex, left, right)).draw()


class PrintedTriangle:
    """The Spectrangle board on a mat: tray, lattice and the factors of bonus cells."""

    def __init__(self, pen: Pen, corners_mm: tuple[Point, Point, Point]) -> None:
        self.pen = pen
        self.apex, self.left, self.right = corners_mm

    def at(self, row: float, across: float) -> Point:
        """Returns a point of the lattice: `row` rows below the apex, `across` cells from the left side."""
        down = between(self.apex, self.left, row / 6)
        return down[0] + across * (self.right[0] - self.left[0]) / 6, down[1] + across * (
            self.right[1] - self.left[1]
        ) / 6

    def draw(self) -> None:
        """Draws the whole board."""
        pen = self.pen
        middle = between(between(self.apex, self.left, 0.5), self.right, 1 / 3)
        inradius = SIDE_MM * 6 / (2 * math.sqrt(3))
        grown = [between(middle, corner, 1 + _RIM_MM / inradius) for corner in (self.apex, self.right, self.left)]
        pen.polygon(grown, fill=_GROUND, line=BLACK, width_mm=0.6)
        for k in range(1, 6):
            pen.line(self.at(k, 0), self.at(k, k), WHITE, 0.7)
            pen.line(self.at(k, k), self.at(6, k), WHITE, 0.7)
            pen.line(self.at(k, 0), self.at(6, 6 - k), WHITE, 0.7)
        pen.polygon((self.apex, self.right, self.left), line=BLACK, width_mm=1.0)
        up = math.degrees(math.atan2(middle[1] - self.apex[1], self.apex[0] - middle[0]))
        for cell, factor in BONUS.items():
            pen.text(f"x{factor}", self.middle_of(cell), 6.0, ink=WHITE, turn_deg=up - 90)

    def middle_of(self, cell: int) -> Point:
        """Returns the middle of a cell (TRI-4)."""
        row = math.isqrt(cell)
        column = cell - row * row
        if column % 2 == 0:
            return self.at(row + 2 / 3, column / 2 + 1 / 3)
        return self.at(row + 1 / 3, (column - 1) / 2 + 2 / 3)

"""The printed Spectrum board: twelve paths of nine spaces, each marked by color, name, letters and pattern.

Spaces are plain, because the reader compares them with each other; letters are small and at the edges of the spaces,
and each path's pattern runs along its rim outside of the wheel, where no pawn stands.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from companion.core.foundation.words import Words
from companion.core.pieces import PRIMARIES, WHEEL
from companion.core.plan import PawnBoard, Point

INKS: dict[str, tuple[float, float, float]] = {
    "red": (0.87, 0.15, 0.16),
    "red-orange": (0.90, 0.36, 0.18),
    "orange": (0.94, 0.54, 0.17),
    "orange-yellow": (0.96, 0.70, 0.18),
    "yellow": (0.97, 0.88, 0.22),
    "yellow-green": (0.64, 0.79, 0.25),
    "green": (0.16, 0.60, 0.29),
    "green-blue": (0.13, 0.60, 0.62),
    "blue": (0.15, 0.35, 0.75),
    "blue-purple": (0.33, 0.28, 0.68),
    "purple": (0.51, 0.24, 0.64),
    "purple-red": (0.74, 0.20, 0.45),
}
"""Red, green and blue of each path, 0 to 1; primaries match the pawns."""

RINGS = 9
HUB_SHARE = 1 / 8
"""The inner edge of space 9 divided by the radius (BRD-2)."""
PATTERN_MM = (5.0, 12.0)
"""The inner and the outer edge of the pattern's band, in mm outside of the wheel's rim."""

_Place = Callable[[Point], tuple[float, float]]
"""Converts table millimeters to canvas points."""


def letters(color: str) -> str:
    """Returns a path's letters: "R", "RO"."""
    return "".join(part[0].upper() for part in color.split("-"))


class PrintedWheel:
    """A drawing of one board on a canvas."""

    def __init__(self, canvas: Canvas, place: _Place, board: PawnBoard, words: Words) -> None:
        self.canvas = canvas
        self.words = words
        self.place = place
        self.center_mm = board.center_mm or (0.0, 0.0)
        self.radius_mm = board.radius_mm or 240.0
        self.heading_deg = board.red_heading_deg or 0.0

    def at(self, away_mm: float, heading_deg: float) -> tuple[float, float]:
        """Returns the canvas point of a place on the wheel; headings are counter-clockwise, 0 is +x."""
        angle = math.radians(heading_deg)
        x, y = self.center_mm
        return self.place((x + away_mm * math.cos(angle), y - away_mm * math.sin(angle)))

    def draw(self) -> None:
        """Draws the whole board."""
        for path, color in enumerate(WHEEL):
            middle = self.heading_deg - path * 30
            self._sector(color, middle)
            self._pattern(path, middle)
            self._words(color, middle)
        self._lines()

    def _sector(self, color: str, middle_deg: float) -> None:
        x, y = self.at(0, 0)
        reach = self.radius_mm * mm
        self.canvas.setFillColorRGB(*INKS[color])
        self.canvas.wedge(x - reach, y - reach, x + reach, y + reach, middle_deg - 15, 30, stroke=0, fill=1)
        self.canvas.setFillGray(0)

    def _words(self, color: str, middle_deg: float) -> None:
        ring_mm = self.radius_mm * (1 - HUB_SHARE) / RINGS
        if color in PRIMARIES:
            self._star(self.radius_mm - ring_mm / 2, middle_deg, ring_mm / 3, (1, 1, 1), filled=False)
        self._star(self.radius_mm - (RINGS - 0.5) * ring_mm, middle_deg, ring_mm / 5, (0.92, 0.75, 0.35), filled=True)
        for ring in range(1, RINGS):
            # The name is at the clockwise edge of the space, away from the pawn.
            away = self.radius_mm - (ring - 0.5) * ring_mm
            turn = 15 - math.degrees(4.5 / away)
            self._text(f"{letters(color)}{ring}", away, middle_deg - turn, 7)
        self._text(f"{self.words(color)} ({letters(color)})", self.radius_mm + PATTERN_MM[1] + 4, middle_deg, 11)

    def _text(self, text: str, away_mm: float, heading_deg: float, size: float) -> None:
        """Draws a line of text that reads from outside of the wheel."""
        self.canvas.saveState()
        self.canvas.translate(*self.at(away_mm, heading_deg))
        self.canvas.rotate(heading_deg - 90)
        self.canvas.setFont("Helvetica", size)
        self.canvas.drawCentredString(0, -size / 3, text)
        self.canvas.restoreState()

    def _pattern(self, path: int, middle_deg: float) -> None:
        """Draws a band of short lines or dots outside of the rim, different for each path."""
        inner, outer = (self.radius_mm + away for away in PATTERN_MM)
        half = (inner + outer) / 2
        self.canvas.setLineWidth(1.2)
        step = 2.0 + 0.7 * (path % 4)
        count = int(26 / step)
        for k in range(count + 1):
            turn = middle_deg - 13 + 26 * k / count
            slant = (-1, 0, 1)[path // 4] * step / 2
            if path % 2 == 0:
                self.canvas.line(*self.at(inner, turn - slant), *self.at(outer, turn + slant))
            else:
                self.canvas.line(*self.at(inner, turn - slant), *self.at(half - 1, turn))
                self.canvas.circle(*self.at(outer - 1, turn + slant), 0.8 * mm, stroke=0, fill=1)

    def _star(
        self, away_mm: float, heading_deg: float, size_mm: float, ink: tuple[float, float, float], filled: bool
    ) -> None:
        x, y = self.at(away_mm, heading_deg)
        path = self.canvas.beginPath()
        for k in range(10):
            reach = size_mm * (1 if k % 2 == 0 else 0.45) * mm
            angle = math.radians(heading_deg + 36 * k)
            to = x + reach * math.cos(angle), y + reach * math.sin(angle)
            if k:
                path.lineTo(*to)
            else:
                path.moveTo(*to)
        path.close()
        self.canvas.setStrokeColorRGB(*ink)
        self.canvas.setFillColorRGB(*ink)
        self.canvas.setLineWidth(2)
        self.canvas.drawPath(path, stroke=not filled, fill=filled)
        self.canvas.setStrokeGray(0)
        self.canvas.setFillGray(0)

    def _lines(self) -> None:
        self.canvas.setLineWidth(1.6)
        x, y = self.at(0, 0)
        hub = self.radius_mm * HUB_SHARE
        self.canvas.setFillGray(1)
        self.canvas.circle(x, y, hub * mm, stroke=1, fill=1)
        self.canvas.setFillGray(0)
        for path in range(len(WHEEL)):
            edge = self.heading_deg + 15 - path * 30
            self.canvas.line(*self.at(hub, edge), *self.at(self.radius_mm, edge))
        for ring in range(1, RINGS):
            self.canvas.circle(x, y, (self.radius_mm - ring * (self.radius_mm - hub) / RINGS) * mm, stroke=1, fill=0)
        self.canvas.setLineWidth(4)
        self.canvas.circle(x, y, self.radius_mm * mm, stroke=1, fill=0)
        self.canvas.setLineWidth(0.8)

"""A pen in millimeters for a PDF canvas: y goes down the sheet, headings and turns are counter-clockwise."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from companion.core.foundation.words import Words
from companion.core.plan import Point

Ink = tuple[float, float, float]
"""Red, green and blue, each 0 to 1."""

BLACK: Ink = (0.0, 0.0, 0.0)
WHITE: Ink = (1.0, 1.0, 1.0)
PLAIN, BOLD = "Helvetica", "Helvetica-Bold"
CAP = 0.718
"""The height of Helvetica's digits and capitals divided by the size of the font."""


class Pen:
    """Draws on a canvas in millimeters, relative to its present origin."""

    def __init__(self, canvas: Canvas, words: Words) -> None:
        self.canvas = canvas
        self.words = words

    @contextmanager
    def moved(self, at_mm: Point, turn_deg: float = 0.0) -> Iterator[Pen]:
        """Moves the origin of the pen and turns it while the context is active."""
        self.canvas.saveState()
        self.canvas.translate(at_mm[0] * mm, -at_mm[1] * mm)
        self.canvas.rotate(turn_deg)
        yield self
        self.canvas.restoreState()

    def polygon(
        self,
        points_mm: Sequence[Point],
        *,
        fill: Ink | None = None,
        line: Ink | None = None,
        width_mm: float = 0.3,
        dashed: bool = False,
    ) -> None:
        """Draws a closed outline, with a fill, a line or both."""
        path = self.canvas.beginPath()
        path.moveTo(points_mm[0][0] * mm, -points_mm[0][1] * mm)
        for x, y in points_mm[1:]:
            path.lineTo(x * mm, -y * mm)
        path.close()
        self._set(fill, line, width_mm)
        if dashed:
            self.canvas.setDash(4, 3)
        self.canvas.drawPath(path, stroke=int(line is not None), fill=int(fill is not None))
        if dashed:
            self.canvas.setDash(1, 0)

    def rectangle(
        self, at_mm: Point, size_mm: Point, *, fill: Ink | None = None, line: Ink | None = None, width_mm: float = 0.3
    ) -> None:
        """Draws an upright rectangle from its top left corner."""
        (x, y), (w, h) = at_mm, size_mm
        self.polygon(((x, y), (x + w, y), (x + w, y + h), (x, y + h)), fill=fill, line=line, width_mm=width_mm)

    def circle(
        self, at_mm: Point, radius_mm: float, *, fill: Ink | None = None, line: Ink | None = None, width_mm: float = 0.3
    ) -> None:
        """Draws a circle."""
        self._set(fill, line, width_mm)
        self.canvas.circle(
            at_mm[0] * mm, -at_mm[1] * mm, radius_mm * mm, stroke=int(line is not None), fill=int(fill is not None)
        )

    def line(
        self, start_mm: Point, end_mm: Point, ink: Ink = BLACK, width_mm: float = 0.3, *, dashed: bool = False
    ) -> None:
        """Draws a straight line."""
        self._set(None, ink, width_mm)
        if dashed:
            self.canvas.setDash(4, 3)
        self.canvas.line(start_mm[0] * mm, -start_mm[1] * mm, end_mm[0] * mm, -end_mm[1] * mm)
        if dashed:
            self.canvas.setDash(1, 0)

    def text(
        self,
        text: str,
        at_mm: Point,
        height_mm: float,
        *,
        ink: Ink = BLACK,
        font: str = BOLD,
        turn_deg: float = 0.0,
        side: str = "middle",
        widest_mm: float | None = None,
    ) -> None:
        """Draws a line of untranslated text with capitals `height_mm` high, vertically centered at `at_mm`.

        Args:
            side: The part of the text that is at `at_mm`: "middle", "left" or "right".
            widest_mm: The largest width; wider text is made smaller.
        """
        size = height_mm * mm / CAP
        if widest_mm is not None:
            size = min(size, size * widest_mm * mm / max(stringWidth(text, font, size), 1e-6))
        self.canvas.saveState()
        self.canvas.translate(at_mm[0] * mm, -at_mm[1] * mm)
        self.canvas.rotate(turn_deg)
        self.canvas.setFillColorRGB(*ink)
        self.canvas.setFont(font, size)
        draw = {
            "middle": self.canvas.drawCentredString,
            "left": self.canvas.drawString,
            "right": self.canvas.drawRightString,
        }[side]
        draw(0, -size * CAP / 2, text)
        self.canvas.restoreState()

    def said(self, sentence: str, at_mm: Point, height_mm: float, **more: object) -> None:
        """Draws a line of text in the language of the print."""
        self.text(self.words(sentence), at_mm, height_mm, **more)  # type: ignore[arg-type]

    def _set(self, fill: Ink | None, line: Ink | None, width_mm: float) -> None:
        if fill is not None:
            self.canvas.setFillColorRGB(*fill)
        if line is not None:
            self.canvas.setStrokeColorRGB(*line)
            self.canvas.setLineWidth(width_mm * mm)


def around(middle_mm: Point, away_mm: float, heading_deg: float) -> Point:
    """Returns the point at a distance and heading from another one."""
    angle = math.radians(heading_deg)
    return middle_mm[0] + away_mm * math.cos(angle), middle_mm[1] - away_mm * math.sin(angle)


def between(one_mm: Point, other_mm: Point, share: float) -> Point:
    """Returns the point at a share of the way from one point to another."""
    return one_mm[0] + share * (other_mm[0] - one_mm[0]), one_mm[1] + share * (other_mm[1] - one_mm[1])


def darkness(ink: Ink) -> float:
    """Returns how dark an ink looks, from 0 (white) to 1 (black)."""
    return 1 - (0.2126 * ink[0] + 0.7152 * ink[1] + 0.0722 * ink[2])


def against(ink: Ink) -> Ink:
    """Returns black or white, whichever is easier to read on an ink."""
    return WHITE if darkness(ink) > 0.45 else BLACK

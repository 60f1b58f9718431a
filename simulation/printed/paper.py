"""Prints the PDFs that this project writes: converts pages to pixels.

It knows the operators that reportlab writes for outlines, inks and lines of text, and refuses all others, so that an
unknown drawing fails a test instead of being left out. Letters come from Pillow's default font; each line of text has
the width that it has in the PDF.
"""

from __future__ import annotations

import re
import zlib
from base64 import a85decode
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from reportlab.pdfbase.pdfmetrics import stringWidth

from vision.image.picture import Picture

Floats = NDArray[Any]

POINT_MM = 25.4 / 72
PX_PER_MM = 6.0
_SHIFT = 4
_CURVE = np.linspace(0, 1, 9)[1:, None]
_TOKEN = re.compile(rb"\((?:\\.|[^\\()])*\)|\[[^]]*\]|[^\s()\[\]]+", re.DOTALL)
_OPERAND = re.compile(rb"[-+.\d]+|/\w+|\(.*\)|\[.*\]", re.DOTALL)
_FONTS = {b"/F1": "Helvetica", b"/F2": "Helvetica-Bold"}
_BOLD = {"Helvetica": 0.0, "Helvetica-Bold": 0.016}
"""The widening of strokes on both sides, as a share of the font's size."""


class Page(NamedTuple):
    """The picture of a page, and the size of its paper."""

    picture: Picture
    size_mm: tuple[float, float]

    def cut(self, at_mm: tuple[float, float], size_mm: tuple[float, float]) -> Picture:
        """Returns the rectangle of the page with this top left corner and size."""
        x0, y0 = (round(value * PX_PER_MM) for value in at_mm)
        x1, y1 = (round((value + side) * PX_PER_MM) for value, side in zip(at_mm, size_mm, strict=True))
        return self.picture[y0:y1, x0:x1]


def contents(pdf: bytes) -> list[bytes]:
    """Returns the uncompressed drawing operators of each page."""
    return [_content(pdf, number) for number in range(len(_streams(pdf)))]


@lru_cache(maxsize=4)
def _streams(pdf: bytes) -> list[bytes]:
    return re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.S)


def _content(pdf: bytes, number: int) -> bytes:
    return zlib.decompress(a85decode(_streams(pdf)[number].strip().removesuffix(b"~>")))


def sizes_mm(pdf: bytes) -> list[tuple[float, float]]:
    """Returns the width and height of each page."""
    boxes = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)
    return [(float(width) * POINT_MM, float(height) * POINT_MM) for width, height in boxes]


class Outline(NamedTuple):
    """A drawn line."""

    points_mm: Floats
    """The points (N, 2) from the top left corner of the page; a closed line ends where it begins."""
    ink: tuple[float, float, float]


def outlines(pdf: bytes, number: int) -> list[Outline]:
    """Returns all drawn lines of a page, however thin."""
    printer = _Printer(sizes_mm(pdf)[number])
    printer.run(_content(pdf, number))
    return printer.outlines


def print_page(pdf: bytes, number: int) -> Page:
    """Returns a printed page, in B, G, R."""
    size_mm = sizes_mm(pdf)[number]
    printer = _Printer(size_mm)
    printer.run(_content(pdf, number))
    return Page(printer.picture, size_mm)


class _State(NamedTuple):
    matrix: Floats
    """The affine transform (2, 3) from points of the PDF to pixels."""
    fill: tuple[float, float, float]
    stroke: tuple[float, float, float]
    width: float
    dash: tuple[float, ...]
    font: tuple[str, float]
    clip: tuple[int, int, int, int]


class _Printer:
    def __init__(self, size_mm: tuple[float, float]) -> None:
        width, height = (round(side * PX_PER_MM) for side in size_mm)
        self.picture = np.full((height, width, 3), 255, np.uint8)
        scale = POINT_MM * PX_PER_MM
        matrix = np.array([[scale, 0, 0], [0, -scale, height]])
        black = (0.0, 0.0, 0.0)
        self.state = _State(matrix, black, black, 1.0, (), ("Helvetica", 12.0), (0, 0, width, height))
        self.kept: list[_State] = []
        self.path: list[list[Floats]] = []
        self.clips = False
        self.outlines: list[Outline] = []
        self.text_at = np.eye(2, 3)

    def run(self, content: bytes) -> None:
        """Carries out the operators of a drawing."""
        numbers: list[bytes] = []
        for token in _TOKEN.findall(content):
            if _OPERAND.fullmatch(token):
                numbers.append(token)
            else:
                self._do(token.decode(), numbers)
                numbers = []

    def _do(self, operator: str, given: list[bytes]) -> None:
        state = self.state
        match operator:
            case "q":
                self.kept.append(state)
            case "Q":
                self.state = self.kept.pop()
            case "cm":
                self.state = state._replace(matrix=_after(state.matrix, _six(given)))
            case "rg" | "g":
                self.state = state._replace(fill=_ink(given))
            case "RG" | "G":
                self.state = state._replace(stroke=_ink(given))
            case "w":
                self.state = state._replace(width=float(given[0]))
            case "d":
                self.state = state._replace(dash=tuple(float(part) for part in given[0].strip(b"[]").split()))
            case "n":
                if self.clips:
                    self._clip()
                self.path, self.clips = [], False
            case "m" | "l" | "c" | "h" | "re":
                self._outline(operator, [float(number) for number in given])
            case "W*":
                self.clips = True
            case "f*" | "f" | "B*" | "S":
                self._paint(filled=operator != "S", stroked=operator in ("S", "B*"))
            case "Tf":
                self.state = state._replace(font=(_FONTS[given[0]], float(given[1])))
            case "Tm":
                self.text_at = _six(given)
            case "Tj":
                self._text(_string(given[0]))
            case "BT" | "ET" | "TL" | "T*":
                pass
            case _:
                raise ValueError(f"The printer does not know {operator!r}.")

    def _outline(self, operator: str, at: list[float]) -> None:
        match operator:
            case "m":
                self.path.append([np.array(at)])
            case "l":
                self.path[-1].append(np.array(at))
            case "c":
                a, b, c, d = self.path[-1][-1], np.array(at[:2]), np.array(at[2:4]), np.array(at[4:])
                t, s = _CURVE, 1 - _CURVE
                self.path[-1] += list(s**3 * a + 3 * s * s * t * b + 3 * s * t * t * c + t**3 * d)
            case "h":
                self.path[-1].append(self.path[-1][0])
            case _:
                x, y, w, h = at
                self.path.append([np.array(p) for p in ((x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y))])

    def _pixels(self) -> Iterator[Floats]:
        matrix = self.state.matrix
        for part in self.path:
            yield np.array(part) @ matrix[:, :2].T + matrix[:, 2]

    def _clip(self) -> None:
        points = np.concatenate(list(self._pixels()))
        (x0, y0), (x1, y1) = np.round(points.min(0)).astype(int), np.round(points.max(0)).astype(int)
        a, b, c, d = self.state.clip
        self.state = self.state._replace(clip=(max(a, x0), max(b, y0), min(c, x1), min(d, y1)))

    def _view(self) -> tuple[Picture, Floats]:
        x0, y0, x1, y1 = self.state.clip
        return self.picture[y0:y1, x0:x1], np.array([x0, y0])

    def _paint(self, filled: bool, stroked: bool) -> None:
        if self.clips:
            self._clip()
        view, corner = self._view()
        shapes = [np.round((part - corner) * (1 << _SHIFT)).astype(np.int32) for part in self._pixels()]
        if filled and view.size:
            cv2.fillPoly(view, shapes, _levels(self.state.fill), cv2.LINE_AA, _SHIFT)
        if stroked:
            self.outlines += [Outline(part / PX_PER_MM, self.state.stroke) for part in self._pixels()]
        if stroked and view.size:
            scale = float(np.sqrt(abs(np.linalg.det(self.state.matrix[:, :2]))))
            thick = max(1, round(self.state.width * scale))
            for part in self._pixels():
                for dash in _dashes(part - corner, [length * scale for length in self.state.dash]):
                    points = np.round(dash * (1 << _SHIFT)).astype(np.int32).reshape(-1, 1, 2)
                    cv2.polylines(view, [points], False, _levels(self.state.stroke), thick, cv2.LINE_AA, _SHIFT)
        self.path, self.clips = [], False

    def _text(self, text: str) -> None:
        view, corner = self._view()
        if not text.strip() or not view.size:
            return
        (font, size), matrix = self.state.font, _after(self.state.matrix, self.text_at)
        letters, unit = _lettering(text, font)
        wide = stringWidth(text, font, size) / letters.shape[1]
        high = size / unit
        # The bitmap's origin is its lower left corner, which is `_BELOW` of the font's size below the base line.
        place = np.array([[wide, 0, 0], [0, -high, high * letters.shape[0] - _BELOW * size]])
        full = _after(matrix, place)
        full[:, 2] -= corner
        high_px, wide_px = letters.shape
        ends = np.array([(0, 0), (wide_px, 0), (wide_px, high_px), (0, high_px)]) @ full[:, :2].T + full[:, 2]
        x0, y0 = np.clip(np.floor(ends.min(0)).astype(int) - 1, 0, (view.shape[1], view.shape[0]))
        x1, y1 = np.clip(np.ceil(ends.max(0)).astype(int) + 2, 0, (view.shape[1], view.shape[0]))
        if x0 >= x1 or y0 >= y1:
            return
        fine = 3
        full[:, 2] -= (x0, y0)
        box_px = (int(x1 - x0), int(y1 - y0))
        large = cv2.warpAffine(letters, full * fine, (box_px[0] * fine, box_px[1] * fine), flags=cv2.INTER_AREA)
        alpha = cv2.resize(large, box_px, interpolation=cv2.INTER_AREA) / 255.0
        box = view[y0:y1, x0:x1]
        box[:] = np.round(box + (np.array(_levels(self.state.fill)) - box) * alpha[..., None])


_UNIT_PX = 96
_BELOW = 0.25


@lru_cache(maxsize=512)
def _lettering(text: str, font: str) -> tuple[NDArray[np.uint8], float]:
    """Returns a line of text, white on black, and the number of pixels per unit of the font's size."""
    face = ImageFont.load_default(_UNIT_PX)
    # The height of capitals is 0.718 of the size in Helvetica; the unit is chosen to match that.
    cap = face.getbbox("H", anchor="ls")
    unit = -cap[1] / 0.718
    length = max(1, round(face.getlength(text)))
    image = Image.new("L", (length, round(unit * (1 + _BELOW))), 0)
    stroke = round(_BOLD[font] * _UNIT_PX * 2)
    ImageDraw.Draw(image).text((0, unit), text, fill=255, font=face, anchor="ls", stroke_width=stroke)
    return np.asarray(image), unit


def _after(matrix: Floats, first: Floats) -> Floats:
    """Returns the transform that applies `first`, then `matrix`."""
    return np.hstack([matrix[:, :2] @ first[:, :2], (matrix[:, :2] @ first[:, 2] + matrix[:, 2])[:, None]])


def _six(given: list[bytes]) -> Floats:
    a, b, c, d, e, f = (float(number) for number in given)
    return np.array([[a, c, e], [b, d, f]])


def _ink(given: list[bytes]) -> tuple[float, float, float]:
    parts = [float(part) for part in given]
    red, green, blue = parts if len(parts) == 3 else parts * 3
    return red, green, blue


def _levels(ink: tuple[float, float, float]) -> tuple[float, float, float]:
    red, green, blue = ink
    return blue * 255, green * 255, red * 255


def _string(token: bytes) -> str:
    plain = re.sub(rb"\\(\d{3})", lambda found: bytes([int(found[1], 8)]), token[1:-1])
    return re.sub(rb"\\(.)", rb"\1", plain).decode("cp1252")


def _dashes(points: Floats, pattern: list[float]) -> Iterator[Floats]:
    """Yields the pieces of an outline in pixels; the whole outline if the pattern has no gaps."""
    if len(pattern) < 2 or pattern[1] == 0:
        yield points
        return
    for a, b in pairwise(points):
        length = float(np.hypot(*(b - a)))
        at = 0.0
        while at < length:
            yield np.array([a + (b - a) * at / length, a + (b - a) * min(at + pattern[0], length) / length])
            at += sum(pattern)

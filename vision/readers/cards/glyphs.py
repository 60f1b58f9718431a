"""Separates the print in a card's index corner by its ink: the number, the sign under it, and the ground.

The layout is unknown: the ground is the most frequent color of the corner, ink differs from it, and the number is the
topmost row of ink with the height of a digit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.image.packed_net import load_net
from vision.readers.cards.deck import LETTERS, RANKS
from vision.readers.cards.weights import LETTERING

TEXTS = (*(str(rank) for rank in range(1, RANKS + 1)), *LETTERS)
"""The possible texts of a row; after these comes "none of them"."""
INK_MEAN = 0.3
"""The number subtracted from each pixel of a row before it is read."""


class Lettering:
    """Small convolutional nets that read rows of ink; together they err less than each of them."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._nets = [load_net(path) for path in paths]

    def read(self, rows: Floats) -> Floats:
        """Returns (N, texts + 1): log probabilities for rows (N, 24, 36)."""
        given = np.ascontiguousarray(rows[:, None], np.float32) - np.float32(INK_MEAN)
        total = np.zeros((len(rows), len(TEXTS) + 1))
        for net in self._nets:
            net.setInput(given)
            total += _normalized(net.forward().reshape(len(rows), -1).astype(np.float64))
        return _normalized(total / len(self._nets))


def _normalized(values: Floats) -> Floats:
    return np.asarray(values - np.logaddexp.reduce(values, axis=1, keepdims=True))


@cache
def load_lettering() -> Lettering:
    """Returns the nets of this version."""
    return Lettering(LETTERING)


Floats = NDArray[Any]

PX_PER_MM = 4
CORNER_MM = (23.0, 27.0)
"""The width and height in millimeters of the examined part of a card, from the card's own corner."""
GLYPH_PX = (36, 24)
"""The width and height in pixels of a row of ink for the net."""
_HIGH_PX = 20
"""The height in pixels to which a row of ink is scaled."""
_LEAST_INK = 7.0
"""The distance in CIELAB from which a pixel may be ink."""
_SHARES = (0.2, 0.45, 0.7, 0.95, 1.3)
"""The thresholds for ink, relative to the one that separates a corner's pixels best."""
_OTHER_GROUND, _OTHER_SHARE = 20.0, 0.12
"""A ground may have two colors: the least distance of the second one in CIELAB, and the least share that it covers."""
_LINE_PX = 5
"""The largest width in pixels of the line between two halves."""
_FLAT = 0.33
"""Pieces with a lower ratio of height to width are bars."""
_LINE = 0.62
"""A straight run of ink along a larger share of a corner does not belong to a digit."""
_WAIST = 0.62
"""A row with less than this share of the ink above and below it separates two pieces that touch."""
_GAP = 0.85
"""The largest gap between digits of one number, as a share of their height."""
_COLORED = 18.0
"""The chroma from which a pixel has a color of the wheel."""
_SAME_PX = 1.0
"""Two thresholds whose rows differ by no more than this in pixels share one cut, which is read once."""
_SEEN = 0.3
"""A pixel shows the card if the share of its coarse cells is above this."""
_SPOT_MM, _SOLID = (np.array([2.2, 1.5]), np.array([7.5, 5.5])), 0.72
"""The least and largest sides of a spot of color in millimeters, and the least share of its box that it fills."""
_SPOT_CHROMA = 24.0
"""A spot with less chroma in CIELAB is a digit of which the parts touch."""
_SPOT_SHARES = (0.35, 0.5, 0.7, 0.9, 1.2, 1.6, 2.0)
"""The thresholds for such a spot, relative to the one that separates a corner's pixels best."""
_BAR_WITHIN, _BAR_BELOW, _BAR_THICK = 0.45, 0.5, 0.25
"""The part of a row above its foot and that below it in which a bar may lie, and the bar's largest thickness, as shares
of the height.
"""
_BAR_INK, _BAR_GAP = 0.3, 0.6
"""The least ink of a bar, relative to the threshold that separates ink from ground best; and the largest ink around it,
relative to its own.
"""
_BAR_FAINT, _BAR_EVEN, _BAR_DIP = 0.5, 0.8, 0.93
"""A thin bar has less than this share of a digit's ink, nearly evenly along it; blur fills the gap above it up to this
share of the bar's ink.
"""
_EDGE_MM = 0.5
"""Ink within this distance in millimeters of the edge is a border or another card."""
_LETTER_MM = (1.4, 6.5)
"""The heights in millimeters of signs under a number."""


class NumberSize(Struct, frozen=True):
    """The possible sizes of the number, in millimeters of a corner's patch."""

    heights_mm: tuple[float, float]
    widest_mm: float
    tall_mm: float
    """Taller pieces of ink may be a digit that touches the sign under it."""
    bordered: bool
    """True if frames and edges may run through the patch."""


INDEX_NUMBER = NumberSize((2.3, 10.0), 14.0, 6.5, bordered=True)
MIDDLE_NUMBER = NumberSize((4.5, 15.0), 21.0, 16.0, bordered=False)
"""The number in a card's middle, in a patch of half as many pixels a millimeter."""


class IndexCorner(Struct, frozen=True):
    """The separated parts of a card's corner."""

    ground: Floats
    """(3,): the color of the ground in CIELAB."""
    rows: tuple[tuple[Floats, Floats | None], ...]
    """(24, 36) float32, 0 to 1: the ink of the topmost row, and of the row under it if there is one, at several
    thresholds, since faint digits need a low one, and bold ones that touch the sign under them a high one.
    """
    spans: tuple[Floats, ...]
    """For each threshold, the place of the topmost row: x0, y0, x1, y1 in pixels."""
    inks: Floats
    """(N, 3): CIELAB of pixels that are far from gray."""
    lab: Floats
    """(H, W, 3): CIELAB of the corner."""
    apart: Floats
    """(H, W): the distance of each pixel from the ground in CIELAB."""
    high: float
    """The threshold that separates ink from ground best."""

    def underlined(self) -> bool:
        """Returns true if a bar lies below the topmost row: it shows which way up a 6 or a 9 is."""
        return any(self._bar_at_foot(span) for span in self.spans)

    def _bar_at_foot(self, span: Floats) -> bool:
        """Returns true if a bar lies below a row, or is its lowest part; a digit's own foot has no gap above it."""
        x0, y0, x1, y1 = span
        high, wide = y1 - y0, x1 - x0
        begin, end = round(y1 - _BAR_WITHIN * high), round(y1 + _BAR_BELOW * high)
        lines = self.apart[begin:end]
        whole, under = lines[:, round(x0) : round(x1)], lines[:, round(x0 + wide / 4) : round(x1 - wide / 4)]
        beside = lines[:, round(x1 + wide / 3) : round(x1 + 2 * wide / 3)]
        if len(lines) < 4 or not under.shape[1] or not beside.shape[1]:
            return False
        solid, most = np.percentile(under, 30, axis=1), np.percentile(whole, 90, axis=1)
        for row in range(1, len(lines) - 1):
            bar = solid[row]
            if bar < max(_BAR_INK * self.high, solid[row - 1 : row + 2].max()) or beside[row].mean() > _BAR_GAP * bar:
                continue
            faint = bar > _BAR_EVEN * most[row] and most[row] < _BAR_FAINT * most[:row].max()
            above = np.flatnonzero(most[:row] < (_BAR_DIP * most[row] if faint else _BAR_GAP * bar))
            below = row + np.flatnonzero(solid[row:] < _BAR_GAP * bar)
            if not len(above) or not len(below) or below[0] - above[-1] - 1 > max(_BAR_THICK * high, 2):
                continue
            if most[: above[-1]].max(initial=self.high if begin > y0 and not above[-1] else 0) > self.high / 2:
                return True
        return False

    def swatch(self) -> Floats | None:
        """Returns (2, 3): CIELAB of both halves of a solid spot of color on paper, the left one first, or None."""
        if np.hypot(*self.ground[1:]) >= _COLORED:
            return None
        return _swatch(self.lab, self.apart, self.high)


def cut_corner(patch: NDArray[np.uint8], seen: Floats, size: NumberSize = INDEX_NUMBER) -> IndexCorner | None:
    """Separates the parts of a corner.

    Args:
        patch: (H, W, 3) BGR, `PX_PER_MM`, upright, the card's corner at its upper left.
        seen: (H, W) 0 to 1, the visible part of this card.

    Returns:
        The parts, or None if too little of the corner is visible.
    """
    lab = cv2.cvtColor(patch.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    there = seen > _SEEN
    inner = there.copy()
    edge = round(1.5 * PX_PER_MM)
    inner[:edge] = inner[:, :edge] = False
    if inner.mean() < 0.3:
        return None
    ground = _ground(lab, inner)
    apart = np.linalg.norm(lab - ground, axis=2)
    chroma = np.hypot(lab[..., 1], lab[..., 2])
    halves = not size.bordered and np.hypot(*ground[1:]) > _COLORED
    if halves:
        other = inner & (apart > _OTHER_GROUND) & (chroma > _COLORED)
        halves = other.sum() > _OTHER_SHARE * inner.sum()
        if halves:
            apart = np.minimum(apart, np.linalg.norm(lab - np.median(lab[other], axis=0), axis=2))
    apart[~there] = 0
    high = _otsu(apart[inner])
    near = apart[inner]
    noise = float(np.median(near[near <= max(high, float(near.min()))]))
    rows: list[tuple[Floats, Floats | None]] = []
    spans: list[Floats] = []
    cuts: list[Floats] = []
    for level in dict.fromkeys(max(_LEAST_INK, 2.5 * noise, share * high) for share in _SHARES):
        ink = _without_borders(apart > level) if size.bordered else (apart > level).astype(np.uint8)
        if halves:  # Along the line where two halves meet, their colors are blurred to a third one.
            ink = cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones((_LINE_PX, _LINE_PX), np.uint8))
        boxes = _boxes(ink, apart, size.tall_mm)
        row = _row(boxes, size.heights_mm, 0.0, size.widest_mm)
        if row is None:
            continue
        under = _row(boxes, _LETTER_MM, row[3] - 1.0, size.widest_mm, across=(row[0], row[2]))
        cut = np.concatenate([row, np.zeros(4) if under is None else under])
        spans.append(row)
        same = next((k for k, one in enumerate(cuts) if np.abs(cut - one).max() <= _SAME_PX), None)
        cuts.append(cut)
        if same is not None:
            rows.append(rows[same])
            continue
        below = None if under is None else scaled_ink(apart, under, level)
        rows.append((scaled_ink(apart, row, level), below))
    return IndexCorner(ground, tuple(rows), tuple(spans), lab[there & (chroma > _COLORED)], lab, apart, high)


def _swatch(lab: Floats, apart: Floats, high: float) -> Floats | None:
    """Returns (2, 3): the colors of both halves of the most colored solid spot in a corner, or None."""
    height, width = apart.shape
    best, strongest = None, _SPOT_CHROMA
    for share in _SPOT_SHARES:
        ink = (apart > max(_LEAST_INK, share * high)).astype(np.uint8)
        stats = cv2.connectedComponentsWithStats(ink, connectivity=4)[2][1:]
        sides = stats[:, 2:4] / PX_PER_MM
        fits = (
            ((sides >= _SPOT_MM[0]) & (sides <= _SPOT_MM[1])).all(axis=1)
            & (stats[:, 4] > _SOLID * stats[:, 2] * stats[:, 3])
            & (stats[:, :2] > 0).all(axis=1)
            & (stats[:, 0] + stats[:, 2] < width)
            & (stats[:, 1] + stats[:, 3] < height)
        )
        for x, y, w, h, _ in stats[fits]:
            rows = slice(y + round(0.28 * h), y + max(round(0.72 * h), round(0.28 * h) + 1))
            ends = (0.14, 0.38), (0.62, 0.86)
            parts = [lab[rows, x + round(a * w) : x + max(round(b * w), round(a * w) + 1)] for a, b in ends]
            halves = np.stack([np.median(one.reshape(-1, 3), axis=0) for one in parts])
            chroma = float(np.hypot(halves[:, 1], halves[:, 2]).min())
            if chroma > strongest:
                best, strongest = halves, chroma
    return best


def scaled_ink(apart: Floats, box: Floats, level: float) -> Floats:
    """Returns (24, 36) float32: a row of ink at the height and place at which the net reads rows."""
    x0, y0, x1, y1 = (float(v) for v in box)
    scale = min(_HIGH_PX / max(y1 - y0, 1.0), (GLYPH_PX[0] - 2) / max(x1 - x0, 1.0))
    move = GLYPH_PX[0] / 2 - (x0 + x1) / 2 * scale, GLYPH_PX[1] / 2 - (y0 + y1) / 2 * scale
    warp = np.array([[scale, 0, move[0]], [0, scale, move[1]]])
    flags = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    pad = 1.0 * scale
    full = cv2.warpAffine(apart.astype(np.float32), warp, GLYPH_PX, flags=flags)
    columns = np.arange(GLYPH_PX[0])
    outside = (columns < x0 * scale + move[0] - pad) | (columns > x1 * scale + move[0] + pad)
    full[:, outside] = 0
    rows = np.arange(GLYPH_PX[1])
    full[(rows < y0 * scale + move[1] - pad) | (rows > y1 * scale + move[1] + pad)] = 0
    top = max(float(np.percentile(full, 97)), level)
    return np.asarray(np.clip(full / top, 0, 1), np.float32)


def _ground(lab: Floats, inner: NDArray[np.bool_]) -> Floats:
    """Returns the most frequent color of the corner."""
    pixels = np.ascontiguousarray(lab[inner].T)
    middle = np.median(pixels, axis=1)
    for reach in (25.0, 14.0, 10.0):
        near = ((pixels - middle[:, None]) ** 2).sum(axis=0) < reach**2
        if near.sum() > 20:
            middle = np.median(pixels[:, near], axis=1)
    return np.asarray(middle)


def _otsu(values: Floats) -> float:
    small = np.clip(values, 0, 127).astype(np.uint8).reshape(-1, 1)
    return float(cv2.threshold(small, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[0])


def _without_borders(ink: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Returns the ink without straight lines that run through most of the corner: frames, edges, other cards."""
    whole = ink.astype(np.uint8)
    left = whole.copy()
    height, width = ink.shape
    for size in ((round(_LINE * height), 1), (1, round(_LINE * width))):
        lines = cv2.morphologyEx(whole, cv2.MORPH_OPEN, np.ones(size, np.uint8))
        left[cv2.dilate(lines, np.ones((3, 3), np.uint8)) > 0] = 0
    return left


def _boxes(ink: NDArray[np.uint8], apart: Floats, tall_mm: float) -> Floats:
    """Returns (N, 4): x0, y0, x1, y1 in pixels of each piece of ink away from the edges; tall ones are cut at their
    waists.
    """
    height, width = ink.shape
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    found: list[tuple[int, int, int, int]] = []
    edge = _EDGE_MM * PX_PER_MM
    for number, (x, y, w, h, area) in enumerate(stats):
        if not number or area < 6 or x <= edge or y <= edge or x + w >= width - 1 or y + h >= height - 1:
            continue
        if h < tall_mm * PX_PER_MM:
            found.append((x, y, x + w, y + h))
            continue
        strength = (apart[y : y + h, x : x + w] * (labels[y : y + h, x : x + w] == number)).sum(axis=1)
        cuts = [0, *_waists(strength), h]
        found += [(x, y + one, x + w, y + other) for one, other in pairwise(cuts)]
    return np.array(found, float).reshape(-1, 4)


def _waists(strength: Floats) -> list[int]:
    """Returns the rows with much less ink than those above and below."""
    smooth = np.convolve(strength, np.ones(3) / 3, "same")
    reach = round(1.8 * PX_PER_MM)
    found: list[int] = []
    for row in range(reach, len(smooth) - 2):
        above, below = smooth[max(0, row - reach) : row], smooth[row + 1 : row + 1 + reach]
        least = smooth[max(0, row - 3) : row + 4].min()
        is_waist = smooth[row] == least and smooth[row] < _WAIST * min(above.max(), below.max())
        if is_waist and (not found or row - found[-1] > 3):
            found.append(row)
    return found


def _row(
    boxes: Floats,
    heights_mm: tuple[float, float],
    top_px: float,
    widest_mm: float,
    across: tuple[float, float] | None = None,
) -> Floats | None:
    """Returns the box of the topmost row of pieces of such heights below a line; None if there is none.

    Args:
        across: The columns that the row must be under.
    """
    high = (boxes[:, 3] - boxes[:, 1]) / PX_PER_MM
    wide = (boxes[:, 2] - boxes[:, 0]) / PX_PER_MM
    fits = (
        (high >= heights_mm[0])
        & (high <= heights_mm[1])
        & (wide < widest_mm)
        & (wide > 0.4)
        & (high > _FLAT * wide)
        & (boxes[:, 1] >= top_px)
    )
    if across is not None:
        reach = 3.0 * PX_PER_MM
        fits &= (boxes[:, 2] > across[0] - reach) & (boxes[:, 0] < across[1] + reach)
    able = boxes[fits]
    if not len(able):
        return None
    first = able[able[:, 1].argmin()]
    row: Floats = np.array(first)
    for _ in range(3):
        tall = row[3] - row[1]
        overlap = np.minimum(able[:, 3], row[3]) - np.maximum(able[:, 1], row[1])
        gap = np.maximum(able[:, 0] - row[2], row[0] - able[:, 2])
        mates = able[(overlap > 0.6 * tall) & (gap < _GAP * tall) & (able[:, 3] - able[:, 1] > 0.6 * tall)]
        row = np.array([*np.minimum(row[:2], mates[:, :2].min(0)), *np.maximum(row[2:], mates[:, 2:].max(0))])
    return np.asarray(row)

"""Cuts cards out of a sheet, upright: index corners, the whole card and its sides, each with a mask of what is seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.calibration.taught import CORNER_PX
from vision.readers.cards.deck import CARD_MM
from vision.readers.cards.finder import PlacedCard
from vision.readers.cards.glyphs import CORNER_MM
from vision.readers.cards.glyphs import PX_PER_MM as CORNER_PX_PER_MM
from vision.readers.cards.sheet import CELL_PX, PX_PER_MM, CardSheet

Floats = NDArray[Any]

_MIDDLE_MM = (46.0, 38.0)
"""The width and height in millimeters of a card's middle, which may hold a large number."""
OUTSIDE_MM = 5.0
"""The distance in millimeters by which a wide corner extends beyond its card."""
WHOLE_PX_PER_MM = 1
WHOLE_OUT_MM = 4.0
"""The distance in millimeters by which a whole card's crop extends beyond the card."""
_COLOR_STEP = 9.0
"""The least difference in CIELAB between a card and its surroundings."""
_SLOPES = np.linspace(-0.12, 0.12, 9)
"""The slopes of a side in a card's crop, whose heading is known to a few degrees."""
_BESIDE_PX = 1.0
"""Steps within this distance of a line lie on it."""
_OUT_PX, _DEEP_PX, _AWAY_PX = round(WHOLE_OUT_MM), round(WHOLE_OUT_MM) + 3, 3
_FEWEST_PX = 8
"""The least visible length in pixels of a side that counts."""


def cut_index(sheet: CardSheet, card: PlacedCard, turn_deg: float) -> tuple[NDArray[np.uint8], Floats]:
    """Returns an index corner of a card, with the card's own corner at the upper left, and a mask of its visible part.

    The mask has a margin of one cell: cells are coarse, and digits are close to a card's edge.

    Args:
        turn_deg: 0 or 180, which selects one of the two corners.
    """
    size = round(CORNER_MM[0] * CORNER_PX_PER_MM), round(CORNER_MM[1] * CORNER_PX_PER_MM)
    heading_deg = card.heading_deg + turn_deg
    return cut_card(sheet, widened(card), heading_deg, size, CORNER_PX_PER_MM, (CARD_MM[0] / 2, CARD_MM[1] / 2))


def widened(card: PlacedCard) -> PlacedCard:
    """Returns a card with one more cell around those that show it."""
    return replace(card, cells=cv2.dilate(card.cells, np.ones((3, 3), np.uint8)))


def cut_middle(sheet: CardSheet, card: PlacedCard) -> tuple[NDArray[np.uint8], Floats]:
    """Returns the middle of a card at half the scale of its corners."""
    scale = CORNER_PX_PER_MM / 2
    size = round(_MIDDLE_MM[0] * scale), round(_MIDDLE_MM[1] * scale)
    return cut_card(sheet, card, card.heading_deg, size, scale, (_MIDDLE_MM[0] / 2, _MIDDLE_MM[1] / 2))


def cut_whole(sheet: CardSheet, card: PlacedCard) -> tuple[NDArray[np.uint8], Floats]:
    """Returns a whole card with a margin, and a mask of its visible part."""
    wide, high = CARD_MM[0] + 2 * WHOLE_OUT_MM, CARD_MM[1] + 2 * WHOLE_OUT_MM
    size = round(wide * WHOLE_PX_PER_MM), round(high * WHOLE_PX_PER_MM)
    return cut_card(sheet, card, card.heading_deg, size, WHOLE_PX_PER_MM, (wide / 2, high / 2))


def cut_wide_corners(sheet: CardSheet, card: PlacedCard) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Returns both index corners of a card with a margin, as a taught deck keeps them."""
    middle = CARD_MM[0] / 2 + OUTSIDE_MM, CARD_MM[1] / 2 + OUTSIDE_MM
    one, other = (
        cut_card(sheet, card, card.heading_deg + turn_deg, CORNER_PX, CORNER_PX_PER_MM, middle)[0]
        for turn_deg in (0.0, 180.0)
    )
    return one, other


def cut_card(
    sheet: CardSheet,
    card: PlacedCard,
    heading_deg: float,
    size: tuple[int, int],
    px_per_mm: float,
    middle_mm: tuple[float, float],
) -> tuple[NDArray[np.uint8], Floats]:
    """Returns (H, W, 3) and (H, W): a crop with the card's middle at `middle_mm` and its top edge upward, and its
    mask.
    """
    a = np.radians(heading_deg - 90)
    turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) * (PX_PER_MM / px_per_mm)
    at_px = sheet.to_px(np.array([card.x_mm, card.y_mm]))
    move = at_px - turn @ (np.array(middle_mm) * px_per_mm - 0.5)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    color = cv2.warpAffine(sheet.picture, np.column_stack([turn, move]), size, flags=flags)
    cells = np.column_stack([turn / CELL_PX, (move + 0.5) / CELL_PX - 0.5])
    seen = cv2.warpAffine(card.cells, cells, size, flags=flags)
    return np.asarray(color, np.uint8), np.asarray(seen, np.float32)


def card_sides(crop: Floats, seen: Floats) -> Iterator[tuple[Floats, Floats]]:
    """Yields a crop (H, W, 3) and its mask (H, W) four times, each time with another side of the card on top."""
    turned = crop.transpose(1, 0, 2)
    yield from ((crop, seen), (crop[::-1], seen[::-1]), (turned, seen.T), (turned[::-1], seen.T[::-1]))


def straight_share(lab: Floats, seen: Floats) -> float:
    """Returns the share of a card's visible sides that are straight steps of color; cups, hands and patterns have none.

    Args:
        lab: (H, W, 3): the crop of a whole card with a margin, in CIELAB.
        seen: (H, W): a mask of the visible part.
    """
    found, length = 0, 0
    for lines, mask in card_sides(lab, seen):
        inside = slice(_OUT_PX + 6, lines.shape[1] - _OUT_PX - 6)
        there = mask[_DEEP_PX + 1, inside] > 0.5
        if there.sum() < _FEWEST_PX:
            continue
        band = lines[: _DEEP_PX + _AWAY_PX, inside]
        steps = np.linalg.norm(band[_AWAY_PX:] - band[:-_AWAY_PX], axis=2)
        across = np.flatnonzero(there & (steps.max(axis=0) > _COLOR_STEP))
        found += _longest_line(across, steps.argmax(axis=0)[across])
        length += int(there.sum())
    return found / length if length else 0.0


def _longest_line(across: NDArray[np.int64], deep: NDArray[np.int64]) -> int:
    """Returns the largest number of points that lie on one line."""
    if not len(across):
        return 0
    starts = deep[None, :] - _SLOPES[:, None] * across[None, :]
    lines = np.arange(np.floor(starts.min()), np.ceil(starts.max()) + 1)
    return int((np.abs(starts[:, None, :] - lines[None, :, None]) <= _BESIDE_PX).sum(axis=2).max())

"""Locates cards: each small cell of the table predicts the card that it belongs to, and cells that agree form a card.

So any visible part is enough to find a card, such as a strip in a column or the part that a hand leaves free.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.image.packed_net import load_net
from vision.readers.cards.deck import CARD_MM
from vision.readers.cards.sheet import CELL_MM, CardSheet
from vision.readers.cards.weights import FINDER

CARD, OFFSET, TURN = 0, slice(1, 3), slice(3, 5)
"""The channels: the presence of a card in the cell, the offset to its middle, cosine and sine of twice its heading."""
FINDER_OUTPUTS = 5
REACH_MM = 32.0
"""The unit in millimeters of the offset to a card's middle."""


Floats = NDArray[Any]

_CELLS = CARD_MM[0] * CARD_MM[1] / CELL_MM**2
"""The number of cells that a whole card covers."""
_BINS = 12
"""The number of steps of half a turn in which headings are distinguished."""
_NEAR_MM, _NEAR_DEG = 10.0, 24.0
"""The distance and angle within which the answers of cells mean the same card."""
_FEWEST = 12
"""The least number of cells of a card."""
LEAST_SHARE = 0.2
"""The least visible share of a card; smaller ones are slivers under a pile's top, unless their index is legible."""
_SLIVER_SHARE = 0.12
"""The least visible share of a reported sliver."""


class PlacedCard(Struct, frozen=True):
    """A card without its identity."""

    x_mm: float
    y_mm: float
    heading_deg: float
    """The direction of its top or bottom edge, 0 to 180, counter-clockwise, 0 = right."""
    shown: float
    """The visible share of it, 0 to 1."""
    cells: Floats
    """(h, w) float32: the cells of the sheet that show it."""


def find_cards(sheet: CardSheet) -> tuple[PlacedCard, ...]:
    """Returns the cards on a sheet and slivers of cards, those with the largest visible share first."""
    answers = _answers(sheet)
    odds = answers[CARD]
    rows, columns = np.nonzero((odds > 0) & ~sheet.markers)
    if not len(rows):
        return ()
    shape = odds.shape
    at = np.column_stack([columns + 0.5, rows + 0.5]) * CELL_MM
    middles = at + answers[OFFSET, rows, columns].T * REACH_MM
    turns = answers[TURN, rows, columns].T
    turns = turns / np.maximum(np.linalg.norm(turns, axis=1, keepdims=True), 1e-6)
    weights = 1 / (1 + np.exp(-odds[rows, columns]))
    left = np.ones(len(rows), bool)
    found = []
    for middle, turn in _peaks(middles, turns, weights, shape):
        for _ in range(3):
            mine = left & _near(middles, turns, middle, turn)
            if mine.sum() < _FEWEST:
                break
            middle = np.median(middles[mine], axis=0)
            turn = turns[mine].mean(axis=0)
            turn = turn / max(float(np.linalg.norm(turn)), 1e-6)
        mine = left & _near(middles, turns, middle, turn)
        if mine.sum() < _FEWEST:
            continue
        left &= ~mine
        cells = np.zeros(shape, np.float32)
        cells[rows[mine], columns[mine]] = 1
        shown = min(float(mine.sum()) / _CELLS, 1.0)
        if shown >= _SLIVER_SHARE:
            heading = float(np.degrees(np.arctan2(turn[1], turn[0])) / 2 % 180)
            x, y = middle + np.array(sheet.origin_mm)
            found.append(PlacedCard(float(x), float(y), heading, shown, cells))
    return tuple(sorted(found, key=lambda card: -card.shown))


@cache
def _net() -> cv2.dnn.Net:
    return load_net(FINDER)


def _answers(sheet: CardSheet) -> Floats:
    """Returns (FINDER_OUTPUTS, h, w): the net's answers for the cells of a sheet."""
    height, width = sheet.picture.shape[0] // 2, sheet.picture.shape[1] // 2
    small = cv2.resize(sheet.picture, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32) / 255 - 0.5
    halves = small.transpose(2, 0, 1).reshape(3, height // 2, 2, width // 2, 2).transpose(0, 2, 4, 1, 3)
    net = _net()
    net.setInput(np.ascontiguousarray(halves.reshape(1, 12, height // 2, width // 2)))
    return np.asarray(net.forward()[0])


def _peaks(middles: Floats, turns: Floats, weights: Floats, shape: tuple[int, int]) -> list[tuple[Floats, Floats]]:
    """Returns the places where many cells agree, the most first: middles (2,) in mm and turns (2,)."""
    votes = np.zeros((_BINS, *shape), np.float32)
    angle = np.arctan2(turns[:, 1], turns[:, 0]) / (2 * np.pi) * _BINS
    bins = np.floor(angle).astype(int) % _BINS
    x, y = (np.clip((middles[:, k] / CELL_MM).astype(int), 0, shape[1 - k] - 1) for k in range(2))
    np.add.at(votes, (bins, y, x), weights)
    smooth = np.stack([cv2.GaussianBlur(one, (0, 0), 1.0) for one in votes])
    smooth = 0.5 * smooth + 0.25 * (np.roll(smooth, 1, 0) + np.roll(smooth, -1, 0))
    widest = np.stack([cv2.dilate(one, np.ones((3, 3), np.uint8)) for one in smooth])
    widest = np.maximum(np.maximum(widest, np.roll(widest, 1, 0)), np.roll(widest, -1, 0))
    places = np.argwhere((smooth >= widest) & (smooth > 0.4))
    places = places[np.argsort(-smooth[tuple(places.T)])]
    found = []
    for number, row, column in places:
        a = (number + 0.5) / _BINS * 2 * np.pi
        found.append((np.array([column + 0.5, row + 0.5]) * CELL_MM, np.array([np.cos(a), np.sin(a)])))
    return found


def _near(middles: Floats, turns: Floats, middle: Floats, turn: Floats) -> NDArray[np.bool_]:
    away = middles - middle
    return np.asarray(
        (np.einsum("ij,ij->i", away, away) < _NEAR_MM**2) & (turns @ turn > np.cos(np.radians(2 * _NEAR_DEG)))
    )

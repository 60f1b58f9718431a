"""The looks of a deck that people have taught: its twelve inks in this light, and the shapes of its numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.calibration.taught_deck import CORNER_PX, TaughtCorner, TaughtDeck
from vision.image.light import linear_light, srgb_levels
from vision.readers.cards.deck import COLORS, RANKS
from vision.readers.cards.glyphs import CORNER_MM, PX_PER_MM, IndexCorner, cut_corner
from vision.readers.cards.inks import PLAIN, measured_inks

Floats = NDArray[Any]

OUTSIDE_MM = 5.0
"""The distance in millimeters by which a kept corner begins outside of its card."""
_TWO = 14.0
"""The distance in CIELAB's plane of colors from which the halves of a spot are two inks."""
_PALE = 60.0
"""The least lightness of paper in any light."""
_SHIFTS_PX = (-2, 0, 2)
_SHARP, _UNLIKE = 14.0, 6.0
"""The nats per unit of correlation between numbers for a shape, and their bound."""
_LEAST_ALIKE = 0.5
"""A shape with a lower correlation to every number is not a number."""


class TaughtLooks(Struct, frozen=True, eq=False):
    """The taught looks in a form for comparison."""

    inks: tuple[tuple[Floats, ...], ...]
    """The inks (3,) on the taught cards of each of the twelve colors."""
    shapes: Floats
    """(N, 24 * 36): rows of ink with mean 0 and length 1."""
    ranks: NDArray[np.int64]
    """(N,): the index of each row's number, from 0."""

    def rank_odds(self, rows: Sequence[Floats]) -> Floats | None:
        """Returns (12,): log likelihoods of a number, from several cuts (24, 36) of its row; None if it resembles
        none.
        """
        if not len(self.ranks) or not rows:
            return None
        alike = np.full((len(rows), RANKS), -1.0)
        for k, row in enumerate(rows):
            found = (self.shapes @ _shifted(row).T).max(axis=1)
            np.maximum.at(alike[k], self.ranks, found)
        best = alike[alike.max(axis=1).argmax()]
        if best.max() < _LEAST_ALIKE:
            return None
        return np.asarray(np.maximum(_SHARP * (best - best.max()), -_UNLIKE))


@lru_cache(maxsize=4)
def taught_looks(deck: TaughtDeck) -> TaughtLooks:
    """Returns the looks of a deck."""
    inks: dict[int, list[Floats]] = defaultdict(list)
    shapes, ranks = [], []
    for one, other in zip(deck.corners[::2], deck.corners[1::2], strict=False):
        corners = [corner for kept in (one, other) if (corner := _cut(kept)) is not None]
        if one.color is not None:
            inks[one.color] += card_inks(corners)
        if one.rank is not None:
            rows = [row for corner in corners for row, _ in corner.rows]
            shapes += [_even(row) for row in rows]
            ranks += [one.rank - 1] * len(rows)
    whole = set(ranks) == set(range(RANKS))
    flat = np.stack(shapes) if whole else np.zeros((0, 1))
    return TaughtLooks(
        tuple(tuple(inks[color]) for color in range(COLORS)), flat, np.array(ranks if whole else [], np.int64)
    )


def card_inks(corners: Sequence[IndexCorner]) -> list[Floats]:
    """Returns the inks (3,) on one card: colored grounds; on paper a spot of color, or else all colored print."""
    grounds = [corner.ground for corner in corners if np.hypot(*corner.ground[1:]) > PLAIN]
    plain = [corner for corner in corners if np.hypot(*corner.ground[1:]) <= PLAIN]
    spots = [on_white(spot, corner.ground) for corner in plain if (spot := corner.swatch()) is not None]
    if spots:
        left, right = np.mean(spots, axis=0)
        return grounds + ([left, right] if np.linalg.norm((left - right)[1:]) > _TWO else [(left + right) / 2])
    return grounds + (measured_inks(np.concatenate([one.inks for one in plain])) if plain else [])


def on_white(inks: Floats, paper: Floats) -> Floats:
    """Returns inks (N, 3) as they would look on white paper in white light, in CIELAB; unchanged on dark paper."""
    if paper[0] < _PALE:
        return inks
    both = np.concatenate([inks, paper[None]]).astype(np.float32)
    light = linear_light(cv2.cvtColor(both[None], cv2.COLOR_LAB2BGR)[0])
    shares = np.clip(light[:-1] / np.maximum(light[-1], 1e-3), 0, 1)
    return np.asarray(cv2.cvtColor(srgb_levels(shares).astype(np.float32)[None], cv2.COLOR_BGR2LAB)[0], np.float64)


def _cut(corner: TaughtCorner) -> IndexCorner | None:
    """Returns the print of a kept corner; None if there is none."""
    picture = cv2.imdecode(np.frombuffer(corner.picture, np.uint8), cv2.IMREAD_COLOR)
    if picture is None or picture.shape[:2] != CORNER_PX[::-1]:
        return None
    begin = round(OUTSIDE_MM * PX_PER_MM)
    part = picture[begin:, begin:][: round(CORNER_MM[1] * PX_PER_MM), : round(CORNER_MM[0] * PX_PER_MM)]
    return cut_corner(np.ascontiguousarray(part, np.uint8), np.ones(part.shape[:2], np.float32))


def _shifted(row: Floats) -> Floats:
    """Returns (9, 24 * 36): a row with small shifts."""
    return np.stack([_even(np.roll(row, (down, right), (0, 1))) for down in _SHIFTS_PX for right in _SHIFTS_PX])


def _even(row: Floats) -> Floats:
    flat = row.ravel() - row.mean()
    return np.asarray(flat / (np.linalg.norm(flat) + 1e-6))

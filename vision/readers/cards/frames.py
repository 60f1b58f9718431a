"""Measures the colored frame of a card on paper: a thin line along its sides, in one ink or in the two primaries of a
secondary color.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.image.light import LINEAR, linear_light, srgb_levels
from vision.readers.cards.crops import card_sides, cut_card
from vision.readers.cards.deck import CARD_MM
from vision.readers.cards.finder import PlacedCard
from vision.readers.cards.inks import PLAIN, undiluted
from vision.readers.cards.known_deck import lab_inks
from vision.readers.cards.sheet import PX_PER_MM, CardSheet

Floats = NDArray[Any]

_OUT_MM, _DEEP_MM = 3.0, 9.0
"""The depths outside of and inside a card between which the frame lies, which allow for an inexact place."""
_CORNER_MM, _PIECE_MM = 5.0, 8.0
"""The part of a side at each corner that is left out, and the length of the pieces of a side."""
_PALE = 45.0
"""The least lightness in CIELAB of paper in any light."""
_GRAY = 14.0
"""The largest chroma in CIELAB of paper."""
_BESIDE_MM = 3.0
"""The distance within which there is paper on both sides of a frame's line."""
_INKED, _PAPER, _RISES = 0.75, 0.7, 1.25
"""The largest light of a line in its darkest channel and the least of the paper beside it, as shares of the light of
paper; and the least ratio of both.
"""
_SEEN = 0.5
_FEWEST, _FEW = 3, 2
"""The least number of pieces of a frame, and of each of two inks."""
_TWO, _CLEAR = 14.0, 3.0
"""Inks are two if they are farther apart than this in CIELAB's plane of colors, and than this many times their spread.
"""
_WAVER_MM = 2.0
"""The largest distance of a piece of the line from the median of its side."""
_AROUND = 0.6
"""The least share of the pieces of a card that a frame in view all around it has."""


class Frame(Struct, frozen=True, eq=False):
    """The inks of a card's frame."""

    inks: tuple[Floats, ...] = ()
    """One or two inks (3,) in CIELAB on white paper; none: no frame is in view."""
    around: bool = False
    """True if the frame is in view on all four sides."""


def card_frame(sheet: CardSheet, card: PlacedCard) -> Frame:
    """Returns the frame of a card on paper."""
    wide, high = CARD_MM[0] + 2 * _OUT_MM, CARD_MM[1] + 2 * _OUT_MM
    size = round(wide * PX_PER_MM), round(high * PX_PER_MM)
    picture, seen = cut_card(sheet, card, card.heading_deg, size, PX_PER_MM, (wide / 2, high / 2))
    lab = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    there = seen > _SEEN
    paper = there & (lab[..., 0] > _PALE) & (np.hypot(lab[..., 1], lab[..., 2]) < _GRAY)
    if paper.sum() < 0.3 * there.sum() or not there.any():
        return Frame()
    light = LINEAR[picture]
    white = np.percentile(light[paper], 60, axis=0)
    shares = np.clip(light / np.maximum(white, 1e-3), 0, 1).astype(np.float32)
    inks, sides = [], []
    deep = round((_OUT_MM + _DEEP_MM) * PX_PER_MM)
    for number, (along, mask) in enumerate(card_sides(shares, there)):
        found = list(_pieces(along[:deep], mask[:deep]))
        depths = np.array([depth for depth, _ in found])
        steady = np.abs(depths - np.median(depths)) <= _WAVER_MM * PX_PER_MM if len(found) else ()
        inks += [ink for (_, ink), kept in zip(found, steady, strict=True) if kept]
        sides += [number] * int(np.sum(steady))
    if len(inks) < _FEWEST:
        return Frame()
    around = len(set(sides)) == 4 and len(inks) >= _AROUND * _most_pieces()
    return Frame(tuple(_one_or_two(lab_inks(inks))), around)


def _starts(length: int) -> range:
    """Returns the beginnings of the pieces of a side in pixels."""
    begin, step = round((_OUT_MM + _CORNER_MM) * PX_PER_MM), round(_PIECE_MM * PX_PER_MM)
    return range(begin, length - begin - step + 1, step)


def _most_pieces() -> int:
    return 2 * sum(len(_starts(round((side + 2 * _OUT_MM) * PX_PER_MM))) for side in CARD_MM)


def _pieces(side: Floats, mask: NDArray[np.bool_]) -> Iterator[tuple[int, Floats]]:
    """Yields the depth in pixels and the ink (3,) of each piece of a side with a line of color between paper."""
    reach, step = round(_BESIDE_MM * PX_PER_MM), round(_PIECE_MM * PX_PER_MM)
    for start in _starts(side.shape[1]):
        seen = mask[:, start : start + step].mean(axis=1) > _SEEN
        profile = np.median(side[:, start : start + step], axis=1)
        darkest = profile.min(axis=1)
        lowest = (darkest[1:-1] <= np.minimum(darkest[:-2], darkest[2:])) & (darkest[1:-1] <= _INKED)
        for depth in (int(place) + 1 for place in np.flatnonzero(lowest)):
            low, high = max(0, depth - reach), depth + reach + 1
            if depth < 2 or high > len(darkest) or not seen[depth:high].all():
                continue
            outer, inner = low + int(darkest[low:depth].argmax()), depth + int(darkest[depth:high].argmax())
            if min(darkest[outer], darkest[inner]) < max(_PAPER, _RISES * darkest[depth]):
                continue
            ink = _ink(profile[outer : inner + 1])
            if ink is not None:
                yield depth, ink
            break


def _ink(profile: Floats) -> Floats | None:
    """Returns the ink (3,) of a line by the light (N, 3) across it, which the camera and its compression blur into the
    paper on both sides; None if it is gray.
    """
    ink = linear_light(undiluted((srgb_levels(profile) - 1).sum(axis=0, keepdims=True) / len(profile) + 1))[0]
    return ink if np.hypot(*lab_inks(ink[None])[0, 1:]) > PLAIN else None


def _one_or_two(inks: Floats) -> list[Floats]:
    """Returns the median of inks (N, 3), or those of the two groups that they form."""
    apart = np.linalg.norm(inks[:, None, 1:] - inks[None, :, 1:], axis=2)
    a, b = np.unravel_index(int(apart.argmax()), apart.shape)
    one, other = inks[a], inks[b]
    for _ in range(4):
        nearer = np.linalg.norm(inks[:, 1:] - one[1:], axis=1) <= np.linalg.norm(inks[:, 1:] - other[1:], axis=1)
        if min(nearer.sum(), (~nearer).sum()) < _FEW:
            return [np.median(inks, axis=0)]
        one, other = np.median(inks[nearer], axis=0), np.median(inks[~nearer], axis=0)
    spread = np.abs(np.where(nearer[:, None], inks - one, inks - other)[:, 1:]).mean(axis=0).max()
    if np.linalg.norm((one - other)[1:]) < max(_TWO, _CLEAR * spread):
        return [np.median(inks, axis=0)]
    return [one, other]

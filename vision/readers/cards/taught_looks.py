"""The looks of a deck that people have taught: its twelve inks in this light, and its special cards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.calibration.taught import CORNER_PX, TaughtCorner, TaughtDeck
from vision.image.light import linear_light, srgb_levels
from vision.readers.cards.crops import OUTSIDE_MM
from vision.readers.cards.deck import COLORS, SPECIALS
from vision.readers.cards.glyphs import CORNER_MM, PX_PER_MM, IndexCorner, cut_corner
from vision.readers.cards.inks import PLAIN, measured_inks, undiluted

Floats = NDArray[Any]

_TWO = 14.0
"""The distance in CIELAB's plane of colors from which the halves of a spot are two inks."""
_PALE = 60.0
"""The least lightness of paper in any light."""
_PAPER = 0.9
"""The sRGB level of paper in a sheet."""
_SHIFT_PX = 14
"""The distance in pixels by which a corner may lie away from its place."""
_SHARP, _UNLIKE, _LEAST_ALIKE = 20.0, 6.0, 0.6
"""The nats for each unit of correlation between special cards, their bound, and the least correlation that counts."""


class TaughtLooks(Struct, frozen=True, eq=False):
    """The taught looks in a form for comparison."""

    inks: tuple[tuple[Floats, ...], ...]
    """The inks (3,) on the taught cards of each of the twelve colors."""
    specials: tuple[tuple[int, NDArray[np.uint8]], ...] = ()
    """The kinds of known special cards, each with the gray shape of one of its corners."""

    def special_odds(self, corners: Sequence[NDArray[np.uint8]]) -> Floats | None:
        """Returns (12,): log likelihoods of the special cards, from both wide corners of one card; None if they are
        like none that is known.
        """
        if not self.specials:
            return None
        alike = np.full(len(SPECIALS), -1.0)
        for kind, shape in self.specials:
            for corner in corners:
                found = cv2.matchTemplate(_gray(corner), shape, cv2.TM_CCOEFF_NORMED)
                alike[kind] = max(alike[kind], float(found.max()))
        if alike.max() < _LEAST_ALIKE:
            return None
        return np.asarray(np.maximum(_SHARP * (alike - alike.max()), -_UNLIKE))


@lru_cache(maxsize=4)
def taught_looks(deck: TaughtDeck) -> TaughtLooks:
    """Returns the looks of a deck."""
    inks: dict[int, list[Floats]] = defaultdict(list)
    specials = []
    for one, other in zip(deck.corners[::2], deck.corners[1::2], strict=False):
        pictures = [picture for kept in (one, other) if (picture := _picture(kept)) is not None]
        if one.color is not None:
            inks[one.color] += card_inks([corner for picture in pictures if (corner := _cut(picture)) is not None]).inks
        if one.special is not None:
            specials += [
                (one.special, _gray(picture)[_SHIFT_PX:-_SHIFT_PX, _SHIFT_PX:-_SHIFT_PX]) for picture in pictures
            ]
    return TaughtLooks(tuple(tuple(inks[color]) for color in range(COLORS)), tuple(specials))


class CardInks(Struct, frozen=True, eq=False):
    """The inks (3,) in CIELAB on one card."""

    inks: tuple[Floats, ...]
    spot: bool = False
    """True if the first one is that of a whole spot with a single ink."""
    around: bool = False
    """True if a single one is that of a frame in view on all sides."""


def card_inks(corners: Sequence[IndexCorner]) -> CardInks:
    """Returns the inks on one card: colored grounds; on paper a spot of color, or else all colored print."""
    grounds = [corner.ground for corner in corners if np.hypot(*corner.ground[1:]) > PLAIN]
    plain = [corner for corner in corners if np.hypot(*corner.ground[1:]) <= PLAIN]
    spots = [on_white(spot, corner.ground) for corner in plain if (spot := corner.swatch()) is not None]
    if spots:
        left, right = np.mean(spots, axis=0)
        if np.linalg.norm((left - right)[1:]) > _TWO:
            return CardInks((*grounds, *full_inks([left, right])))
        return CardInks((*grounds, *full_inks([(left + right) / 2])), not grounds)
    print_ = measured_inks(np.concatenate([one.inks for one in plain])) if plain else []
    return CardInks((*grounds, *full_inks(print_, _PAPER)))


def full_inks(inks: Sequence[Floats], white: float = 1.0) -> tuple[Floats, ...]:
    """Returns inks (3,) in CIELAB without the white in them.

    Args:
        white: The sRGB level of paper.
    """
    if not len(inks):
        return ()
    levels = cv2.cvtColor(np.array(inks, np.float32)[None], cv2.COLOR_LAB2BGR)[0] / white
    return tuple(cv2.cvtColor(undiluted(levels).astype(np.float32)[None], cv2.COLOR_BGR2LAB)[0].astype(np.float64))


def on_white(inks: Floats, paper: Floats) -> Floats:
    """Returns inks (N, 3) as they would look on white paper in white light, in CIELAB; unchanged on dark paper."""
    if paper[0] < _PALE:
        return inks
    both = np.concatenate([inks, paper[None]]).astype(np.float32)
    light = linear_light(cv2.cvtColor(both[None], cv2.COLOR_LAB2BGR)[0])
    shares = np.clip(light[:-1] / np.maximum(light[-1], 1e-3), 0, 1)
    return np.asarray(cv2.cvtColor(srgb_levels(shares).astype(np.float32)[None], cv2.COLOR_BGR2LAB)[0], np.float64)


def _picture(corner: TaughtCorner) -> NDArray[np.uint8] | None:
    """Returns a kept corner; None if its picture is damaged."""
    picture = cv2.imdecode(np.frombuffer(corner.picture, np.uint8), cv2.IMREAD_COLOR)
    return None if picture is None or picture.shape[:2] != CORNER_PX[::-1] else np.asarray(picture, np.uint8)


def _cut(picture: NDArray[np.uint8]) -> IndexCorner | None:
    """Returns the print of a kept corner; None if there is none."""
    begin = round(OUTSIDE_MM * PX_PER_MM)
    part = picture[begin:, begin:][: round(CORNER_MM[1] * PX_PER_MM), : round(CORNER_MM[0] * PX_PER_MM)]
    return cut_corner(np.ascontiguousarray(part), np.ones(part.shape[:2], np.float32))


def _gray(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)

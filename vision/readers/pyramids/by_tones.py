"""The colors of the found things, weighed again by the look of this table's own pieces.

The look of a rim inside of a stack is not its plastic's color alone: light that went through the level below lies on
it, and a camera blurs the level above into it. So a level's tone is predicted from three: the look of lone pieces of
its color on this table, and those of the levels above and below, with shares that training fitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.calibration.known_tone import KnownTone
from vision.image.picture import Picture
from vision.image.pose import Pose
from vision.readers.pyramids.assignment import share_of
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.scene import FoundPieces, Rival
from vision.readers.pyramids.sheet import White
from vision.readers.pyramids.table_tones import LONE, LYING, RIM, STEP, TOP, UNKNOWN, TableTones, ToneModel, table_tones
from vision.readers.pyramids.tones import tones

Floats = NDArray[Any]

_SHARE, _OWN_SHARE = 0.5, 0.3
"""The weight of tones beside the nets, in log odds: both look at the same pixels. It is lower without a sampler."""
_SURE = 0.95
"""Lone pieces that are so sure, in size and color, show what their picture's colors look like."""
_MOST = 6.0
"""A color is no farther behind the likeliest one, in log odds, by tones."""
_ROUNDS = 3


def measured(
    found: Sequence[FoundPieces], beside: Sequence[FoundPieces], picture: Picture, pose: Pose, light: White
) -> list[FoundPieces]:
    """The same things, with the tones of their levels and of their rivals'; things `beside` them may hide them."""
    guesses = [[one.place, *(rival.place for rival in one.rivals)] for one in found]
    told = tones(guesses, [one.place for one in beside], picture, pose, light)
    return [
        replace(
            one,
            tones=seen,
            rivals=tuple(replace(rival, tones=tone) for rival, tone in zip(one.rivals, others, strict=True)),
        )
        for one, (seen, *others) in zip(found, told, strict=True)
    ]


def by_tones(
    found: Sequence[FoundPieces], beside: Sequence[FoundPieces], known: Sequence[KnownTone], model: ToneModel
) -> list[FoundPieces]:
    """Things that were `measured`, with colors by their tones, too.

    Args:
        beside: All other things in the picture.
        known: (10,) the learned tones of this table; without them, the picture's own lone pieces of sure color teach,
            and count less.
    """
    share = _SHARE
    if not any(one.pieces for one in known):
        share, known = _OWN_SHARE, _of_sure_pieces([*found, *beside])
    if not any(one.pieces for one in known):
        return list(found)
    weigher = ToneWeigher(table_tones(known, model), model, share)
    return [
        replace(one, color_logs=weigher(one), rivals=tuple(replace(r, color_logs=weigher(r)) for r in one.rivals))
        for one in found
    ]


def _of_sure_pieces(found: Sequence[FoundPieces]) -> tuple[KnownTone, ...]:
    """(10,) what lone pieces of a picture look like of whose color there is no doubt."""
    known = list(UNKNOWN)
    for one in found:
        colors = share_of(one.color_logs[0])
        name = int(colors.argmax())
        if one.lone_tone is not None and min(one.confidence, colors[name]) > _SURE:
            known[name] = known[name].with_piece(one.lone_tone)
    return tuple(known)


class ToneWeigher:
    """Weighs the colors of guesses by their tones on one table."""

    def __init__(self, known: TableTones, model: ToneModel, share: float) -> None:
        self._tones, self._model, self._share = known.tones, model, share
        spread = model.spread[:, None] + known.doubts
        self._inverse, self._size = np.linalg.inv(spread), np.linalg.slogdet(spread)[1]

    def __call__(self, guess: FoundPieces | Rival) -> Floats:
        """(levels, 10) log likelihoods of a guess's colors, from those without tones; these if none was measured."""
        place, seen, color_logs = guess.place, guess.tones, guess.color_logs
        if seen is None:
            return color_logs
        kinds, there = kinds_of(place), np.asarray(np.isfinite(seen).all(axis=1))
        logs = color_logs
        for _ in range(_ROUNDS if len(kinds) > 1 else 1):
            expected = np.stack([share_of(level) for level in logs]) @ self._tones
            told = self._told(kinds, np.where(there[:, None], seen, 0.0), expected)
            logs = np.asarray(color_logs + self._share * np.where(there[:, None], told, 0.0))
        return logs

    def _told(self, kinds: NDArray[np.int_], seen: Floats, expected: Floats) -> Floats:
        """(levels, 10) by tones alone, at most 0; `expected` (levels, 3) are tones of the levels as they were named."""
        away = seen[:, None] - made_of(kinds, self._tones, expected, self._model)
        inverse = self._inverse[kinds]
        logs = -0.5 * (np.einsum("lci,lcij,lcj->lc", away, inverse, away) + self._size[kinds])
        return np.asarray(np.maximum(logs - logs.max(axis=1, keepdims=True), -_MOST))


def kinds_of(place: StackHypothesis) -> NDArray[np.int_]:
    """(levels,) the kind of each level of a guess."""
    if place.lies:
        return np.array([LYING])
    if len(place.sizes) == 1:
        return np.array([LONE])
    rims = [RIM if size == above else STEP for size, above in zip(place.sizes, place.sizes[1:], strict=False)]
    return np.array([*rims, TOP])


def made_of(kinds: NDArray[np.int_], own: Floats, expected: Floats, model: ToneModel) -> Floats:
    """(levels, colors, 3) the tones of levels, if they are of colors whose lone tones are `own` (colors, 3).

    Args:
        expected: (levels, 3) the lone tones of what all levels are taken for: those above and below shine through.
    """
    above, below = _neighbors(own, expected)
    lightness, hue = model.lightness[kinds][:, None], model.hue[kinds][:, None]
    parts = np.stack([np.broadcast_to(own, above.shape), above, below], axis=-1)
    light = lightness[..., 0] + (parts[..., 0, :] * lightness[..., 1:]).sum(axis=-1)
    rest = (parts[..., 1:, :] * hue[..., None, :]).sum(axis=-1)
    return np.concatenate([light[..., None], rest], axis=-1)


def _neighbors(own: Floats, expected: Floats) -> tuple[Floats, Floats]:
    """(levels, colors, 3) twice: how the level above, and the one below, differ from each color; 0 if there is none."""
    above, below = np.zeros((2, len(expected), *own.shape))
    above[:-1], below[1:] = expected[1:, None] - own, expected[:-1, None] - own
    return above, below

"""How each level of a guess is colored in the picture: the light of the pixels that its exact shape shows of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_COLORS
from vision.calibration.taught import KnownTone
from vision.image.light import LINEAR
from vision.image.picture import Picture
from vision.image.pose import Pose
from vision.readers.pyramids.assignment import share_of
from vision.readers.pyramids.hypothesis import StackHypothesis, outlines, painted_levels
from vision.readers.pyramids.scene import FoundPieces, Rival
from vision.readers.pyramids.sheet import White

Floats = NDArray[Any]

# The look of the colors of pieces on one table: the tone of each, learned from lone pieces whose color is certain.
#
# Lamps, cameras and dyes shift tones. The size and the correlation of these shifts are known from other tables; so a
# few known pieces also inform about other colors. All distributions are Gaussian, and so is the result (Bishop, Pattern
# Recognition and Machine Learning, 2006, 2.3.3).

FILE = "tones.npz"

TOP, STEP, RIM, LONE, LYING = range(5)
"""Kinds of levels: the top of a stack; one below a smaller piece; a rim below a piece of its own size; a piece that
stands or lies alone."""
KINDS = 5


class ToneModel(NamedTuple):
    """The learned model of tones on many tables."""

    usual: Floats
    """(10, 3) the tone of each color, as far as it is alike everywhere."""
    shared: Floats
    """(3, 3) covariance of what shifts all colors of a table alike."""
    own: Floats
    """(3, 3) covariance of what shifts one color of a table."""
    lightness: Floats
    """(KINDS, 4) what a level's lightness is made of (`by_tones`): a constant, its own, that of the level above and of
    the level below, each less its own."""
    hue: Floats
    """(KINDS, 3) the same for both other axes, without a constant."""
    spread: Floats
    """(KINDS, 3, 3) covariance of what that leaves unexplained."""


def load_tones(file: Path) -> ToneModel:
    """Loads the trained weights."""
    with np.load(file) as kept:
        return ToneModel(**{name: kept[name].astype(np.float64) for name in ToneModel._fields})


class TableTones(NamedTuple):
    """The tones of one table."""

    tones: Floats
    """(10, 3) the mean of each color's."""
    doubts: Floats
    """(10, 3, 3) how unsure it is."""


def table_tones(known: Sequence[KnownTone], model: ToneModel) -> TableTones:
    """The tones of all colors, from those (10) that were seen."""
    count = len(PYRAMID_COLORS)
    mean = model.usual.ravel()
    spread = np.kron(np.ones((count, count)), model.shared) + np.kron(np.eye(count), model.own)
    seen = [k for k, one in enumerate(known) if one.pieces]
    if seen:
        rows = np.concatenate([np.arange(3 * k, 3 * k + 3) for k in seen])
        tones = np.concatenate([known[k].tone for k in seen])
        noise = np.kron(np.diag([1 / known[k].pieces for k in seen]), model.spread[LONE])
        gain = np.linalg.solve(spread[np.ix_(rows, rows)] + noise, spread[rows]).T
        mean, spread = mean + gain @ (tones - mean[rows]), spread - gain @ spread[rows]
    blocks = spread.reshape(count, 3, count, 3)[np.arange(count), :, np.arange(count)]
    return TableTones(mean.reshape(count, 3), blocks)


UNKNOWN = (KnownTone(),) * len(PYRAMID_COLORS)
"""A table without learned tones."""


AXES = np.array([(1, 1, 1), (1, -1, 0), (1, 1, -2)]) / np.sqrt([(3,), (2,), (6,)])
"""From the logarithms of B, G, R to how light a tone is, how blue rather than green, and how little red."""
_FLOOR = 0.01
_INNER = np.ones((3, 3), np.uint8)
_FEW, _TOO_FEW = 12, 6
"""Pixels: a band with fewer away from its border includes it, one with fewer in all is no evidence."""
_SHIFT = 4


def tones(
    guesses: Sequence[Sequence[StackHypothesis]],
    beside: Sequence[StackHypothesis],
    picture: Picture,
    pose: Pose,
    light: White,
) -> list[list[Floats]]:
    """For each guess at each thing (levels, 3): its levels' light over that of white paper, logarithms along `AXES`.

    What a nearer thing hides, by that thing's first guess, is left out. A level of which too little is seen is NaN.

    Args:
        guesses: Of each thing, the likeliest one first.
        beside: All else that is in the picture.
        picture: (H, W, 3) BGR.
    """
    if not guesses:
        return []
    first = [*(some[0] for some in guesses), *beside]
    places = np.array([(one.x_mm, one.y_mm, 0.0) for one in first])
    away = np.linalg.norm(places - pose.eye_mm(), axis=1)
    nearness = np.empty(len(first), np.int32)
    nearness[np.argsort(-away)] = np.arange(1, len(first) + 1)
    nearest = np.zeros(picture.shape[:2], np.int32)
    whole = outlines(first, pose)
    for k in np.argsort(nearness):
        for corners in np.rint(whole[k] * 2**_SHIFT).astype(np.int32):
            cv2.fillConvexPoly(nearest, cv2.convexHull(corners), int(nearness[k]), shift=_SHIFT)
    shapes = [outlines(some, pose) for some in guesses]
    white = light.white(places[:, :2])
    return [
        [_tones(shape, picture, nearest, int(nearness[k]), white[k]) for shape in shapes[k]]
        for k in range(len(guesses))
    ]


def _tones(outline: Floats, picture: Picture, nearest: NDArray[np.int32], nearness: int, white: Floats) -> Floats:
    """(levels, 3) of an outline (levels, 5, 2)."""
    flat = outline.reshape(-1, 2)
    limit = np.array(picture.shape[1::-1])
    left, top = np.clip(np.floor(flat.min(axis=0)).astype(int) - 1, 0, limit)
    right, bottom = np.clip(np.ceil(flat.max(axis=0)).astype(int) + 2, 0, limit)
    found = np.full((len(outline), 3), np.nan)
    if right <= left or bottom <= top:
        return found
    part = (slice(top, bottom), slice(left, right))
    levels = painted_levels(outline - (left, top), (bottom - top, right - left))
    levels[nearest[part] > nearness] = 0
    pixels = picture[part]
    for level in range(len(outline)):
        band = np.asarray(levels == level + 1, np.uint8)
        inner = cv2.erode(band, _INNER)
        seen = pixels[(inner if np.count_nonzero(inner) >= _FEW else band) > 0]
        if len(seen) >= _TOO_FEW:
            found[level] = AXES @ np.log(LINEAR[seen].mean(axis=0) / white + _FLOOR)
    return found


# The colors of the found things, weighed again by the look of this table's own pieces.
#
# The look of a rim inside of a stack is not its plastic's color alone: light that went through the level below lies on
# it, and a camera blurs the level above into it. So a level's tone is predicted from three: the look of lone pieces of
# its color on this table, and those of the levels above and below, with shares that training fitted.

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

"""The presence of a thing at a place beside the empty table, apart from its identity.

A close look always names something. Presence is judged by the difference from the empty table inside of its outline: a
shadow and the light that colored plastic throws are even and fade out, a piece has faces that differ and ends at its
outline. The answers are weighed by a logistic model that `python -m simulation.drawn.presence` fits to drawn tables of
many cloths.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.foundation.kept_file import decode_json
from companion.core.pieces import SHAPES
from vision.readers.pyramids.cells import WEIGHTS, Answers
from vision.readers.pyramids.hypothesis import StackHypothesis, covered, painted_levels
from vision.readers.pyramids.scene import FoundPieces
from vision.readers.pyramids.sheet import KNOWN, PX_PER_MM, RATIO, STRIDE, Sheet

Floats = NDArray[Any]
Mask = NDArray[np.bool_]

_OWN = 0.2
"""A thing with a smaller share of uncovered plastic in its outline is none: a thing that far behind is not seen."""


class SeenPart(NamedTuple):
    """The things of one part of a picture; parts overlap."""

    found: Sequence[FoundPieces]
    answers: Answers
    sheet: Sheet


def without_ghosts_of_parts(
    found: Sequence[FoundPieces], parts: Sequence[SeenPart], kept: Sequence[FoundPieces]
) -> list[FoundPieces]:
    """`found`, things of all parts, without those that things of another part cover.

    A part may show a stack but not its place, so that only another part has the reading there.
    """
    there = list(found)
    for part in parts:
        here = {id(one) for one in part.found}
        own, others = ([one for one in there if (id(one) in here) == mine] for mine in (True, False))
        there = [*others, *without_ghosts(own, [*kept, *others], part.answers, part.sheet)]
    return there


def without_ghosts(
    found: Sequence[FoundPieces], kept: Sequence[FoundPieces], answers: Answers, sheet: Sheet
) -> list[FoundPieces]:
    """The same things without those that others cover; of two that cover each other the surer one stays.

    Args:
        kept: Things that are known to be there from an earlier picture.
    """
    plastic = answers.plastic > 0
    shapes = [covered(one.outline_px, sheet, plastic.shape) for one in found]
    covers = np.zeros(plastic.shape, np.int16)
    for shape in (*shapes, *(covered(one.outline_px, sheet, plastic.shape) for one in kept)):
        covers += shape
    there = []
    for k in sorted(range(len(found)), key=lambda k: found[k].confidence):
        shape = shapes[k]
        own = np.count_nonzero(plastic & shape & (covers == 1))
        if own < _OWN * np.count_nonzero(shape):
            covers -= shape
        else:
            there.append(k)
    return [found[k] for k in sorted(there)]


APART_MM = 11.0
"""No two things stand closer than this."""
_TOUCHING = 0.75
"""Of the distance at which two pieces touch: places are a little wrong."""
_OVERLAP = 0.5
"""A lying piece that shares so much of its outline with another thing is the same thing."""


def clear_of(one: StackHypothesis, other: StackHypothesis) -> bool:
    """Returns true if two stacks can both stand there.

    Two squares that do not overlap, however they are turned, are apart by half of each side.
    """
    sides = sum(SHAPES[place.sizes[0]].base_mm for place in (one, other))
    return bool(_away_mm(one, other) > max(APART_MM, _TOUCHING * sides / 2))


def apart(one: FoundPieces, other: FoundPieces) -> bool:
    """Returns true if two things can both be there: far enough apart, and neither lies where the other is."""
    if not (one.place.lies or other.place.lies):
        return clear_of(one.place, other.place)
    if _away_mm(one.place, other.place) <= APART_MM:
        return False
    hulls = [cv2.convexHull(f.outline_px.reshape(-1, 2).astype(np.float32)) for f in (one, other)]
    smaller = min(cv2.contourArea(hull) for hull in hulls)
    shared, _ = cv2.intersectConvexConvex(np.asarray(hulls[0]), np.asarray(hulls[1]))
    return bool(shared < _OVERLAP * max(smaller, 1.0))


def apart_from_all(one: FoundPieces, others: Sequence[FoundPieces]) -> bool:
    """Returns true if a thing can be there beside all others."""
    return all(apart(one, other) for other in others)


def without_doubles(found: Sequence[FoundPieces]) -> list[FoundPieces]:
    """Of two things closer than any two pieces can stand, the surer one."""
    kept: list[FoundPieces] = []
    for one in sorted(found, key=lambda f: -f.confidence):
        if apart_from_all(one, kept):
            kept.append(one)
    return kept


def _away_mm(one: StackHypothesis, other: StackHypothesis) -> float:
    return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm))


FILE = WEIGHTS / "presence.json"
FEATURES = (
    "one",
    "log odds of the close look",
    "log odds of its best guess",
    "plastic inside",
    "plastic inside that nothing else covers",
    "size",
    "lies",
    "levels",
    "difference inside",
    "darkest eighth inside",
    "color inside",
    "faces inside",
    "step at the outline",
    "edge at the outline",
    "color of the step",
    "brighter inside",
)
"""The features, in this order; then the logarithms of `_SCALED`, since a clear piece on marble differs by a tenth of a
red one's difference."""
_SCALED = slice(FEATURES.index("difference inside"), FEATURES.index("brighter inside"))
_LEAST_SCALED = 0.05
WEIGHED = len(FEATURES) + _SCALED.stop - _SCALED.start
LEAST = 0.3
"""A thing that is less likely to be there is left out. On drawn tables whose family was left out of the fit this
removes 58 of 75 ghosts and 4 of 896 true things."""
_FAR = 30.0
"""Log odds are no farther from zero."""
_MOST_ODDS = 6.0
_RING_PX = 3
"""So near to the outline its outside is compared with its inside."""
_BRIGHTER = 0.15
"""More light than from the empty table, in logarithms: no shadow does that."""
_KNOWN = 0.9
"""A thing is judged if the empty table is known under so much of it."""
_FEWEST = 4
"""With fewer pixels there is no measurement."""


class Presence(Struct, frozen=True, forbid_unknown_fields=True):
    """A logistic model of the features."""

    weights: tuple[float, ...] = ()

    def chances(self, features: Floats) -> Floats:
        """(N,) probabilities that something is there, of features (N, WEIGHED)."""
        return np.asarray(1 / (1 + np.exp(-np.clip(features @ np.array(self.weights), -_FAR, _FAR))))

    def among(
        self, found: Sequence[FoundPieces], beside: Sequence[FoundPieces], answers: Answers, seen: Floats, sheet: Sheet
    ) -> list[FoundPieces]:
        """The things that are likely to be there; see `features_of`.

        Their confidences stay as they are: these are fitted to readings by themselves. Multiplied with the presence,
        they halved the events of an evening on a striped cloth that is read without a mistake. Where the empty table
        is unknown, all is left as it is.
        """
        if answers.fine is None or not found:  # none of this part of the empty table is known
            return list(found)
        known = seen[KNOWN][0]
        chances = self.chances(features_of(found, beside, answers, seen[RATIO], sheet)).tolist()
        return [
            one
            for one, chance in zip(found, chances, strict=True)
            if chance >= LEAST or not _is_known(one, known, sheet)
        ]


@cache
def load_presence(path: Path = FILE) -> Presence:
    """Loads the fitted model."""
    return decode_json(path.read_bytes(), Presence)


def features_of(
    found: Sequence[FoundPieces], beside: Sequence[FoundPieces], answers: Answers, ratio: Floats, sheet: Sheet
) -> Floats:
    """(N, WEIGHED) of things that were found on a sheet.

    Args:
        beside: What else is there.
        ratio: (3, H, W) how the sheet differs from the empty table.
    """
    shapes = [_Shape(one, sheet, ratio.shape[1:]) for one in (*found, *beside)]
    covers = np.zeros(ratio.shape[1:], np.uint8)
    for shape in shapes:
        covers[shape.part] += shape.inside
    fine = answers.fine
    assert fine is not None, "the empty table is known"
    rows = [_features(one, shape, fine, covers, ratio) for one, shape in zip(found, shapes, strict=False)]
    plain = np.array(rows).reshape(len(found), len(FEATURES))
    return np.column_stack([plain, np.log(np.maximum(plain[:, _SCALED], 0) + _LEAST_SCALED)])


class _Shape:
    """The part of a sheet around a thing, and what of it is inside, at the outline and just outside."""

    def __init__(self, one: FoundPieces, sheet: Sheet, size: tuple[int, ...]) -> None:
        outline = sheet.to_sheet(one.outline_px)
        low = np.clip(np.floor(outline.min(axis=(0, 1))).astype(int) - 2 * _RING_PX, 0, np.array(size[::-1]) - 1)
        high = np.clip(np.ceil(outline.max(axis=(0, 1))).astype(int) + 2 * _RING_PX + 1, low + 1, size[::-1])
        self.part = np.s_[low[1] : high[1], low[0] : high[0]]
        self.inside: Mask = painted_levels(outline - low, (int(high[1] - low[1]), int(high[0] - low[0]))) > 0


def _features(one: FoundPieces, shape: _Shape, fine: Floats, covers: NDArray[np.uint8], ratio: Floats) -> Floats:
    out = np.zeros(len(FEATURES))
    inside, covers = shape.inside, covers[shape.part]
    chance = min(max(one.presence, 1e-6), 1 - 1e-6)
    best = min(max(one.confidence, 1e-6), 1 - 1e-6)
    out[0] = 1
    out[1] = _held(math.log(chance / (1 - chance)))
    out[2] = _held(math.log(best / (1 - best)))
    out[6] = one.place.lies
    out[7] = min(len(one.place.sizes), 4) - 1
    if inside.sum() < _FEWEST:
        return out
    plastic, own = fine[shape.part] > 0, covers == 1
    out[3] = plastic[inside].mean()
    out[4] = (plastic & own)[inside].mean()
    out[5] = math.log(inside.sum() / (PX_PER_MM * STRIDE * 10) ** 2)
    some = inside & own if (inside & own).sum() >= _FEWEST else inside
    here = ratio[:, *shape.part]
    values = here[:, some]
    strength = np.abs(values).max(axis=0)
    out[8] = min(float(np.median(strength)), 2.0)
    out[9] = min(float(-np.quantile(values.mean(axis=0), 0.125)), 2.0)
    out[10] = min(float(np.median(values.max(axis=0) - values.min(axis=0))), 2.0)
    out[11] = min(float(values.std(axis=1).mean()), 1.0)
    near = cv2.dilate(inside.astype(np.uint8), np.ones((2 * _RING_PX + 3, 2 * _RING_PX + 3), np.uint8)) > 0
    close = cv2.dilate(inside.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    outside = near & ~close & (covers == 0)
    deep = cv2.erode(inside.astype(np.uint8), np.ones((2 * _RING_PX + 1, 2 * _RING_PX + 1), np.uint8)) > 0
    edge = some & ~deep
    if outside.sum() >= _FEWEST and edge.sum() >= _FEWEST:
        step = np.median(here[:, edge], axis=1) - np.median(here[:, outside], axis=1)
        out[12] = min(float(np.abs(step).max()), 2.0)
        out[14] = min(float(step.max() - step.min()), 2.0)
    line = close & ~(cv2.erode(inside.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)
    steep = cv2.morphologyEx(here.mean(axis=0), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    out[13] = min(float(np.median(steep[line])), 2.0)
    out[15] = (values.max(axis=0) > _BRIGHTER).mean()
    return out


def _is_known(one: FoundPieces, known: Floats, sheet: Sheet) -> bool:
    """True if the empty table is known under most of a thing."""
    shape = _Shape(one, sheet, known.shape)
    return bool(known[shape.part][shape.inside].mean() >= _KNOWN) if shape.inside.any() else False


def _held(odds: float) -> float:
    return min(max(odds, -_MOST_ODDS), _MOST_ODDS)

"""Parts of pictures to learn contours from, with the lines of all that stands and lies there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.image.edges import LOGS
from vision.image.picture import Picture
from vision.readers.pyramids.cells import PyramidNet, answers_of
from vision.readers.pyramids.closeup import Namer, shown
from vision.readers.pyramids.contours import (
    FEATURES,
    KINDS,
    UNEXPLAINED,
    ContourNet,
    Contours,
    ContourWeights,
    middle_log,
)
from vision.readers.pyramids.hypothesis import StackHypothesis, outlines
from vision.readers.pyramids.looking import crops
from vision.readers.pyramids.shape_lines import OUTLINE, RIDGE, RIM, shape_lines
from vision.readers.pyramids.sheet import seen_on, sheet_of
from vision.readers.pyramids.training.labels import Labeled
from vision.readers.pyramids.training.sheets import Tracer
from vision.readers.pyramids.weighing import Weigher, weigh

Floats = NDArray[Any]

# The weights of contours beside the other evidence for a guess.
#
# A conditional logit model (McFadden, 1974) of which of a place's guesses is the true one.

_CALM = 5e-4
"""Weight of the squares of the learned weights, in units of each feature's spread, beside the mean log loss."""
_STEPS, _HALVED = 60, 12
_ENOUGH = 1e-7


class FitChoice(Struct, frozen=True):
    """The guesses at one place of a labeled picture."""

    features: Floats
    """(N, FEATURES) of each where its contours are."""
    lies: NDArray[np.bool_]
    """(N,) whether it is a piece that lies."""
    true: int


def choices(
    pictures: Sequence[Labeled], cells: PyramidNet, namer: Namer, contours: ContourNet, beside: bool = False
) -> Iterator[FitChoice]:
    """Each place of labeled pictures at which the truth is among the guesses.

    `beside`: beside the empty table, and only pictures of tables that were shown empty; else without it.
    """
    for one in pictures:
        table, pose = one.table, one.table.pose
        sheet = sheet_of(pose, table.mat, (table.picture.shape[1], table.picture.shape[0]))
        empty = table.calibration.empty if beside and table.calibration is not None else None
        if (beside and empty is None) or not one.things:
            continue
        seen = seen_on(table.picture, sheet, pose, table.light, empty)
        answers = answers_of(cells, seen)
        weigher = Weigher(Contours(table.picture, contours), ContourWeights(*np.zeros((2, FEATURES))), beside)
        places = np.array([(thing.place.x_mm, thing.place.y_mm) for thing in one.things])
        found = crops(places, shown(seen), sheet, pose, namer)
        for thing, (close, named) in zip(one.things, found, strict=True):
            _, weighed = weigh(close, named, answers, sheet, pose)
            what = thing.place.sizes, thing.place.lies
            true = [k for k, place in enumerate(weighed.places) if (place.sizes, place.lies) == what]
            if true:
                lies = np.array([place.lies for place in weighed.places])
                yield FitChoice(np.stack([features for _, features in weigher.fitted(weighed, pose)]), lies, true[0])


def fitted(known: Sequence[FitChoice]) -> ContourWeights:
    """The weights that favor the true guesses: among all, and among standing ones."""
    whole, standing = [], []
    for choice in known:
        features = choice.features.copy()
        features[:, UNEXPLAINED] = 0
        whole.append(ChoiceSet(features, choice.true))
        if not choice.lies[choice.true]:
            true = choice.true - int(choice.lies[: choice.true].sum())
            standing.append(ChoiceSet(choice.features[~choice.lies], true))
    return ContourWeights(likeliest(whole), likeliest(standing))


class ChoiceSet(NamedTuple):
    """The set from which one is chosen."""

    features: Floats
    """(N, FEATURES)."""
    true: int


def likeliest(known: Sequence[ChoiceSet]) -> Floats:
    """(FEATURES,) log odds by which the true options are likeliest: Newton's steps on a convex loss, none too long."""
    if not known:
        return np.zeros(FEATURES)
    spread = np.maximum(np.concatenate([choice.features for choice in known]).std(axis=0), 1e-6)
    scaled = [ChoiceSet(choice.features / spread, choice.true) for choice in known]
    weights = np.zeros(FEATURES)
    loss = _loss(scaled, weights)
    for _ in range(_STEPS):
        step = _step(scaled, weights)
        for _ in range(_HALVED):
            now = _loss(scaled, weights - step)
            if now < loss:
                break
            step = step / 2
        if now > loss - _ENOUGH:
            break
        weights, loss = weights - step, now
    return np.asarray(weights / spread)


def _loss(known: Sequence[ChoiceSet], weights: Floats) -> float:
    """The mean log loss, and what keeps weights small."""
    odds = (choice.features @ weights - choice.features[choice.true] @ weights for choice in known)
    return float(np.mean([np.logaddexp.reduce(one) for one in odds]) + _CALM * weights @ weights)


def _step(known: Sequence[ChoiceSet], weights: Floats) -> Floats:
    """(FEATURES,) Newton's step."""
    slope, bend = 2 * _CALM * weights, 2 * _CALM * np.eye(FEATURES)
    for choice in known:
        odds = choice.features @ weights
        share = np.exp(odds - odds.max())
        share /= share.sum()
        mean = share @ choice.features
        slope += (mean - choice.features[choice.true]) / len(known)
        bend += ((choice.features.T * share) @ choice.features - np.outer(mean, mean)) / len(known)
    return np.asarray(np.linalg.solve(bend, slope))


def keep_fits(weights: ContourWeights, file: Path) -> None:
    """Write them for `vision.readers.pyramids.contours.load_fits`."""
    np.savez(file, whole=weights.whole, standing=weights.standing)


SIDE_PX = 112
_BARE = 0.1
"""Share of parts from anywhere; the others show something."""
_BESIDE_PX = 18.0
"""One sigma of how far something is from the middle of its part."""
_SCALE, _TURN_RAD = 0.15, 0.15
"""One sigma of how a part is scaled, in logarithms, and turned."""
_NOISY, _NOISE = 0.5, 0.1
"""So many parts get more noise, up to one sigma in logarithms: dark cloths have ten times the noise of light ones."""
_HEIGHT_MM = 10.0
_AROUND_PX = 4


class ContourScene(Struct, frozen=True):
    """A picture and the lines in it."""

    picture: Picture
    middle: Floats
    """(3,) see `contours.middle_log`."""
    kinds: NDArray[np.uint8]
    """(H, W) as `shape_lines.ShapeLines`."""
    inside: NDArray[np.uint8]
    """(H, W) 1 where a piece is seen."""
    places_px: Floats
    """(N, 2) where things are seen."""


class ContourExample(NamedTuple):
    """One part of a picture."""

    seen: Floats
    """(3, SIDE_PX, SIDE_PX) logarithms of light, as `contours.ContourNet` sees them."""
    true: NDArray[np.uint8]
    """(KINDS, SIDE_PX, SIDE_PX) 1 where a line runs, or a piece is."""


def contour_scene(picture: Picture, places: Sequence[StackHypothesis], camera: Tracer) -> ContourScene:
    """The lines of known things as a camera sees them, nearer ones in front."""
    height, width = picture.shape[:2]
    kinds, inside = np.zeros((height, width), np.uint8), np.zeros((height, width), np.uint8)
    far = sorted(places, key=lambda one: -float(np.hypot(one.x_mm - camera.place_mm[0], one.y_mm - camera.place_mm[1])))
    for place, outline in zip(far, outlines(far, camera) if far else (), strict=True):
        flat = outline.reshape(-1, 2)
        low = np.clip(np.floor(flat.min(axis=0)).astype(int) - _AROUND_PX, 0, (width, height))
        high = np.clip(np.ceil(flat.max(axis=0)).astype(int) + _AROUND_PX, low, (width, height))
        if (high <= low).any():
            continue
        part = np.s_[low[1] : high[1], low[0] : high[0]]
        lines = shape_lines(outline - low, (int(high[0] - low[0]), int(high[1] - low[1])), place.lies)
        painted = (lines.inside > 0) | (lines.kinds > 0)
        kinds[part][painted] = lines.kinds[painted]
        inside[part][lines.inside > 0] = 1
    middles = np.array([(one.x_mm, one.y_mm, _HEIGHT_MM) for one in places])
    seen = camera.project(middles) if len(middles) else np.zeros((0, 2))
    return ContourScene(picture, middle_log(picture), kinds, inside, seen)


def random_contours(scene: ContourScene, random: np.random.Generator, _: object = None) -> ContourExample:
    """A part of a scene in other light, scaled, turned and mirrored by chance."""
    if len(scene.places_px) and random.random() > _BARE:
        middle = scene.places_px[int(random.integers(len(scene.places_px)))] + random.normal(0, _BESIDE_PX, 2)
    else:
        middle = random.uniform((0, 0), scene.picture.shape[1::-1])
    scale, angle = np.exp(random.normal(0, _SCALE)), random.normal(0, _TURN_RAD)
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    if random.random() < 0.5:
        turn[:, 0] *= -1
    matrix = np.column_stack([turn, SIDE_PX / 2 - turn @ middle])

    def part(whole: NDArray[np.uint8], how: int) -> NDArray[np.uint8]:
        cut = cv2.warpAffine(whole, matrix, (SIDE_PX, SIDE_PX), flags=how, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(cut, np.uint8)

    logs = (LOGS[part(scene.picture, cv2.INTER_LINEAR)] - scene.middle) * random.uniform(0.85, 1.15)
    logs += random.normal(0, 0.1) + random.normal(0, 0.06, 3)
    if random.random() < _NOISY:
        logs += random.normal(0, random.uniform(0, _NOISE), logs.shape)
    kinds, inside = (part(whole, cv2.INTER_NEAREST) for whole in (scene.kinds, scene.inside))
    true = np.stack([*(kinds == kind for kind in (OUTLINE, RIM, RIDGE)), inside == 1])
    assert len(true) == KINDS
    return ContourExample(np.ascontiguousarray(logs.transpose(2, 0, 1), np.float32), true.astype(np.uint8))

"""The weights of contours beside the other evidence for a guess.

A conditional logit model (McFadden, 1974) of which of a place's guesses is the true one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.readers.pyramids.answers import PyramidNet
from vision.readers.pyramids.bare import seen_on
from vision.readers.pyramids.closeup import shown
from vision.readers.pyramids.contour_fit import FEATURES, UNEXPLAINED
from vision.readers.pyramids.contour_weights import ContourWeights
from vision.readers.pyramids.contours import ContourNet, Contours
from vision.readers.pyramids.crops import crops
from vision.readers.pyramids.differing import answers_of
from vision.readers.pyramids.naming import Namer
from vision.readers.pyramids.sheet import sheet_of
from vision.readers.pyramids.training.labels import Labeled
from vision.readers.pyramids.weighing import Weigher, weigh

Floats = NDArray[Any]

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
    """Write them for `vision.readers.pyramids.contour_weights.load_fits`."""
    np.savez(file, whole=weights.whole, standing=weights.standing)

"""What edges count: a conditional logit model (McFadden, 1974) of which of a place's guesses is the true one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.pyramids.answers import PyramidNet
from vision.pyramids.bare import seen_on
from vision.pyramids.closeup import shown
from vision.pyramids.crops import crops
from vision.pyramids.edges import FEATURES, StackEdges
from vision.pyramids.naming import Namer
from vision.pyramids.sheet import sheet_of
from vision.pyramids.training.labels import Labeled
from vision.pyramids.weighing import weigh

Floats = NDArray[Any]

_CALM = 2e-4
"""Weight of the squares of what is learned, beside the mean log loss."""
_STEPS = 50
_ENOUGH = 1e-6


class EdgeChoice(Struct, frozen=True):
    """The guesses at one place of a labeled picture."""

    features: Floats
    """(N, FEATURES) of each where its edges are."""
    true: int


def choices(pictures: Sequence[Labeled], cells: PyramidNet, namer: Namer) -> Iterator[EdgeChoice]:
    """Each place of labeled pictures at which the truth is among the guesses."""
    for one in pictures:
        table, pose = one.table, one.table.pose
        sheet = sheet_of(pose, table.mat, (table.picture.shape[1], table.picture.shape[0]))
        empty = None if table.calibration is None else table.calibration.empty
        seen = seen_on(table.picture, sheet, pose, table.light, empty)
        answers, edges = cells(seen), StackEdges(table.picture)
        places = np.array([(thing.place.x_mm, thing.place.y_mm) for thing in one.things]).reshape(-1, 2)
        found = crops(places, shown(seen), sheet, pose, namer) if len(places) else []
        for thing, (close, named) in zip(one.things, found, strict=True):
            _, weighed = weigh(close, named, answers, sheet, pose)
            what = thing.place.sizes, thing.place.lies
            true = [k for k, place in enumerate(weighed.places) if (place.sizes, place.lies) == what]
            if true:
                yield EdgeChoice(np.stack([features for _, features in edges.fitted(weighed.places, pose)]), true[0])


def fitted(known: Sequence[EdgeChoice]) -> Floats:
    """(FEATURES,) log odds by which the true guesses are likeliest: Newton's steps on a convex loss."""
    weights = np.zeros(FEATURES)
    for _ in range(_STEPS):
        slope, bend = 2 * _CALM * weights, 2 * _CALM * np.eye(FEATURES)
        for choice in known:
            odds = choice.features @ weights
            share = np.exp(odds - odds.max())
            share /= share.sum()
            mean = share @ choice.features
            slope += (mean - choice.features[choice.true]) / len(known)
            bend += ((choice.features.T * share) @ choice.features - np.outer(mean, mean)) / len(known)
        step = np.linalg.solve(bend, slope)
        weights = weights - step
        if np.abs(step).max() < _ENOUGH:
            break
    return weights


def keep_edges(weights: Floats, file: Path) -> None:
    """Write them for `vision.pyramids.edges.load`."""
    np.savez(file, weights=weights)

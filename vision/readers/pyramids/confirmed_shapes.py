"""Sizes and ghosts as one table shows them, learned from positions that people confirmed.

A cloth or a camera that training did not foresee makes the reader miss levels, mistake sizes or see pieces where none
are, mostly in the same way all evening. So one weight is learned for each size and one for a thing that is there at
all; the weights of a guess are added to its log odds. Each confirmed thing moves them by one Newton step of a
conditional logit model with a Gaussian prior, so that few things teach little.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, Pyramid
from vision.image.pose import Pose
from vision.readers.pyramids.assignment import SURPLUS, Option, choose
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.presence import LEAST
from vision.readers.pyramids.scene import FoundPieces, outlined

Floats = NDArray[Any]

TERMS = len(PYRAMID_SIZES) + 1
"""The number of weights: one for each piece of a size, and one for anything."""
_SIGMA = 0.5
"""One sigma of a weight before anything was confirmed, in log odds."""
_MOST = 2.0
"""No weight is farther from zero."""
_FLOOR = 1e-4
"""No guess is less probable."""


class ConfirmedShapes:
    """The learned weights of one table."""

    def __init__(self, start: Sequence[float] = ()) -> None:
        """`start` (TERMS,) are the weights of an earlier evening."""
        self.weights: Floats = np.array(start or np.zeros(TERMS), np.float64)
        """(TERMS,) log odds."""
        self._precision: Floats = np.eye(TERMS) / _SIGMA**2
        self._taught: set[bytes] = set()

    def learn(self, found: Sequence[FoundPieces], wanted: Counter[Pyramid], offsets: Floats) -> None:
        """Learns from things that are `wanted` together; without an explanation of all pieces it learns nothing.

        Args:
            offsets: (10,) the learned offsets of the log likelihoods of colors.
        """
        chosen = _explained(found, wanted, offsets)
        for one, true in zip(found, chosen, strict=False):
            mark = one.color_logs.tobytes()
            if mark not in self._taught:  # A thing that still stands says nothing new.
                self._taught.add(mark)
                self._step(_chances(one), _terms(one), true)

    def _step(self, chances: Floats, terms: Floats, true: int) -> None:
        mean = chances @ terms
        self._precision = self._precision + (terms.T * chances) @ terms - np.outer(mean, mean)
        moved = self.weights + np.linalg.solve(self._precision, terms[true] - mean)
        self.weights = np.clip(moved, -_MOST, _MOST)

    def applied(self, found: Sequence[FoundPieces], pose: Pose) -> list[FoundPieces]:
        """Returns things with the probabilities of their guesses on this table, without those that are hardly there."""
        if not self.weights.any():
            return list(found)
        weighed = [self._weighed(one, pose) for one in found]
        return [one for one, before in zip(weighed, found, strict=True) if one.presence >= min(LEAST, before.presence)]

    def _weighed(self, one: FoundPieces, pose: Pose) -> FoundPieces:
        logs = np.log(_chances(one)) + _terms(one) @ self.weights
        share = np.exp(logs - np.logaddexp.reduce(logs))
        guesses = [
            replace(guess, confidence=float(chance))
            for guess, chance in zip((one.as_rival(), *one.rivals), share, strict=False)
        ]
        first, *rivals = sorted(guesses, key=lambda guess: -guess.confidence)
        outline = (one.outline_px, one.box) if first.place == one.place else outlined(first.place, pose)
        return FoundPieces(
            first.place, first.confidence, tuple(rivals), (), first.color_logs, *outline, first.tones, kept=one.kept
        )


def _explained(found: Sequence[FoundPieces], wanted: Counter[Pyramid], offsets: Floats) -> list[int]:
    """The number of the guess that is right for each thing, the last for none of them; empty if pieces are left over.

    Each piece within the wanted ones counts as much as one beyond them costs.
    """
    half = SURPLUS / 2
    none = np.zeros((0, len(PYRAMID_COLORS)))
    options = []
    for one in found:
        guesses = (one.as_rival(), *one.rivals)
        told = [
            Option(chance * math.exp(half * len(guess.place.sizes)), guess.place.sizes, guess.color_logs + offsets)
            for guess, chance in zip(guesses, _chances(one).tolist(), strict=False)
        ]
        options.append([*told, Option(float(_chances(one)[-1]), (), none)])
    chosen = choose(options, wanted)
    sizes = Counter(size for some, k in zip(options, chosen, strict=True) for size in some[k].sizes)
    return chosen if sizes == Counter(piece.size for piece in wanted.elements()) else []


def _chances(one: FoundPieces) -> Floats:
    """(guesses + 1,) the probability of each guess, and of none of them."""
    told = [one.confidence, *(rival.confidence for rival in one.rivals)]
    chances = np.maximum([*told, 1 - sum(told)], _FLOOR)
    return np.asarray(chances / chances.sum())


def _terms(one: FoundPieces) -> Floats:
    """(guesses + 1, TERMS) what counts for each guess, and for none of them."""
    rows = [_terms_of(place) for place in (one.place, *(rival.place for rival in one.rivals))]
    return np.array([*rows, [0.0] * TERMS])


def _terms_of(place: StackHypothesis) -> list[float]:
    return [*(float(place.sizes.count(size)) for size in PYRAMID_SIZES), 1.0]

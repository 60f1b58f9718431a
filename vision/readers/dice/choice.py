"""Chooses the dice among the candidates: the likeliest first, and none that overlaps or hides another one.

The same outline is rated as each kind of die. Its odds depend on how clear it is, how uniform its faces are, and
whether they have the colors or the pips of that kind.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct

from vision.readers.dice.candidates import DieCandidate
from vision.readers.dice.naming import Colors
from vision.readers.dice.palette import LearnedDice
from vision.readers.dice.solids import CUBE, SIDE_MM, Floats
from vision.registration.registered_image import RegisteredImage

KINDS = ("spectrum-d6", "spectrum-d12", "pips-d6")
_APART = 0.8125
"""The least distance of two dice in sides: dice that touch are a side apart, and places are a millimeter or two off."""
_HIDDEN = 0.25
"""The largest share of a top face that other dice may hide, because top faces are the highest parts."""
_UNLIKE = -12.0
_AS_LIKE_AS_CAN_BE = (5.5, 4.5)
"""The largest fits of top and side faces that count, whatever the color."""
_HOPELESS = -6.0
_DOUBTFUL = -0.5
"""The log odds from which a candidate is listed as a die, even if doubtful. Other things hardly ever reach it, and dice
do if the camera's contrast is higher than in the training pictures.
"""


class FaceChance(Struct, frozen=True):
    """A candidate as one kind of die."""

    candidate: DieCandidate
    kind: str
    log_odds: float
    colors: Colors | None
    """The evidence about its colors; None for a die with pips."""

    @property
    def probability(self) -> float:
        """The probability that the die is there, if there is no better candidate at its place."""
        return 1 / (1 + math.exp(-self.log_odds))


class Chosen(Struct, frozen=True):
    """A die with the alternatives at its place."""

    chance: FaceChance
    rivals: tuple[FaceChance, ...]
    """Other kinds at the same place, the likeliest first."""


def kind_of(candidate: DieCandidate) -> str:
    """Returns the kind of a candidate."""
    if candidate.pips is not None:
        return "pips-d6"
    return "spectrum-d6" if candidate.solid is CUBE else "spectrum-d12"


def shape_features(candidate: DieCandidate) -> tuple[float, ...]:
    """Returns the evidence for a candidate that does not depend on its colors."""
    score = candidate.place.score
    if candidate.pips is not None:
        return score, candidate.pips.best, abs(candidate.pips.contrast)
    return score, candidate.faces[0].spread, candidate.side_spread


def shape_odds(candidate: DieCandidate, numbers: LearnedDice) -> float:
    """Returns the log odds of a candidate, assuming that its colors are right."""
    return log_odds(numbers.odds[kind_of(candidate)], (*shape_features(candidate), *_AS_LIKE_AS_CAN_BE))


def features(candidate: DieCandidate, colors: Colors | None) -> tuple[float, ...]:
    """Returns all that speaks for a candidate."""
    if colors is None:
        return shape_features(candidate)
    top_fit, side_fit = colors.fit()
    return (*shape_features(candidate), max(top_fit, _UNLIKE), side_fit)


def chances(table: RegisteredImage, found: Sequence[DieCandidate], numbers: LearnedDice) -> list[FaceChance]:
    """Returns the chance of every candidate, the likeliest first; hopeless ones are left out."""
    ranked = []
    for candidate in found:
        kind = kind_of(candidate)
        weights = numbers.odds[kind]
        shape = shape_features(candidate)
        if shape_odds(candidate, numbers) < _HOPELESS:
            continue
        colors = None if candidate.pips else Colors(table, candidate, numbers.palette)
        if colors and log_odds(weights, (*shape, float(colors.top.max()), _AS_LIKE_AS_CAN_BE[1])) < _HOPELESS:
            continue
        ranked.append(FaceChance(candidate, kind, log_odds(weights, features(candidate, colors)), colors))
    return sorted(ranked, key=lambda chance: -chance.log_odds)


def log_odds(weights: Sequence[float], seen: Sequence[float]) -> float:
    """Returns the weighted sum of some evidence; the last weight is the constant."""
    """Features beyond those that a kind has weights for are not used."""
    return sum(w * v for w, v in zip(weights[:-1], seen, strict=False)) + weights[-1]


def choose(table: RegisteredImage, ranked: Sequence[FaceChance], least_log_odds: float = _DOUBTFUL) -> list[Chosen]:
    """Returns the dice, given all chances, the likeliest first."""
    taken: list[FaceChance] = []
    shapes: list[tuple[Floats, Floats]] = []
    rivals: list[list[FaceChance]] = []
    for chance in ranked:
        place = chance.candidate.place
        near = [
            k
            for k, other in enumerate(taken)
            if np.hypot(place.x_mm - other.candidate.place.x_mm, place.y_mm - other.candidate.place.y_mm)
            < _APART * (_side_mm(chance.candidate) + _side_mm(other.candidate)) / 2
        ]
        if near:
            rivals[near[0]].append(chance)
            continue
        if chance.log_odds < least_log_odds:
            continue
        shape = _shapes(table, chance.candidate)
        if any(_hides(shape, other) or _hides(other, shape) for other in shapes):
            continue
        taken.append(chance)
        shapes.append(shape)
        rivals.append([])
    return [Chosen(one, tuple(others)) for one, others in zip(taken, rivals, strict=True)]


def _side_mm(candidate: DieCandidate) -> float:
    """Returns the distance of two dice of this size that touch."""
    return SIDE_MM if candidate.pips is None else candidate.solid.height_mm


def _shapes(table: RegisteredImage, candidate: DieCandidate) -> tuple[Floats, Floats]:
    """Returns the outlines in pixels of the top face and of the whole die."""
    top = table.pose.project(candidate.top_mm()).astype(np.float32)
    whole = cv2.convexHull(table.pose.project(candidate.corners_mm()).astype(np.float32)).reshape(-1, 2)
    return top, whole


def _hides(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> bool:
    """True if one die would hide much of the other's top face."""
    area = cv2.contourArea(other[0])
    return bool(cv2.intersectConvexConvex(one[1], other[0])[0] > _HIDDEN * area)

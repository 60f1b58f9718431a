"""Determines the box of the dice in a tray: the size, body and pips that most of its dice share.

A pattern of another size or another plastic than the rest is mostly a part of a die, or not a die at all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct, structs

from vision.readers.dice.candidates import DieCandidate
from vision.readers.dice.choice import FaceChance, log_odds
from vision.readers.dice.palette import LearnedDice
from vision.readers.dice.solids import Floats

TINTED = "tinted-pips"
"""The name of the odds of dice with pips of any color."""
_SIZES_APART = 0.15
"""The logarithm of the ratio of two sizes that certainly differ."""
_MOST_APART = 3.0
"""The largest distance in size that counts, because dice of two makes may be in one tray."""
_OTHER_BODY, _OTHER_PIPS = 1.5, 1.5
"""The largest distances of bodies and of pips that count."""
_CLEAR_PATTERN, _PART = 0.75, 1.0
_OUTER_PIP = (0.2, 0.45)
"""The least and largest distance of an outer pip from the middle of its face, in sides."""
_FAINT = 10.0
"""The number of levels that are noise."""
_HOPELESS = -6.0


class Box(Struct, frozen=True):
    """The properties that most of the dice with pips in a tray share."""

    side_mm: float
    body: Floats
    """(3,): the logarithms of the body's levels."""
    tint: Floats
    """(3,): the levels of the pips minus those of the body."""

    def unlike(self, candidate: DieCandidate) -> tuple[float, float, float]:
        """Returns the distances of a candidate's size, body and pips from those of this box."""
        assert candidate.pips is not None
        size = abs(math.log(candidate.solid.height_mm / self.side_mm)) / _SIZES_APART
        body = float(np.abs(body_logs(candidate.pips.body) - self.body).mean())
        strength = float(np.linalg.norm(self.tint)) + _FAINT
        tint = float(np.linalg.norm(np.array(candidate.pips.tint) - self.tint)) / strength
        return min(size, _MOST_APART), min(body, _OTHER_BODY), min(tint, _OTHER_PIPS)


def box_of(found: Sequence[DieCandidate], numbers: LearnedDice) -> Box | None:
    """Returns the box that most of the candidates with pips speak for; None where there are none."""
    shown = [one for one in found if one.pips is not None]
    if not shown:
        return None
    weights = numbers.odds[TINTED]
    there = 1 / (1 + np.exp(-np.array([log_odds(weights, tinted_features(one, None)) for one in shown])))
    logs = np.log([one.solid.height_mm for one in shown])
    like = np.exp(-(((logs[:, None] - logs) / _SIZES_APART) ** 2)) * there
    first = int(like.sum(axis=1).argmax())
    weight = like[first]
    bodies = np.array([body_logs(one.pips.body) for one in shown if one.pips])
    tints = np.array([one.pips.tint for one in shown if one.pips])
    return Box(shown[first].solid.height_mm, _middle(bodies, weight), _middle(tints, weight))


def tinted_features(candidate: DieCandidate, box: Box | None) -> tuple[float, ...]:
    """Returns the evidence for a candidate with pips, by itself and beside the others."""
    assert candidate.pips is not None
    number = candidate.pips.number
    alone = candidate.place.score, candidate.pips.best, math.log2(number), float(number == 1)
    return *alone, *((0.0, 0.0, 0.0) if box is None else box.unlike(candidate))


def tinted_chances(found: Sequence[DieCandidate], box: Box | None, numbers: LearnedDice) -> list[FaceChance]:
    """Returns every candidate with pips of any color, the likeliest first; hopeless ones are left out."""
    weights = numbers.odds[TINTED]
    ranked = [FaceChance(one, "pips-d6", log_odds(weights, tinted_features(one, box)), None) for one in found]
    return sorted((one for one in ranked if one.log_odds > _HOPELESS), key=lambda chance: -chance.log_odds)


def without_parts(found: Sequence[FaceChance]) -> list[FaceChance]:
    """Returns the chances; a lone pip that another face explains together with others is never likelier than that
    face.
    """
    likely = [one for one in found if one.log_odds > 0 and one.candidate.pips]
    several = [
        one
        for one in likely
        if one.candidate.pips and one.candidate.pips.number > 1 and one.candidate.pips.best > _CLEAR_PATTERN
    ]
    kept = []
    for chance in found:
        if chance.candidate.pips is not None and chance.candidate.pips.number == 1:
            wholes = [one.log_odds for one in several if _is_pip_of(chance.candidate, one.candidate)]
            chance = structs.replace(chance, log_odds=min([chance.log_odds, *(odds - _PART for odds in wholes)]))
        kept.append(chance)
    return sorted(kept, key=lambda chance: -chance.log_odds)


def _is_pip_of(lone: DieCandidate, face: DieCandidate) -> bool:
    """True if the middle of a lone pip is at an outer pip of the face."""
    away = math.hypot(lone.place.x_mm - face.place.x_mm, lone.place.y_mm - face.place.y_mm)
    low, high = _OUTER_PIP
    return low < away / face.solid.height_mm < high


def body_logs(levels: Sequence[float] | Floats) -> Floats:
    """Returns (3,): a body's levels in the form in which they are compared."""
    return np.asarray(np.log(np.maximum(np.asarray(levels), 0.0) + _FAINT))


def _middle(values: Floats, weight: Floats) -> Floats:
    """Returns (3,): the weighted median of each column of values (N, 3)."""
    order = np.argsort(values, axis=0)
    shares = np.cumsum(weight[order], axis=0) / max(float(weight.sum()), 1e-9)
    at = np.minimum((shares < 0.5).sum(axis=0), len(values) - 1)
    return np.asarray(np.take_along_axis(values, order, axis=0)[at, np.arange(3)])

"""What stands at one place: what the close look says, the plastic around it and the contours in the picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.pose import Pose
from vision.pyramids.answers import Answers
from vision.pyramids.closeup import PLACE, Closeup
from vision.pyramids.contour_fit import ContourFit
from vision.pyramids.contour_weights import ContourWeights
from vision.pyramids.contours import Contours
from vision.pyramids.fit import Surroundings
from vision.pyramids.hypothesis import StackHypothesis
from vision.pyramids.naming import Named
from vision.pyramids.sheet import Sheet, Viewer

Floats = NDArray[Any]


class _Shares(NamedTuple):
    """How much two of the witnesses count: what they say is not independent."""

    close: float
    """The close look."""
    outline: float
    """A cell of plastic inside of the outline: neighbors say much the same."""


_ALONE, _BESIDE = _Shares(1.0, 0.006), _Shares(0.5, 0.02)
"""Beside the empty table outlines are sharp."""
_NAMED, _RULED_OUT, _SO_FAR = 0.1, 0.5, 6.0
"""The same for the close look where contours are known: of what it says of guesses that are nearly as likely as its
best one, up to so far behind in log odds, and of what goes beyond. A net that names what it sees at a glance errs on
tables that it has not learned from, but seldom takes one piece for seven."""
_STANDING, _STANDING_BESIDE = 0.4, 1.0
"""The share of the weights among stacks, to which unexplained lines count, without and beside the empty table: without
it lines of the table that are seen through a piece are not known to be none of its own."""
_RIVAL = 14.0
"""A guess that is so much less likely, in log odds, is not helped by contours."""
_CLOSE_TONE, _CELL_TONE = 0.5, 0.025
"""The same for colors."""
_LIES = 3.0
"""Among rivals a guess that lies is seldom as far off as among all guesses, from which the weights are learned."""


class Weighed(Struct, frozen=True):
    """Guesses at one place, before contours are looked at."""

    places: tuple[StackHypothesis, ...]
    logs: Floats
    """(N,) log odds, up to a common offset."""
    named: Floats
    """(N,) log probability of each by the close look alone."""
    something: float
    """Probability that any of them is there."""

    def only(self, which: NDArray[np.intp]) -> Weighed:
        """Some of the guesses (n,)."""
        return Weighed(tuple(self.places[k] for k in which), self.logs[which], self.named[which], self.something)


def joined(looks: Sequence[Weighed]) -> Weighed:
    """What several looks say of one thing, together."""
    return Weighed(
        tuple(place for one in looks for place in one.places),
        np.concatenate([one.logs for one in looks]),
        np.concatenate([one.named for one in looks]),
        max(one.something for one in looks),
    )


class Weigher(Struct, frozen=True):
    """Looks for the contours of guesses in one picture."""

    contours: Contours
    weights: ContourWeights
    beside: bool = False
    """Whether the empty table is known."""

    def __call__(self, things: Sequence[Weighed], pose: Viewer) -> list[tuple[list[StackHypothesis], Floats]]:
        """For each thing all guesses, rivals where their contours are, and the probability of each (N,)."""
        told = [(list(one.places), _shares(one)) for one in things]
        rivals = [np.flatnonzero(np.exp(one.logs - one.logs.max()) > math.exp(-_RIVAL)) for one in things]
        open_ = [k for k, some in enumerate(rivals) if len(some) > 1]
        likely = [things[k].only(rivals[k]) for k in open_]
        for k, some, found in zip(open_, likely, self.fitted(likely, pose), strict=True):
            places, share = told[k]
            for n, (place, _) in zip(rivals[k].tolist(), found, strict=True):
                places[n] = place
            odds = self._odds(some, np.stack([features for _, features in found]))
            chance = np.exp(odds - odds.max())
            share[rivals[k]] = chance * (share[rivals[k]].sum() / chance.sum())
        return told

    def _odds(self, weighed: Weighed, features: Floats) -> Floats:
        """(N,) log odds of rivals whose contours have these features (N, FEATURES)."""
        lies = np.array([place.lies for place in weighed.places])
        close, standing = (_BESIDE.close, _STANDING_BESIDE) if self.beside else (_ALONE.close, _STANDING)
        before = weighed.logs - close * weighed.named + _beside_contours(weighed.named) + _LIES * lies
        return self.weights.odds(before, features, lies, standing)

    def seen(self, place: StackHypothesis, pose: Viewer) -> float:
        """Log odds, by contours alone, that something stands or lies just there."""
        ((_, features),) = self.around([[place]], pose).fitted([place])
        return float(features @ self.weights.whole)

    def fitted(self, things: Sequence[Weighed], pose: Viewer) -> list[list[tuple[StackHypothesis, Floats]]]:
        """For each thing all guesses where their contours are, and the features (contour_fit.FEATURES,) of those."""
        if not things:
            return []
        fit = self.around([one.places for one in things], pose)
        found = fit.fitted([place for some in _turned(things, fit) for place in some])
        ends = np.cumsum([len(one.places) for one in things]).tolist()
        return [found[end - len(one.places) : end] for end, one in zip(ends, things, strict=True)]

    def around(self, groups: Sequence[Sequence[StackHypothesis]], pose: Viewer) -> ContourFit:
        """The contours of the parts of the picture that show some guesses, those at one place together."""
        return ContourFit(self.contours, groups, pose)


def _beside_contours(named: Floats) -> Floats:
    """(N,) what the close look counts for guesses whose contours are known, from its log probabilities (N,)."""
    behind = named - named.max()
    return np.asarray(_NAMED * np.maximum(behind, -_SO_FAR) + _RULED_OUT * np.minimum(behind + _SO_FAR, 0))


def _shares(weighed: Weighed) -> Floats:
    """(N,) the probability of each guess before contours are looked at."""
    share = np.exp(weighed.logs - weighed.logs.max())
    return np.asarray(share * (weighed.something / share.sum()))


def _turned(things: Sequence[Weighed], fit: ContourFit) -> list[list[StackHypothesis]]:
    """The same guesses at each thing; all that stand are turned as contours show the likeliest of them to be."""
    stand = [[k for k, place in enumerate(one.places) if not place.lies] for one in things]
    likeliest = [max(some, key=lambda k: float(one.logs[k])) for one, some in zip(things, stand, strict=True) if some]
    standing = [one for one, some in zip(things, stand, strict=True) if some]
    turns = iter(fit.turned([one.places[k] for one, k in zip(standing, likeliest, strict=True)]) if standing else [])
    out = []
    for one, some in zip(things, stand, strict=True):
        turn = next(turns) if some else 0.0
        out.append([place if place.lies else replace(place, turn_deg=turn) for place in one.places])
    return out


def weigh(close: Closeup, named: Named, answers: Answers, sheet: Sheet, pose: Pose) -> tuple[Surroundings, Weighed]:
    """What the closeup of a place and the plastic around it say of each guess."""
    x, y = (float(v) for v in place_mm(close, named, sheet, pose))
    around = Surroundings(answers, sheet, pose, np.array([x, y]))
    heading = _heading(close, named, sheet, pose)
    guesses = [
        StackHypothesis(x, y, heading if guess.lies else 0.0, guess.sizes, guess.lies) for guess in named.guesses
    ]
    turns = [around.turns(guess) for guess in guesses]
    # All that stands is turned as the likeliest of it is.
    first = next((k for k, guess in enumerate(guesses) if not guess.lies), None)
    if first is not None:
        turn = around.best(turns[first]).place.turn_deg
        turns = [
            some if some[0].lies else [guess.moved(0, 0, turn)] for guess, some in zip(guesses, turns, strict=True)
        ]
    fits = around.best_of(turns)
    counts = _ALONE if answers.fine is None else _BESIDE
    said = np.array([math.log(max(g.probability, 1e-9)) for g in named.guesses])
    logs = said * counts.close + np.array([fit.score for fit in fits]) * counts.outline
    nothing = math.log(max(1 - sum(g.probability for g in named.guesses), 1e-6)) * counts.close
    share = np.exp(np.array([*logs, nothing]) - max(*logs, nothing))
    return around, Weighed(tuple(fit.place for fit in fits), logs, said, float(1 - share[-1] / share.sum()))


def color_logs(named: Named, around: Surroundings, place: StackHypothesis) -> Floats:
    """(levels, 10) log likelihood of each color at each level of a guess."""
    return np.asarray(named.color_logs[: len(place.sizes)] * _CLOSE_TONE + around.color_logs(place) * _CELL_TONE)


def place_mm(close: Closeup, named: Named, sheet: Sheet, pose: Pose) -> Floats:
    """(2,) where a thing is by its closeup."""
    pixel = sheet.to_picture(close.back((np.array(PLACE) + named.shift_px)[None]))
    return np.asarray(pose.unproject(pixel)[0, :2])


def _heading(close: Closeup, named: Named, sheet: Sheet, pose: Pose) -> float:
    """Degrees, counter-clockwise seen from above, in which a lying piece's tip points."""
    there = np.array(PLACE) + named.shift_px
    ends = sheet.to_picture(close.back(np.stack([there, there + 20 * named.tip])))
    (x0, y0), (x1, y1) = pose.unproject(ends)[:, :2]
    return math.degrees(math.atan2(y0 - y1, x1 - x0)) % 360

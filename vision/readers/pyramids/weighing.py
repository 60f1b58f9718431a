"""The choice at one place: the close look, the plastic around it and the contours in the picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.image.pose import Pose
from vision.readers.pyramids.answers import Answers
from vision.readers.pyramids.closeup import PLACE, Closeup
from vision.readers.pyramids.contour_fit import ContourFit
from vision.readers.pyramids.contour_weights import ContourWeights
from vision.readers.pyramids.contours import Contours
from vision.readers.pyramids.fit import Surroundings
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.naming import Named
from vision.readers.pyramids.sheet import Sheet, Viewer

Floats = NDArray[Any]


class _Shares(NamedTuple):
    """The weights of two witnesses: their evidence is not independent."""

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


def joined(looks: Sequence[Weighed]) -> Weighed:
    """The combination of several looks at one thing."""
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
    """True if the empty table is known."""

    def __call__(self, weighed: Weighed, pose: Viewer) -> tuple[list[StackHypothesis], Floats]:
        """All guesses, rivals where their contours are, and the probability of each (N,)."""
        places, share = list(weighed.places), np.exp(weighed.logs - weighed.logs.max())
        rivals = np.flatnonzero(share > math.exp(-_RIVAL))
        share *= weighed.something / share.sum()
        if len(rivals) > 1:
            likely = Weighed(
                tuple(places[k] for k in rivals), weighed.logs[rivals], weighed.named[rivals], weighed.something
            )
            close = (_BESIDE if self.beside else _ALONE).close
            lies = np.array([place.lies for place in likely.places])
            before = likely.logs - close * likely.named + _beside_contours(likely.named) + _LIES * lies
            found = self.fitted(likely, pose)
            for k, (place, _) in zip(rivals, found, strict=True):
                places[k] = place
            standing = _STANDING_BESIDE if self.beside else _STANDING
            odds = self.weights.odds(before, np.stack([features for _, features in found]), lies, standing)
            chance = np.exp(odds - odds.max())
            share[rivals] = chance * (share[rivals].sum() / chance.sum())
        return places, share

    def seen(self, place: StackHypothesis, pose: Viewer) -> float:
        """Log odds, by contours alone, that something stands or lies just there."""
        ((_, features),) = self.around([place], pose).fitted([place])
        return float(features @ self.weights.whole)

    def fitted(self, weighed: Weighed, pose: Viewer) -> list[tuple[StackHypothesis, Floats]]:
        """All guesses where their contours are, and the features (contour_fit.FEATURES,) of those."""
        fit = self.around(weighed.places, pose)
        return fit.fitted(_turned(weighed.places, weighed.logs, fit))

    def around(self, places: Sequence[StackHypothesis], pose: Viewer) -> ContourFit:
        """The contours of the part of the picture that shows some guesses."""
        return ContourFit(self.contours, places, pose)


def _beside_contours(named: Floats) -> Floats:
    """(N,) what the close look counts for guesses whose contours are known, from its log probabilities (N,)."""
    behind = named - named.max()
    return np.asarray(_NAMED * np.maximum(behind, -_SO_FAR) + _RULED_OUT * np.minimum(behind + _SO_FAR, 0))


def _turned(places: Sequence[StackHypothesis], logs: Floats, fit: ContourFit) -> list[StackHypothesis]:
    """The same guesses; all that stand are turned as contours show the likeliest of them to be."""
    stand = [k for k, place in enumerate(places) if not place.lies]
    if not stand:
        return list(places)
    turn = fit.turned(places[max(stand, key=lambda k: float(logs[k]))])
    return [place if place.lies else replace(place, turn_deg=turn) for place in places]


def weigh(close: Closeup, named: Named, answers: Answers, sheet: Sheet, pose: Pose) -> tuple[Surroundings, Weighed]:
    """The evidence of a place's closeup and of the plastic around it for each guess."""
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

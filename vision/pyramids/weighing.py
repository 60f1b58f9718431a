"""What stands at one place: what the close look says, the plastic around it and the edges in the picture together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.picture import Picture
from vision.pose import Pose
from vision.pyramids.answers import Answers
from vision.pyramids.closeup import PLACE, Closeup
from vision.pyramids.edges import StackEdges
from vision.pyramids.fit import Surroundings
from vision.pyramids.hypothesis import StackHypothesis, outlines
from vision.pyramids.naming import Named
from vision.pyramids.sheet import Sheet, Viewer

Floats = NDArray[Any]


class _Shares(NamedTuple):
    """How much each witness counts: what they say is not independent."""

    close: float
    """The close look."""
    outline: float
    """A cell of plastic inside of the outline: neighbors say much the same."""
    edge: float
    """Edges: samples that lie side by side say much the same."""
    rival: float
    """A guess that is so much less likely, in log odds, is not helped by edges."""


_ALONE = _Shares(1.0, 0.006, 0.4, 4.0)
_BESIDE = _Shares(0.5, 0.02, 0.6, 6.0)
"""Beside the empty table outlines and edges are sharp."""
_CLOSE_TONE, _CELL_TONE = 0.5, 0.025
"""The same for colors."""
_LIES = 2.0
"""Among rivals a guess that lies is seldom as far off as among all guesses, from which the weights are learned."""
_AROUND_PX = 16


class Weighed(Struct, frozen=True):
    """Guesses at one place, before edges are looked at."""

    places: tuple[StackHypothesis, ...]
    logs: Floats
    """(N,) log odds, up to a common offset."""
    something: float
    """Probability that any of them is there."""


class Weigher(Struct, frozen=True):
    """Looks for the edges of guesses in one picture."""

    picture: Picture
    weights: Floats
    """(edges.FEATURES,) what each feature counts, beside the empty table if that is known."""
    bare: Picture | None = None
    """The empty table from the same place."""

    def __call__(self, weighed: Weighed, pose: Viewer) -> tuple[list[StackHypothesis], Floats]:
        """All guesses, rivals where their edges are, and the probability of each (N,)."""
        places, share = list(weighed.places), np.exp(weighed.logs - weighed.logs.max())
        counts = _ALONE if self.bare is None else _BESIDE
        rivals = np.flatnonzero(share > math.exp(-counts.rival))
        share *= weighed.something / share.sum()
        if len(rivals) > 1:
            likely = Weighed(tuple(places[k] for k in rivals), weighed.logs[rivals], weighed.something)
            odds = likely.logs.copy()
            for n, (k, (place, features)) in enumerate(zip(rivals, self.fitted(likely, pose), strict=True)):
                places[k] = place
                odds[n] += counts.edge * float(features @ self.weights) + _LIES * place.lies
            chance = np.exp(odds - odds.max())
            share[rivals] = chance * (share[rivals].sum() / chance.sum())
        return places, share

    def fitted(self, weighed: Weighed, pose: Viewer) -> list[tuple[StackHypothesis, Floats]]:
        """All guesses where their edges are, and the features (edges.FEATURES,) of those."""
        places = list(weighed.places)
        edges = self.edges_around(places, pose)
        if self.bare is not None:
            # Alone, a pattern of the table would turn it.
            places = _turned(places, weighed.logs, edges, pose)
        return edges.fitted(places, pose)

    def edges_around(self, places: Sequence[StackHypothesis], pose: Viewer) -> StackEdges:
        """The edges of the part of the picture that shows some guesses."""
        flat = np.concatenate([outline.reshape(-1, 2) for outline in outlines(places, pose)])
        height, width = self.picture.shape[:2]
        left, top = np.clip(np.floor(flat.min(axis=0)).astype(int) - _AROUND_PX, 0, (width - 2, height - 2))
        right, bottom = np.clip(
            np.ceil(flat.max(axis=0)).astype(int) + _AROUND_PX, (left + 2, top + 2), (width, height)
        )
        return StackEdges(self.picture, (int(left), int(top), int(right), int(bottom)), self.bare)


def _turned(places: list[StackHypothesis], logs: Floats, edges: StackEdges, pose: Viewer) -> list[StackHypothesis]:
    """The same guesses; all that stand are turned as edges show the likeliest of them to be."""
    stand = [k for k, place in enumerate(places) if not place.lies]
    if not stand:
        return places
    turn = edges.turned(places[max(stand, key=lambda k: float(logs[k]))], pose)
    return [place if place.lies else replace(place, turn_deg=turn) for place in places]


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
    logs = np.array([math.log(max(g.probability, 1e-9)) for g in named.guesses]) * counts.close
    logs += np.array([fit.score for fit in fits]) * counts.outline
    nothing = math.log(max(1 - sum(g.probability for g in named.guesses), 1e-6)) * counts.close
    share = np.exp(np.array([*logs, nothing]) - max(*logs, nothing))
    return around, Weighed(tuple(fit.place for fit in fits), logs, float(1 - share[-1] / share.sum()))


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

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
from vision.readers.pyramids.cells import Answers
from vision.readers.pyramids.closeup import PLACE, Closeup, Named
from vision.readers.pyramids.contours import ContourFit, Contours, ContourWeights
from vision.readers.pyramids.hypothesis import StackHypothesis, outlines, painted_levels
from vision.readers.pyramids.sheet import PX_PER_MM, STRIDE, Sheet, Viewer

Floats = NDArray[Any]

# How well an exact shape explains the plastic around a place, and which colors the cells of its levels show.
#
# Only cells that point at the place, and bare table, count for or against it; what belongs to a neighbor is left out.

_MOST = 5.0
"""Log odds of plastic that one cell may claim."""
_AROUND_MM = 75.0
"""A thing at a place is seen within this distance."""
_NEAR_MM = 11.0
"""A cell that points farther away belongs to something else."""
_TURNS = tuple(float(turn) for turn in range(0, 90, 9))
_AROUND_DEG = tuple(float(heading) for heading in range(0, 360, 20))
_BEHIND_MM = (0.0, 6.0, 12.0)
_HEADINGS = (-24.0, -12.0, 0.0, 12.0, 24.0)


class Fitted(Struct, frozen=True):
    """A guess where it fits best."""

    place: StackHypothesis
    score: float
    """Sum of log odds of plastic, in cells, inside of the outline."""


class Surroundings:
    """The cells around a place."""

    def __init__(self, answers: Answers, sheet: Sheet, pose: Viewer, place_mm: Floats) -> None:
        self.sheet, self.pose = sheet, pose
        middle = sheet.to_sheet(pose.project(np.array([(*place_mm, 0.0)])))[0] / STRIDE
        reach = _AROUND_MM * PX_PER_MM / STRIDE
        height, width = answers.plastic.shape
        low = np.clip(np.floor(middle - reach).astype(int), 0, (width - 1, height - 1))
        high = np.clip(np.ceil(middle + reach).astype(int), low + 1, (width, height))
        self.low = low
        part = np.s_[low[1] : high[1], low[0] : high[0]]
        plastic = np.clip(answers.plastic[part], -_MOST, _MOST)
        own = np.ones(plastic.shape, bool)
        if answers.bound:
            # Where surely no plastic is, nothing points anywhere.
            own = plastic > -_MOST
            pixels = sheet.to_picture(answers.place_px[(slice(None), *part)][:, own].T.astype(np.float64))
            own[own] = np.hypot(*(pose.unproject(pixels)[:, :2] - place_mm).T) <= _NEAR_MM
        self.odds = np.where((plastic > 0) & ~own, 0.0, plastic)
        self.weight = np.where(own, 1 / (1 + np.exp(-plastic)), 0.0)
        self.colors = answers.colors[(slice(None), *part)]
        self.fine = self._fine(answers, low, high)

    def _fine(self, answers: Answers, low: NDArray[np.intp], high: NDArray[np.intp]) -> Floats | None:
        """Log odds pixel by pixel, where they are known; parts of other things do not count."""
        if answers.fine is None:
            return None
        part = answers.fine[STRIDE * low[1] : STRIDE * high[1], STRIDE * low[0] : STRIDE * high[0]]
        own = np.where((self.odds == 0) & (self.weight == 0), 0.0, 1.0)
        return np.clip(part, -_MOST, _MOST) * own.repeat(STRIDE, 0).repeat(STRIDE, 1)

    def levels(self, outline: Floats) -> NDArray[np.uint8]:
        """(h, w) 0 for table, else 1 + the level that is seen; `outline` is (levels, 5, 2) in picture pixels."""
        cells = (self.sheet.to_sheet(outline) - (STRIDE - 1) / 2) / STRIDE - self.low
        return painted_levels(cells, self.odds.shape)

    def scores(self, seen: Sequence[Floats]) -> list[float]:
        """Sums of log odds of plastic, in cells, inside of outlines (levels, 5, 2) in picture pixels."""
        pixels = self.sheet.to_sheet(np.concatenate(seen))
        if self.fine is None:
            values, pixels, unit = self.odds, (pixels - (STRIDE - 1) / 2) / STRIDE - self.low, 1
        else:
            values, pixels, unit = self.fine, pixels - STRIDE * self.low, STRIDE**2
        first = np.cumsum([0, *(len(outline) for outline in seen)])
        limit = values.shape[::-1]
        low = np.clip(np.floor(np.minimum.reduceat(pixels.min(axis=1), first[:-1])).astype(int) - 1, 0, limit)
        high = np.clip(np.ceil(np.maximum.reduceat(pixels.max(axis=1), first[:-1])).astype(int) + 2, low, limit)
        found = []
        for k, ((left, top), (right, bottom)) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
            part = values[top:bottom, left:right]
            if not part.size:
                found.append(0.0)
                continue
            inside = painted_levels(pixels[first[k] : first[k + 1]] - (left, top), part.shape) > 0
            found.append(float(part[inside].sum()) / unit)
        return found

    def best(self, guesses: Sequence[StackHypothesis]) -> Fitted:
        """The guess whose outline holds most of the plastic."""
        (best,) = self.best_of([guesses])
        return best

    def best_of(self, groups: Sequence[Sequence[StackHypothesis]]) -> list[Fitted]:
        """For each of some groups of guesses the one whose outline holds most of the plastic."""
        guesses = [guess for group in groups for guess in group]
        scores = self.scores(outlines(guesses, self.pose))
        found, first = [], 0
        for group in groups:
            k = max(range(first, first + len(group)), key=scores.__getitem__)
            found.append(Fitted(guesses[k], scores[k]))
            first += len(group)
        return found

    def turns(self, place: StackHypothesis) -> list[StackHypothesis]:
        """A stack in all its turns, or a lying piece in headings near the one that it is given."""
        return [place.moved(0, 0, turn) for turn in (_HEADINGS if place.lies else _TURNS)]

    def lying(self, place_mm: Floats, sizes: Sequence[str]) -> Fitted:
        """A lying piece whose outline covers a place: what lies is first looked for in its middle."""
        guesses = []
        for heading in _AROUND_DEG:
            ahead = np.array([math.cos(math.radians(heading)), -math.sin(math.radians(heading))])
            for behind in _BEHIND_MM:
                x, y = place_mm - behind * ahead
                guesses += [StackHypothesis(float(x), float(y), heading, (size,), True) for size in sizes]
        return self.best(guesses)

    def shown(self, place: StackHypothesis) -> float:
        """Share of an outline whose cells show plastic that belongs to this place, and not to something else."""
        inside = self.levels(outlines([place], self.pose)[0]) > 0
        return float(self.weight[inside].sum()) / max(int(inside.sum()), 1)

    def color_logs(self, place: StackHypothesis) -> Floats:
        """(levels, 10) sums over the cells of each level of the log probability of each color."""
        levels = self.levels(outlines([place], self.pose)[0])
        out = np.zeros((len(place.sizes), len(self.colors)))
        for level in range(len(place.sizes)):
            mask = levels == level + 1
            out[level] = (np.maximum(self.colors[:, mask], -7.0) * self.weight[mask]).sum(axis=1)
        return out


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
_MOST_RIVALS = 14
"""So many guesses, the likeliest ones, are helped by contours: on a cloth that nets do not know many are likely."""
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
    """The probability that any of these guesses is right."""


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
        rivals = np.sort(np.argsort(-share, kind="stable")[:_MOST_RIVALS])
        rivals = rivals[share[rivals] > math.exp(-_RIVAL)]
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

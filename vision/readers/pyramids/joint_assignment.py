"""All pieces of a picture named together: colors, and sizes too where it is known what can be there.

Confirmed positions of one table correct the names. A cloth or a camera that training did not foresee makes the reader
miss levels, mistake sizes or see pieces where none are, mostly in the same way all evening. So one weight is learned
for each size and one for a thing that is there at all; the weights of a guess are added to its log odds. Each confirmed
thing moves them by one Newton step of a conditional logit model with a Gaussian prior, so that few things teach little.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.layout import Candidate, Detection
from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, Piece, Pyramid
from vision.calibration.taught import KnownTone
from vision.image.pose import Pose
from vision.readers.pyramids.assignment import SURPLUS, Limits, Option, assign, choose, share_of, with_prior
from vision.readers.pyramids.hypothesis import Projector, StackHypothesis
from vision.readers.pyramids.presence import LEAST
from vision.readers.pyramids.scene import FoundPieces, Rival, outlined
from vision.readers.pyramids.tones import UNKNOWN

Floats = NDArray[Any]

TERMS = len(PYRAMID_SIZES) + 1
"""The number of weights: one for each piece of a size, and one for anything."""
_SHAPE_SIGMA = 0.5
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
        self._precision: Floats = np.eye(TERMS) / _SHAPE_SIGMA**2
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


# Colors as this table shows them, learned from known pieces and from readings that the game has confirmed.
#
# A lamp or a dye that drawn pictures did not foresee shifts all readings of a color alike. So one offset for each color
# is learned: the one that makes the confirmed names likeliest, drawn to zero while few are known (logistic
# regression on offsets alone, with a Gaussian prior). The look of lone pieces is kept as the tones of the table.
KEPT = 400
"""So many confirmed pieces are remembered, the newest ones."""
_COLOR_SIGMA = 1.5
"""One sigma of an offset before anything was confirmed, in log likelihood."""
_ROUNDS = 30
_RATE = 0.5


class ConfirmedColors:
    """The learned colors of one table."""

    def __init__(self, start: Sequence[float] = (), tones: Sequence[KnownTone] = ()) -> None:
        """`start` are earlier offsets from a sampler; they are the prior of the new ones.

        `tones` (10) were learned before, too.
        """
        self.tones = tuple(tones or UNKNOWN)
        """(10,) what lone pieces of each color look like here."""
        self._start = np.array(start or np.zeros(len(PYRAMID_COLORS)), np.float64)
        self.offsets = self._start
        """(10,) the offset of each color's log likelihood."""
        self._known: deque[tuple[Floats, int]] = deque(maxlen=KEPT)

    def learn_tone(self, tone: Floats, name: int) -> None:
        """A lone piece whose color is certain, with its tone (3,)."""
        self.tones = (*self.tones[:name], self.tones[name].with_piece(tone), *self.tones[name + 1 :])

    def learn(self, color_logs: Floats, names: Sequence[int]) -> None:
        """Pieces whose colors are certain: `color_logs` (N, 10) log likelihoods as they were read, `names` N colors."""
        self._known.extend(zip(np.asarray(color_logs, dtype=np.float64), names, strict=True))
        if not self._known:
            return
        seen = np.stack([tone for tone, _ in self._known])
        true = np.eye(len(PYRAMID_COLORS))[[name for _, name in self._known]]
        offsets = self.offsets
        for _ in range(_ROUNDS):
            share = np.exp(seen + offsets - (seen + offsets).max(axis=1, keepdims=True))
            share /= share.sum(axis=1, keepdims=True)
            slope = (true - share).sum(axis=0) - (offsets - self._start) / _COLOR_SIGMA**2
            curve = (share * (1 - share)).sum(axis=0) + 1 / _COLOR_SIGMA**2
            offsets = offsets + _RATE * slope / curve
        self.offsets = offsets


WORTH_NAMING = 0.08
"""Pieces of another size are named as candidates if they are at least so probable."""
COLORS = 4
"""So many colors are named for each piece."""


def named_jointly(
    found: Sequence[FoundPieces], pose: Projector, limits: Limits | None = None, colors: ConfirmedColors | None = None
) -> tuple[FoundPieces, ...]:
    """Colors for all pieces; sizes and colors together if `limits` are known."""
    if limits is not None:
        found = _within(found, pose, limits, colors)
    sizes = [size for f in found for size in f.place.sizes]
    logs = np.concatenate([f.color_logs for f in found]) if found else np.zeros((0, len(PYRAMID_COLORS)))
    if colors is not None:
        logs = logs + colors.offsets
    names = logs.argmax(axis=1).tolist() if limits is None else assign(logs, sizes, limits)
    if limits is not None:
        logs = with_prior(logs, sizes, limits)
    shares = share_of(logs)
    out, at = [], 0
    for f in found:
        end = at + len(f.place.sizes)
        rivals = [_with_colors(rival, colors, limits) for rival in f.rivals]
        out.append(_named(f, names[at:end], shares[at:end], rivals))
        at = end
    return tuple(out)


def _within(
    found: Sequence[FoundPieces], pose: Projector, limits: Limits, colors: ConfirmedColors | None
) -> list[FoundPieces]:
    """The same things, those with rivals in the sizes that fit best with what can be there."""
    shift = 0.0 if colors is None else colors.offsets
    options = [
        [Option(one.confidence, one.place.sizes, one.color_logs + shift) for one in (f.as_rival(), *f.rivals)]
        for f in found
    ]
    out = []
    for f, k in zip(found, choose(options, limits), strict=True):
        if k:
            chosen = f.rivals[k - 1]
            rivals = (f.as_rival(), *f.rivals[: k - 1], *f.rivals[k:])
            f = FoundPieces(
                chosen.place,
                chosen.confidence,
                rivals,
                (),
                chosen.color_logs,
                *outlined(chosen.place, pose),
                chosen.tones,
                kept=f.kept,
            )
        out.append(f)
    return out


class _Guess(NamedTuple):
    """A guess at one place, with its colors."""

    sizes: tuple[str, ...]
    confidence: float
    shares: Floats
    """(levels, 10) the probability of each color."""

    def piece(self, level: int, color: int | None = None) -> Pyramid:
        """A piece of a level's size in the color of that number, or in the likeliest one."""
        return Pyramid(PYRAMID_COLORS[int(self.shares[level].argmax()) if color is None else color], self.sizes[level])


def _named(
    found: FoundPieces, names: Sequence[int], shares: Floats, rivals: Sequence[tuple[Rival, Floats]]
) -> FoundPieces:
    """A thing with the colors `names` by level.

    A piece is there if the guess is right that it is of, and if another one is right that holds such a piece as well: a
    large and a small hold the large of a large, a medium and a small. What such a guess holds beside is `overlooked`.
    Where no guess is right it is there as often as `FoundPieces.kept` says.

    Args:
        shares: (levels, 10) the probability of each color.
        rivals: With theirs.
    """
    best = _Guess(found.place.sizes, found.confidence, shares)
    kept = found.kept * max(0.0, 1 - found.confidence - sum(rival.confidence for rival, _ in rivals))
    levels = [_colors(best, level, name, best.confidence + kept) for level, name in enumerate(names)]
    more: dict[Piece, float] = {}
    for rival, of_rival in rivals:
        guess = _Guess(rival.place.sizes, rival.confidence, of_rival)
        both, mine, theirs = _compared(best.sizes, guess.sizes)
        for level, other in both:
            for k in np.argsort(-shares[level])[:COLORS]:
                _add(levels[level], best.piece(level, k), guess.confidence * guess.shares[other, k])
        for level, other in zip(mine, theirs, strict=False):
            _add(levels[level], guess.piece(other), guess.confidence)
        for level in mine[len(theirs) :]:
            _add(levels[level], None, guess.confidence)
        for other in theirs[len(mine) :]:
            _add(more, guess.piece(other), guess.confidence)
    overlooked = [Candidate(piece, chance) for piece, chance in _ranked(more) if chance > WORTH_NAMING]
    return replace(
        found,
        rivals=tuple(rival for rival, _ in rivals),
        levels=tuple(
            _sighting(chances, best.piece(level, name))
            for level, (chances, name) in enumerate(zip(levels, names, strict=True))
        ),
        shares=shares,
        overlooked=tuple(overlooked),
    )


def _colors(best: _Guess, level: int, name: int, chance: float) -> dict[Piece | None, float]:
    """The colors of a level that are named, each with its probability.

    Args:
        name: The color that it reads as.
        chance: That such a piece is there at all.
    """
    order = [name, *(int(k) for k in np.argsort(-best.shares[level]) if k != name)][:COLORS]
    return {best.piece(level, k): float(best.shares[level, k]) * chance for k in order}


def _add(chances: dict[Any, float], piece: Piece | None, chance: float) -> None:
    chances[piece] = chances.get(piece, 0.0) + float(chance)


def _ranked(chances: dict[Any, float]) -> list[tuple[Any, float]]:
    return sorted(chances.items(), key=lambda one: -one[1])


def _sighting(chances: dict[Piece | None, float], name: Pyramid) -> Detection:
    """A level that reads as a piece; other sizes, and no piece, are listed if they are likely enough."""
    others = [
        Candidate(piece, chance)
        for piece, chance in _ranked(chances)
        if piece != name and ((isinstance(piece, Pyramid) and piece.size == name.size) or chance > WORTH_NAMING)
    ]
    return Detection((Candidate(name, chances[name]), *others))


def _compared(mine: Sequence[str], theirs: Sequence[str]) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Levels of two guesses of one size, pair by pair from the lowest up, and the rest of either."""
    left, both, rest = list(range(len(theirs))), [], []
    for level, size in enumerate(mine):
        other = next((k for k in left if theirs[k] == size), None)
        if other is None:
            rest.append(level)
        else:
            left.remove(other)
            both.append((level, other))
    return both, rest, left


def _with_colors(rival: Rival, colors: ConfirmedColors | None, limits: Limits | None) -> tuple[Rival, Floats]:
    """A rival with its likeliest colors, and the probability (levels, 10) of each.

    Each piece's probability is that of the sizes and of its color.
    """
    logs = rival.color_logs if colors is None else rival.color_logs + colors.offsets
    shares = share_of(logs if limits is None else with_prior(logs, rival.place.sizes, limits))
    pieces = tuple(
        Candidate(Pyramid(PYRAMID_COLORS[int(share.argmax())], size), rival.confidence * float(share.max()))
        for share, size in zip(shares, rival.place.sizes, strict=True)
    )
    return replace(rival, pieces=pieces), shares

"""How surely things read, and how often they are misread, by themselves and look by look.

What stands untouched reads the same, right or wrong: it stands in the same light behind the same glare. Only how
surely it is read flickers from look to look, and now and then a mistake at the edge goes away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import exp, log, prod
from random import Random
from typing import Any, NamedTuple

from companion.core.layout import Candidate, Detection, Spot
from companion.core.pieces import PYRAMID_SIZES, Piece, Pyramid, Stack
from simulation.drawn.doubting import LISTED, LOOKALIKES, MISTAKEN, WAVERING, Faults

EXACT = Faults(color=0.0, size=0.0, level=0.0, missed=0.0, invented=0.0)
"""Eyes that never err."""


class Doubt(NamedTuple):
    """By what a thing that reads right is doubted."""

    middle: float
    """The median where nothing is the matter."""
    spread: float
    """Standard deviation of its logarithm."""
    heavy: float
    """Share of things of which something is the matter: glare, a shadow, dark plastic."""
    by: tuple[float, float]
    """What those are doubted by."""
    listed: float
    """Share of those of which the reader names what else it may be."""
    share: tuple[float, float]
    """What that then has of the doubt; else it has `UNLISTED` of it."""


class Doubts(NamedTuple):
    """How surely a table reads."""

    lone: Doubt
    stack: Doubt
    """Of a stack as a whole."""


UNLISTED = 0.01
"""What the likeliest other piece has of a doubt that is no doubt of the piece, but of whether it is seen well."""
KNOWN = Doubts(
    lone=Doubt(0.00025, 2.0, 0.03, (0.02, 0.3), 0.25, (0.5, 0.9)),
    stack=Doubt(0.003, 2.0, 0.15, (0.1, 0.6), 0.5, (0.3, 0.95)),
)
"""As the reader reads tables that it knows: 437 lone pieces of 84 labeled pictures that it read right are doubted by
0.0002 in the middle, 0.006 at 90 % and 0.25 at 99 %; 156 stacks by 0.005, 0.3 and 0.7, and the runner-up has 0.1 at
90 %, in half of the cases with another number of levels."""
STRANGE = Doubts(
    lone=Doubt(0.024, 1.6, 0.0, (0.1, 0.3), 1.0, (0.2, 0.6)), stack=Doubt(0.05, 1.8, 0.2, (0.1, 0.6), 0.7, (0.3, 0.95))
)
"""As it reads drawn tables that it has never seen (`simulation.drawn.doubting.DOUBT`)."""
OTHERWISE_BUILT = 0.5
"""Share of doubted stacks that may have a piece more or less; of the others one color is in doubt."""
MOST_DOUBTED = 0.6
"""Nothing that reads right is doubted by more."""
FLICKER = 0.3
"""How much the logarithm of a doubt changes from look to look."""
WANDER = 0.04
"""By how much the confidence of a mistake changes from look to look."""


EMPTY_CELL = Detection((Candidate(None, 0.7),))
"""A cell of pyramids on which nothing was found, as `vision.readers.pyramids.zones` tells it."""


class StandRead(NamedTuple):
    """What a look makes of a stack or a lying piece."""

    levels: tuple[Detection, ...]
    """From the lowest up; empty: it was overlooked."""
    rivals: tuple[Candidate, ...] = ()
    """Other stacks that it may be, of more or fewer pieces."""


class Sharpness:
    """How one table reads. The same seed and stand give the same reading."""

    def __init__(self, seed: int, faults: Faults, doubts: Doubts, colors: Sequence[str]) -> None:
        """:param colors: of the pyramids that the game has: no other is ever read."""
        self._seed = seed
        self._faults = faults
        self._doubts = doubts
        self._colors = colors

    def read(self, stand: Any, look: str) -> StandRead:
        """Returns a stand as one look reads it.

        :param look: names the look: another one flickers otherwise.
        """
        fixed, flicker = Random(f"{self._seed} {stand}"), Random(f"{self._seed} {stand} {look}")
        faults, pieces = self._faults, list(stand.seen)
        wavers = fixed.random() < WAVERING and flicker.random() < 0.5
        if fixed.random() < faults.missed and not wavers:
            return StandRead(())
        there = 1.0
        if len(pieces) > 1 and fixed.random() < faults.level and not wavers:
            at = fixed.randrange(len(pieces))
            there = fixed.uniform(*MISTAKEN)
            pieces[at : at + 1] = [] if fixed.random() < 0.7 else [pieces[at], pieces[at]]
        doubt, share = self._doubted(len(pieces) > 1, fixed, flicker)
        top, built = fixed.randrange(len(pieces)), len(pieces) > 1 and fixed.random() < OTHERWISE_BUILT
        levels = tuple(
            self._level(piece, there, doubt if at == top else 0.0, 0.0 if built else share, fixed, flicker, wavers)
            for at, piece in enumerate(pieces)
        )
        rivals = (Candidate(Stack(_built_otherwise(pieces, fixed)), doubt * share * there),) if built else ()
        return StandRead(levels, rivals if share > UNLISTED else ())

    def read_cell(self, spot: Spot, stand: Any | None, look: str) -> Detection:
        """Returns the top of what stands in a cell, as one look reads it; an empty cell as the reader tells one.

        As `vision.readers.pyramids.zones.top` tells it, each piece is as likely as all stacks together that have it on
        top: a doubt of how many levels a stack has is seldom one of its top.
        """
        read = StandRead(()) if stand is None else self.read(stand, look)
        if not read.levels:
            return EMPTY_CELL
        top = read.levels[-1]
        below = prod(level.confidence for level in read.levels[:-1]) if read.rivals else 1.0
        chances = Counter[Piece | None]({one.piece: one.probability * below for one in top.candidates})
        for rival in read.rivals:
            chances[rival.piece.pieces[-1] if isinstance(rival.piece, Stack) else rival.piece] += rival.probability
        return Detection(tuple(Candidate(piece, chance) for piece, chance in chances.most_common()))

    def _doubted(self, stacked: bool, fixed: Random, flicker: Random) -> tuple[float, float]:
        """By what a right reading is doubted, and which share of that the runner-up has."""
        doubt = self._doubts.stack if stacked else self._doubts.lone
        heavy, listed = fixed.random() < doubt.heavy, fixed.random() < doubt.listed
        by = fixed.uniform(*doubt.by) if heavy else exp(fixed.gauss(log(doubt.middle), doubt.spread))
        share = fixed.uniform(*doubt.share) if listed and (heavy or doubt.heavy == 0) else UNLISTED
        doubt = min(MOST_DOUBTED, by * exp(flicker.gauss(0, FLICKER)))
        return doubt, min(share, 1 / doubt - 1)  # What reads right is likelier than its runner-up.

    def _level(
        self, piece: Pyramid, there: float, doubt: float, share: float, fixed: Random, flicker: Random, wavers: bool
    ) -> Detection:
        """Returns one piece of a stand as it is read.

        :param there: how surely there is anything on this level. :param doubt: by what it is doubted if it reads right,
        and `share`: what another color has of that.
        """
        faults = self._faults
        likes = [color for color in LOOKALIKES[piece.color] if color in self._colors] or list(self._colors)
        like = Pyramid(likes[-1 if fixed.random() < 0.3 else 0], piece.size)
        near = Pyramid(piece.color, _next_size(piece.size, fixed))
        kind, listed = fixed.random(), fixed.random() < LISTED
        sure = fixed.uniform(*MISTAKEN) + flicker.uniform(-WANDER, WANDER)
        if kind >= faults.color + faults.size or wavers:
            return _sighting((piece, 1 - doubt), (like, doubt * share), there)
        wrong = like if kind < faults.color else near
        other = piece if listed else next((Pyramid(c, piece.size) for c in likes if c != wrong.color), piece)
        return _sighting((wrong, sure), (other, (1 - sure) * 0.6), there)


def _sighting(best: tuple[Pyramid, float], other: tuple[Pyramid, float], there: float) -> Detection:
    named = [other] if other[1] > 1e-6 and other[0] != best[0] else []
    ranked = sorted([best, *named], key=lambda one: -one[1])
    return Detection(tuple(Candidate(piece, share * there) for piece, share in ranked))


def _built_otherwise(pieces: Sequence[Pyramid], rng: Random) -> tuple[Pyramid, ...]:
    """Returns the stack without one of its pieces, or with one twice."""
    at = rng.randrange(len(pieces))
    less = rng.random() < 0.6
    return (*pieces[:at], *([] if less else [pieces[at], pieces[at]]), *pieces[at + 1 :])


def _next_size(size: str, rng: Random) -> Any:
    at = PYRAMID_SIZES.index(size)
    return PYRAMID_SIZES[rng.choice([other for other in (at - 1, at + 1) if 0 <= other < len(PYRAMID_SIZES)])]


def stacked(levels: Sequence[Detection], rivals: Sequence[Candidate], key: str) -> Detection:
    """Returns a stack as one sighting: the best reading of all levels, then those that differ in one level, and its
    rivals.
    """
    best = [level.piece for level in levels]
    sure = 1.0
    for level in levels:
        sure *= level.confidence
    found = [*rivals]
    for at, level in enumerate(levels):
        for other in level.candidates[1:]:
            pieces = (*best[:at], other.piece, *best[at + 1 :])
            share = sure * other.probability / max(level.confidence, 1e-6)
            found.append(Candidate(Stack(pieces), share))  # type: ignore[arg-type]
    ranked = [Candidate(Stack(tuple(best)), sure), *found]  # type: ignore[arg-type]
    return Detection(tuple(sorted(ranked, key=lambda one: -one.probability)), key)

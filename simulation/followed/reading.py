"""How surely things read, and how often they are misread, by themselves and look by look.

What stands untouched reads the same, right or wrong: it stands in the same light behind the same glare. Only how
surely it is read flickers from look to look, and now and then a mistake at the edge goes away.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from random import Random
from typing import Any

from companion.layout import Candidate, Sighting
from companion.pieces import PYRAMID_SIZES, Pyramid, Stack
from simulation.drawn.doubting import LISTED, LOOKALIKES, MISTAKEN, WAVERING, Faults

EXACT = Faults(color=0.0, size=0.0, level=0.0, missed=0.0, invented=0.0)
"""Eyes that never err."""
DOUBTS = (0.0003, 0.024)
"""What a lone piece that reads right is doubted by, in the middle, on the clearest and on the least clear table. Of 271
in twelve recorded games on tables that the reader knows it is less than the first, of drawn ones on strange tables it
is the second (`simulation.drawn.doubting.DOUBT`); each game has one table between them."""
STACKED = 4.0
"""The levels of a stack are so many times as doubtful."""
SPREADS = (1.5, 2.3)
"""Standard deviations of the doubt's logarithm, of lone pieces and of levels: 1.4 and 3.1 in the recorded games."""
MOST_DOUBTED = 0.4
"""Nothing that reads right is doubted by more: one level in twenty of the recorded games has 0.33."""
FLICKER = 0.3
"""How much that logarithm changes from look to look."""
WANDER = 0.04
"""By how much the confidence of a mistake changes from look to look."""


class Sharpness:
    """How one table reads. The same seed and stand give the same reading."""

    def __init__(self, seed: int, faults: Faults, colors: Sequence[str]) -> None:
        """:param colors: of the pyramids that the game has: no other is ever read."""
        self._seed = seed
        self._faults = faults
        self._colors = colors
        low, high = map(log, DOUBTS)
        self._doubt = exp(Random(f"{seed} table").uniform(low, high))

    def read(self, stand: Any, look: str) -> tuple[Sighting, ...]:
        """The levels of a stand as one look reads them, lowest first; none where it overlooks the stand.

        :param look: names the look: another one flickers otherwise.
        """
        fixed, flicker = Random(f"{self._seed} {stand}"), Random(f"{self._seed} {stand} {look}")
        faults, pieces = self._faults, list(stand.seen)
        wavers = fixed.random() < WAVERING and flicker.random() < 0.5
        if fixed.random() < faults.missed and not wavers:
            return ()
        there = 1.0
        if len(pieces) > 1 and fixed.random() < faults.level and not wavers:
            at = fixed.randrange(len(pieces))
            there = fixed.uniform(*MISTAKEN)
            pieces[at : at + 1] = [] if fixed.random() < 0.7 else [pieces[at], pieces[at]]
        stacked = len(pieces) > 1
        return tuple(self._level(piece, there, stacked, fixed, flicker, wavers) for piece in pieces)

    def ghost(self, rng: Random) -> Sighting:
        """A small piece where there is none: a shadow in the color of plastic."""
        return Sighting((Candidate(Pyramid(rng.choice(list(self._colors)), "small"), rng.uniform(0.2, 0.6)),))

    def _level(
        self, piece: Pyramid, there: float, stacked: bool, fixed: Random, flicker: Random, wavers: bool
    ) -> Sighting:
        """:param there: how surely there is anything on this level."""
        faults = self._faults
        likes = [color for color in LOOKALIKES[piece.color] if color in self._colors] or list(self._colors)
        like = Pyramid(likes[-1 if fixed.random() < 0.3 else 0], piece.size)
        near = Pyramid(piece.color, _next_size(piece.size, fixed))
        kind, listed, shares = fixed.random(), fixed.random() < LISTED, (fixed.uniform(0, 0.6), fixed.uniform(0, 0.2))
        spread = fixed.gauss(0, SPREADS[stacked])
        if kind >= faults.color + faults.size or wavers:
            scale = self._doubt * (STACKED if stacked else 1)
            doubt = min(MOST_DOUBTED, scale * exp(spread + flicker.gauss(0, FLICKER)))
            others = [(like, doubt * shares[0]), (near, doubt * shares[1])]
            return _sighting((piece, 1 - doubt), others, there)
        wrong = like if kind < faults.color else near
        sure = fixed.uniform(*MISTAKEN) + flicker.uniform(-WANDER, WANDER)
        other = piece if listed else next((Pyramid(c, piece.size) for c in likes if c != wrong.color), piece)
        return _sighting((wrong, sure), [(other, (1 - sure) * 0.6)], there)


def _sighting(best: tuple[Pyramid, float], others: Sequence[tuple[Pyramid, float]], there: float) -> Sighting:
    kept = [one for one in others if one[1] > 1e-6 and one[0] != best[0]]
    ranked = sorted([best, *kept], key=lambda one: -one[1])
    return Sighting(tuple(Candidate(piece, share * there) for piece, share in ranked))


def _next_size(size: str, rng: Random) -> Any:
    at = PYRAMID_SIZES.index(size)
    return PYRAMID_SIZES[rng.choice([other for other in (at - 1, at + 1) if 0 <= other < len(PYRAMID_SIZES)])]


def stacked(levels: Sequence[Sighting], key: str) -> Sighting:
    """A stack as one sighting: the best reading of all levels, then those that differ from it in one level."""
    best = [level.piece for level in levels]
    sure = 1.0
    for level in levels:
        sure *= level.confidence
    found = [Candidate(Stack(tuple(best)), sure)]  # type: ignore[arg-type]
    for at, level in enumerate(levels):
        for other in level.candidates[1:]:
            pieces = (*best[:at], other.piece, *best[at + 1 :])
            share = sure * other.probability / max(level.confidence, 1e-6)
            found.append(Candidate(Stack(pieces), share))  # type: ignore[arg-type]
    return Sighting((found[0], *sorted(found[1:], key=lambda one: -one.probability)), key)

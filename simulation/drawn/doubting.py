"""Makes readings with the doubts and errors of a real reader, without pictures.

A misread piece stays misread until it is touched: it stands in the same light behind the same glare. Only its
confidence flickers from look to look, and now and then a mistake at the edge disappears.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random
from typing import NamedTuple

from companion.core.layout import Candidate, Detection, Layout, Spot
from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, Pyramid, Stack
from companion.core.plan import Plan, PyramidZone
from simulation.drawn.eyes import EyesWithoutPictures
from simulation.drawn.reel import Moment
from simulation.drawn.spread import box_of
from simulation.drawn.standing import Stand
from vision.image.picture import Picture
from vision.table_reader import Reading

LOOKALIKES = {
    "red": ("orange", "purple"),
    "orange": ("red", "yellow"),
    "yellow": ("orange", "clear"),
    "green": ("cyan", "blue"),
    "cyan": ("blue", "green"),
    "blue": ("purple", "cyan"),
    "purple": ("blue", "red"),
    "clear": ("white", "yellow"),
    "black": ("blue", "purple"),
    "white": ("clear", "yellow"),
}
"""The colors for which each color is mistaken, the most frequent first."""
DOUBT = 0.024
"""The median doubt in a piece that is read right; one in twenty is doubted by a third or more."""
DOUBT_SPREAD = 1.6
"""The standard deviation of the doubt's logarithm."""
MOST_DOUBTED = 0.6
FLICKER = 0.3
"""The standard deviation of that logarithm's change from look to look."""
MISTAKEN = (0.35, 0.85)
"""The least and largest confidence of a misread piece."""
WAVERING = 0.3
"""The share of mistakes that a second look of the same picture may not repeat."""
LISTED = 0.7
"""The share of mistakes whose runner-up is the truth."""


class Faults(NamedTuple):
    """The rates at which stands are misread."""

    color: float
    """The probability, for each visible piece, that another color is read."""
    size: float
    """The probability, for each visible piece, that another size is read."""
    level: float
    """The probability, for each stack, that one piece too many or too few is read."""
    missed: float
    """The probability, for each stack or lone piece, that it is overlooked."""
    invented: float
    """The probability, for each zone, that a piece is read where there is none."""

    def scaled(self, by: float) -> Faults:
        """Returns the same mix of faults with all rates multiplied."""
        return Faults(*(one * by for one in self))


USUAL = Faults(color=0.010, size=0.006, level=0.010, missed=0.004, invented=0.002)
"""The usual rates: about one misread piece in fifty, in the mix of docs/accuracy.md."""


class _Level(NamedTuple):
    """The reading of one piece of a stack: candidates with probabilities, the best one first."""

    ranked: tuple[tuple[Pyramid, float], ...]


class DoubtingEyes(EyesWithoutPictures):
    """Eyes that read stands with doubts and faults; the same seed gives the same readings."""

    def __init__(self, plan: Plan, seed: int, faults: Faults = USUAL) -> None:
        super().__init__(plan)
        self._seed = seed
        self._faults = faults
        self._zones = [zone for zone in plan.zones if isinstance(zone, PyramidZone)]
        self._stands: tuple[Stand, ...] = ()
        self._picture = 0
        self._looks = 0

    def show(self, moment: Moment) -> None:
        """Sets the things that are on the table from now on."""
        self._stands = moment.stands
        self._picture = moment.number
        self._looks = 0

    def read_again(self, picture: Picture) -> Reading:
        """Returns the reading of a further look."""
        return self.read(picture)

    def read(self, picture: Picture) -> Reading:
        """Returns the reading of one look at the table."""
        self._looks += 1
        flicker = Random(f"{self._seed} {self._picture} {self._looks}")
        heaps: dict[Spot, list[Detection]] = {zone.spot: [] for zone in self._zones}
        for stand in self._stands:
            zone = self._zone_of(stand)
            levels = self._read(stand, flicker)
            if levels:
                heaps[zone.spot] += [stacked(levels)] if zone.kind == "stalks" else [sighted(one) for one in levels]
        for zone in self._zones:
            fixed = Random(f"{self._seed} {self._picture} {zone.spot}")
            if fixed.random() < self._faults.invented:
                piece = Pyramid(fixed.choice(PYRAMID_COLORS), fixed.choice(PYRAMID_SIZES))
                levels = [_Level(((piece, fixed.uniform(0.2, 0.6)),))]
                heaps[zone.spot].append(stacked(levels) if zone.kind == "stalks" else sighted(levels[0]))
        return self._told(Layout(heaps={spot: tuple(heap) for spot, heap in heaps.items()}))

    def _zone_of(self, stand: Stand) -> PyramidZone:
        x, y = stand.place_mm

        def outside(zone: PyramidZone) -> float:
            x0, y0, x1, y1 = box_of(zone)
            return max(x0 - x, x - x1, y0 - y, y - y1)

        return min(self._zones, key=outside)

    def _read(self, stand: Stand, flicker: Random) -> list[_Level]:
        """Returns the readings of a stand's pieces, bottom to top."""
        fixed = Random(f"{self._seed} {stand}")
        faults, pieces = self._faults, list(stand.seen)
        wavers = fixed.random() < WAVERING and flicker.random() < 0.5
        if fixed.random() < faults.missed and not wavers:
            return []
        doubt = 1.0
        if len(pieces) > 1 and fixed.random() < faults.level and not wavers:
            at = fixed.randrange(len(pieces))
            doubt = fixed.uniform(0.35, 0.8)
            pieces[at : at + 1] = [] if fixed.random() < 0.7 else [pieces[at], pieces[at]]
        return [_level(piece, doubt, faults, fixed, flicker, wavers) for piece in pieces]


def _level(piece: Pyramid, doubt: float, faults: Faults, fixed: Random, flicker: Random, wavers: bool) -> _Level:
    """Returns the reading of one piece.

    Args:
        doubt: The probability that there is a piece at all.
    """
    likes = LOOKALIKES[piece.color]
    kind, listed = fixed.random(), fixed.random() < LISTED
    like = Pyramid(likes[fixed.random() < 0.3], piece.size)
    near = Pyramid(piece.color, _next_size(piece.size, fixed))
    if kind >= faults.color + faults.size or wavers:
        sure = 1 - min(MOST_DOUBTED, DOUBT * exp(fixed.gauss(0, DOUBT_SPREAD) + flicker.gauss(0, FLICKER)))
        return _Level(((piece, sure * doubt), (like, (1 - sure) * 0.6 * doubt), (near, (1 - sure) * 0.1 * doubt)))
    wrong = like if kind < faults.color else near
    sure = fixed.uniform(*MISTAKEN) + flicker.uniform(-0.04, 0.04)
    other = piece if listed else Pyramid(likes[0] if wrong.color != likes[0] else likes[1], piece.size)
    return _Level(((wrong, sure * doubt), (other, (1 - sure) * 0.6 * doubt)))


def _next_size(size: str, rng: Random) -> str:
    at = PYRAMID_SIZES.index(size)
    return PYRAMID_SIZES[rng.choice([other for other in (at - 1, at + 1) if 0 <= other < len(PYRAMID_SIZES)])]


def sighted(level: _Level) -> Detection:
    """Returns a single piece as a sighting."""
    return Detection(tuple(Candidate(piece, weight) for piece, weight in sorted(level.ranked, key=lambda one: -one[1])))


def stacked(levels: Sequence[_Level]) -> Detection:
    """Returns a stack as one sighting: the best reading of all levels, then those that differ from it in one level."""
    best = [level.ranked[0][0] for level in levels]
    sure = 1.0
    for level in levels:
        sure *= level.ranked[0][1]
    found = [Candidate(Stack(tuple(best)), sure)]
    for at, level in enumerate(levels):
        for piece, weight in level.ranked[1:]:
            other = Stack((*best[:at], piece, *best[at + 1 :]))
            found.append(Candidate(other, sure * weight / max(level.ranked[0][1], 1e-6)))
    return Detection((found[0], *sorted(found[1:], key=lambda one: -one.probability)))

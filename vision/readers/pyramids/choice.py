"""Which sizes all places of a picture show, when it is known how many of each piece there can be.

What a close look doubts, the set often decides: where five large greens are known, a sixth is one of the doubtful
mediums. Every place takes one of its guesses so that the sum of their log probabilities is greatest; each piece beyond
its limit costs as much as in `assignment`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_COLORS, Pyramid
from vision.readers.pyramids.assignment import SURPLUS, Limits, share_of

Floats = NDArray[Any]

_LEAST = 0.05
"""A color that is less probable is not tried."""
_MOST = 12
"""Ways of one place that are tried."""
_ROUNDS = 20
_WORTHWHILE = 1e-9


class Option(Struct, frozen=True):
    """A guess at one place."""

    probability: float
    sizes: tuple[str, ...]
    color_logs: Floats
    """(levels, 10) log likelihood of each color."""


class _Way(Struct, frozen=True):
    """An option with its colors."""

    option: int
    worth: float
    pieces: tuple[Pyramid, ...]


def choose(places: Sequence[Sequence[Option]], limits: Limits) -> list[int]:
    """For each place the number of the option that it takes; options come likeliest first.

    Found by changing one place, or two at once, as long as that helps.
    """
    ways = [_ways(options) for options in places]
    taken = [options[0] for options in ways]
    used = Counter(piece for way in taken for piece in way.pieces)
    for _ in range(_ROUNDS):
        gain, better = max(
            _single(ways, taken, used, limits), _pair(ways, taken, used, limits), key=lambda change: change[0]
        )
        if gain <= _WORTHWHILE:
            break
        for place, way in better:
            used.subtract(taken[place].pieces)
            used.update(way.pieces)
            taken[place] = way
    return [way.option for way in taken]


def _ways(options: Sequence[Option]) -> list[_Way]:
    found = []
    for number, option in enumerate(options):
        share = share_of(option.color_logs)
        likely = [[int(c) for c in np.argsort(-level) if level[c] > _LEAST] for level in share]
        for colors in list(product(*likely))[:_MOST]:
            chance = option.probability * math.prod(float(share[k, c]) for k, c in enumerate(colors))
            pieces = tuple(Pyramid(PYRAMID_COLORS[c], size) for c, size in zip(colors, option.sizes, strict=True))
            found.append(_Way(number, math.log(max(chance, 1e-12)), pieces))
    return sorted(found, key=lambda way: -way.worth)[:_MOST]


def _gain(changes: Sequence[tuple[_Way, _Way]], used: Counter[Pyramid], limits: Limits) -> float:
    """The gain of taking the second way of each change instead of the first."""
    moved: Counter[Pyramid] = Counter()
    for old, new in changes:
        moved.subtract(old.pieces)
        moved.update(new.pieces)
    gain = sum(new.worth - old.worth for old, new in changes)
    for piece, by in moved.items():
        limit = limits.get(piece, 0)
        gain -= SURPLUS * (max(0, used[piece] + by - limit) - max(0, used[piece] - limit))
    return gain


def _single(
    ways: Sequence[Sequence[_Way]], taken: Sequence[_Way], used: Counter[Pyramid], limits: Limits
) -> tuple[float, list[tuple[int, _Way]]]:
    """The best change of one place, and its gain."""
    best, found = 0.0, []
    for place, options in enumerate(ways):
        for way in options:
            gain = _gain([(taken[place], way)], used, limits)
            if gain > best:
                best, found = gain, [(place, way)]
    return best, found


def _pair(
    ways: Sequence[Sequence[_Way]], taken: Sequence[_Way], used: Counter[Pyramid], limits: Limits
) -> tuple[float, list[tuple[int, _Way]]]:
    """The best change of two places, one of which has a piece that is there too often, and its gain."""
    over = {piece for piece, count in used.items() if count > limits.get(piece, 0)}
    best, found = 0.0, []
    for place, options in enumerate(ways):
        if over.isdisjoint(taken[place].pieces):
            continue
        for way in options:
            for other, others in enumerate(ways):
                for second in others if other != place else ():
                    gain = _gain([(taken[place], way), (taken[other], second)], used, limits)
                    if gain > best:
                        best, found = gain, [(place, way), (other, second)]
    return best, found

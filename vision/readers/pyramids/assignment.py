"""Naming all pieces of a picture together when it is known how many of each there can be.

A game's set is closed: three red smalls cannot be seen where only two are left. Pieces are named by probability, and
where a name is taken too often, those that lose least by it take their next best.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_COLORS, Pyramid

Floats = NDArray[Any]

Limits = Mapping[Pyramid, int]
"""The largest number of each piece on the table; an absent one cannot be there at all."""

SURPLUS = 5.0
"""The cost of a piece beyond its limit, in log odds: it is possible, or no foul could be seen."""
_NEVER = -30.0
"""Log prior of a piece that the set does not hold: misfits must stay readable, or no foul could be seen."""


def share_of(logs: Floats) -> Floats:
    """(..., N) probabilities from log likelihoods of the same shape."""
    share = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return np.asarray(share / share.sum(axis=-1, keepdims=True))


def with_prior(color_logs: Floats, sizes: Sequence[str], limits: Limits) -> Floats:
    """(pieces, 10) log posterior after the limits' own shares; `color_logs` (pieces, 10) are log likelihoods."""
    prior = np.array(
        [[0.0 if limits.get(Pyramid(color, size), 0) > 0 else _NEVER for color in PYRAMID_COLORS] for size in sizes]
    ).reshape(-1, len(PYRAMID_COLORS))
    return np.asarray(color_logs + prior)


def assign(color_logs: Floats, sizes: Sequence[str], limits: Limits, surplus: float = SURPLUS) -> list[int]:
    """For each piece the number of its color, so that the sum of log posteriors is greatest.

    A name beyond its limit costs `surplus`, it is not impossible: the table may show what the set does not hold.
    Solved size by size, since a piece never changes its size here, by moving pieces along cheapest exchanges.
    """
    posterior = with_prior(color_logs, sizes, limits)
    names = posterior.argmax(axis=1).tolist() if len(posterior) else []
    for size in set(sizes):
        rows = [i for i, s in enumerate(sizes) if s == size]
        room = {c: limits.get(Pyramid(color, size), 0) for c, color in enumerate(PYRAMID_COLORS)}
        for _ in range(4 * len(rows)):
            path = _cheapest_path(posterior, rows, names, room, surplus)
            if path is None:
                break
            for row, color in path:
                names[row] = color
    return names


def _cheapest_path(
    posterior: Floats, rows: list[int], names: list[int], room: Mapping[int, int], surplus: float
) -> list[tuple[int, int]] | None:
    """A chain of renamings from a color with too many to one with room, for less than `surplus` (Bellman-Ford)."""
    used = {c: sum(names[r] == c for r in rows) for c in room}
    over = [c for c in room if used[c] > room[c] > 0]
    if not over:
        return None
    cost = {c: 0.0 if c in over else np.inf for c in room}
    came: dict[int, tuple[int, int]] = {}
    for _ in room:
        changed = False
        for row in rows:
            start = names[row]
            if not np.isfinite(cost[start]):
                continue
            for color in room:
                price = cost[start] + posterior[row, start] - posterior[row, color]
                if color != start and price < cost[color] - 1e-9:
                    cost[color], came[color], changed = price, (row, start), True
        if not changed:
            break
    free = [c for c in room if used[c] < room[c] and cost[c] < surplus]
    if not free:
        return None
    color = min(free, key=cost.__getitem__)
    path: list[tuple[int, int]] = []
    for _ in room:
        row, start = came[color]
        path.append((row, color))
        color = start
        if color in over:
            return path
    return None


# Which sizes all places of a picture show, when it is known how many of each piece there can be.
#
# What a close look doubts, the set often decides: where five large greens are known, a sixth is one of the doubtful
# mediums. Every place takes one of its guesses so that the sum of their log probabilities is greatest; each piece
# beyond its limit costs as much as in `assign`.

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

"""Stacks to learn bands from: a closeup, the true guess at what stands there, and others that look much like it."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_SIZES
from vision.readers.pyramids.bands import bands, facts, painted
from vision.readers.pyramids.closeup import HEIGHT, WIDTH, Closeup
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.sheet import STRIDE
from vision.readers.pyramids.training.closeups import (
    LEVELS,
    CloseupPlace,
    CloseupScene,
    geometry_at,
    lit_closeup,
    varied,
)
from vision.readers.pyramids.training.retouch import Retouch

Floats = NDArray[Any]

GUESSES = 6
"""One true guess and others."""
_UNKNOWN = 255
_TALLER = 0.6
"""The share of examples in which the taller of two stacks is chosen."""
_MISSED_MM, _FITTED_MM, _OTHER_MM = 1.0, 0.7, (1.0, 1.0, 2.5, 2.5, 2.5)
"""Sigmas of how far a closeup, the true guess and other ones, of which the best is taken, are beside the place."""
_LEAST_PX, _LEAST_BAND_PX = 60, 4
"""A smaller part of a stack, or of a band, is no example."""
_TWICE, _ANOTHER = 0.2, 0.25
"""The shares of guesses with two errors, and with another wrong size beside the first."""
_TRIES = 20


class BandExample(NamedTuple):
    """One closeup with guesses."""

    inputs: Floats
    """(CHANNELS, HEIGHT, WIDTH)."""
    shares: Floats
    """(GUESSES, LEVELS + 1, ROWS, COLUMNS), see `bands.bands`; the first guess is the true one."""
    known: Floats
    """(GUESSES, LEVELS, FACTS)."""
    colors: NDArray[np.int64]
    """(LEVELS,) of the true guess; 255 where no band is seen."""


def random_bands(scene: CloseupScene, random: np.random.Generator, retouch: Retouch | None = None) -> BandExample:
    """A stack of a scene that has one; with `retouch` on another table."""
    example = None
    for _ in range(_TRIES):
        example = example or _bands(scene, random, retouch)
    if example is None:
        raise ValueError("No stack of this scene can be seen. Leave it out; see `has_stack`.")
    return example


def has_stack(scene: CloseupScene) -> bool:
    """Returns true if a stack of a scene is seen well enough to learn from."""
    counts = np.bincount(scene.piece[scene.piece >= 0])
    first = 0
    for place in scene.places:
        area = counts[first : first + len(place.sizes)].sum() * STRIDE**2
        first += len(place.sizes)
        if _usable(place, scene) and area > 4 * _LEAST_PX:
            return True
    return False


def _usable(place: CloseupPlace, scene: CloseupScene) -> bool:
    height, width = scene.light.shape[:2]
    return not place.lies and 0 <= place.x_px < width and 0 <= place.y_px < height


def _bands(scene: CloseupScene, random: np.random.Generator, retouch: Retouch | None) -> BandExample | None:
    places = [k for k, place in enumerate(scene.places) if _usable(place, scene)]
    if not places:
        return None
    one, other = (places[int(k)] for k in random.integers(len(places), size=2))
    number = max(one, other, key=lambda k: len(scene.places[k].sizes)) if random.random() < _TALLER else one
    place = scene.places[number]
    at = np.array([place.x_px, place.y_px])
    missed = np.clip(random.normal(0, _MISSED_MM, 2), -4, 4) * 1.25 * np.exp(geometry_at(scene, at)[2])
    close = varied(scene, at + missed, random)
    first = sum(len(before.sizes) for before in scene.places[:number])
    ids = _pieces(scene, close) - first
    true = (ids >= 0) & (ids < len(place.sizes))
    if true.sum() < _LEAST_PX:
        return None
    inputs, now = lit_closeup(scene, close, random, retouch)
    colors = np.full(LEVELS, _UNKNOWN, np.int64)
    for level in range(len(place.sizes)):
        if (ids == level).sum() >= _LEAST_BAND_PX:
            colors[level] = now[first + level]
    shares: list[Floats] = []
    known: list[Floats] = []
    for sizes in _guesses(place.sizes, random):
        moves = (_FITTED_MM,) if not shares else _OTHER_MM
        seen = max((_seen(place, sizes, close, sigma, random) for sigma in moves), key=lambda one: _alike(one, true))
        shares.append(bands(seen, len(sizes)))
        known.append(facts([PYRAMID_SIZES[size] for size in sizes], shares[-1], close.rise))
    return BandExample(inputs, np.stack(shares), np.stack(known), colors)


def _pieces(scene: CloseupScene, close: Closeup) -> Floats:
    """(HEIGHT, WIDTH) number of the piece that each pixel shows, below 0 for none."""
    turn = close.matrix[:, :2]
    matrix = np.column_stack([turn * STRIDE, close.matrix[:, 2] + turn @ np.full(2, (STRIDE - 1) / 2)])
    pieces = scene.piece.astype(np.float32)
    return np.asarray(cv2.warpAffine(pieces, matrix, (WIDTH, HEIGHT), flags=cv2.INTER_NEAREST, borderValue=-1e6))


def _guesses(true: tuple[int, ...], random: np.random.Generator) -> list[tuple[int, ...]]:
    """The true sizes, then other ones that differ by a piece or two."""
    found = [true]
    while len(found) < GUESSES:
        other = _edited(true, random)
        if random.random() < _TWICE:
            other = _edited(other, random)
        if other not in found:
            found.append(other)
    return found


def _edited(sizes: tuple[int, ...], random: np.random.Generator) -> tuple[int, ...]:
    """A stack with a piece more, a piece less or a piece of another size."""
    for _ in range(_TRIES):
        other, what = list(sizes), random.random()
        if what < 0.35 and len(other) < LEVELS:
            other.append(int(random.integers(3)))
        elif what < 0.7 and len(other) > 1:
            other.pop(int(random.integers(len(other))))
        else:
            other[int(random.integers(len(other)))] = int(random.integers(3))
        if random.random() < _ANOTHER:
            other[int(random.integers(len(other)))] = int(random.integers(3))
        if tuple(sorted(other)) != sizes:
            return tuple(sorted(other))
    return _any(random)


def _any(random: np.random.Generator) -> tuple[int, ...]:
    stacks = _stacks()
    return stacks[int(random.integers(len(stacks)))]


@cache
def _stacks() -> list[tuple[int, ...]]:
    """All stacks by the numbers of their sizes: a larger size has a smaller number."""
    return [s for count in range(1, LEVELS + 1) for s in combinations_with_replacement(range(3), count)]


@cache
def _local(sizes: tuple[int, ...]) -> Floats:
    """(levels * 5, 4) points of a stack at the origin, not turned, each with a 1."""
    points = StackHypothesis(0.0, 0.0, 0.0, tuple(PYRAMID_SIZES[size] for size in sizes)).points().reshape(-1, 3)
    return np.column_stack([points, np.ones(len(points))])


def _seen(
    place: CloseupPlace, sizes: tuple[int, ...], close: Closeup, sigma_mm: float, random: np.random.Generator
) -> NDArray[np.uint8]:
    """(HEIGHT, WIDTH) a guess beside a place, painted as `bands.painted` does."""
    points = _local(sizes) + np.array([*random.normal(0, sigma_mm, 2), 0, 0])
    pixels = points @ np.asarray(place.camera).T
    pixels = pixels[:, :2] / pixels[:, 2:]
    return painted((pixels @ close.matrix[:, :2].T + close.matrix[:, 2]).reshape(-1, 5, 2))


def _alike(seen: NDArray[np.uint8], true: NDArray[np.bool_]) -> float:
    """Share of what either covers that both do."""
    there = seen > 0
    return float((there & true).sum() / max(int((there | true).sum()), 1))

"""Simulates readers of pyramid tables: the readings that a camera might give of a true layout, one for each look.

Heaps come in any order, because players nudge and re-order their pieces. All looks make the same mistakes, as pictures
of one table in one light do; only their confidence differs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from companion.core.layout import Candidate, Detection, Layout
from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, Piece, Pyramid, Stack
from companion.games.ice_stalks.growth import RAINBOW
from companion.referee.matching import LOOKS

Reader = Callable[[Random, Layout], tuple[Layout, ...]]

SURE = (0.6, 0.99)
"""The range of a doubting reader's confidence, whether it is right or wrong."""
SPECTRA = tuple(color for color in PYRAMID_COLORS if color not in ("clear", "cyan"))
LISTED = 0.8
"""The share of misread pieces whose true reading is listed; for the others it is not listed at all."""


class Faults(NamedTuple):
    """The rates of a reader's errors for each piece."""

    color: float = 0.01
    size: float = 0.0
    missed: float = 0.0
    doubled: float = 0.0


class _Read(NamedTuple):
    """The reading of a piece, right or wrong, with its alternatives."""

    best: Pyramid
    others: tuple[Pyramid, ...]
    faint: bool


def true(rng: Random, layout: Layout) -> tuple[Layout, ...]:
    """Returns readings of every piece as it is, without doubt, in any order."""
    seen = Layout(heaps={spot: tuple(rng.sample(heap, len(heap))) for spot, heap in layout.heaps.items()})
    return (seen,) * LOOKS


def doubting(faults: Faults, rng: Random, layout: Layout) -> tuple[Layout, ...]:
    """Returns readings of every piece with 60 to 99 percent confidence and runners-up, and a few mistakes."""
    read = {spot: _heap(faults, rng, [sighting.piece for sighting in heap]) for spot, heap in layout.heaps.items()}

    def look() -> Layout:
        return Layout(heaps={spot: tuple(_sighting(rng, levels) for levels in heap) for spot, heap in read.items()})

    return tuple(look() for _ in range(LOOKS))


def _heap(faults: Faults, rng: Random, pieces: list[Piece | None]) -> list[tuple[_Read, ...] | _Read | Piece]:
    found: list[tuple[_Read, ...] | _Read | Piece] = []
    for piece in rng.sample(pieces, len(pieces)):
        if isinstance(piece, Stack):
            found.append(tuple(_read(faults, rng, level, RAINBOW) for level in piece.pieces))
        elif not isinstance(piece, Pyramid):
            found += [] if piece is None else [piece]
        elif rng.random() >= faults.missed:
            found.append(_read(faults, rng, piece))
            if rng.random() < faults.doubled:
                found.append(_read(faults, rng, piece)._replace(faint=True))
    return found


def _read(faults: Faults, rng: Random, piece: Pyramid, colors_of_game: Sequence[str] = SPECTRA) -> _Read:
    colors = [Pyramid(color, piece.size) for color in colors_of_game if color != piece.color]
    sizes = [Pyramid(piece.color, size) for size in PYRAMID_SIZES if size != piece.size]
    others = tuple(rng.sample(colors, 2))
    kind = rng.random()
    if kind >= faults.color + faults.size:
        return _Read(piece, others, faint=False)
    wrong = rng.choice(colors if kind < faults.color else sizes)
    named = (piece, *others[:1]) if rng.random() < LISTED else tuple(one for one in others if one != wrong)
    return _Read(wrong, named, faint=kind >= faults.color)


def _sighting(rng: Random, levels: tuple[_Read, ...] | _Read | Piece) -> Detection:
    """Returns a pyramid with its alternatives, or a stack with those that differ from the best one in one level."""
    if isinstance(levels, _Read):
        return Detection(_candidates(rng, levels))
    if not isinstance(levels, tuple):
        return Detection.sure(levels)
    read = [_candidates(rng, level) for level in levels]
    best = tuple(level[0].piece for level in read if isinstance(level[0].piece, Pyramid))
    sure = 1.0
    for level in read:
        sure *= level[0].probability
    others = []
    for place, level in enumerate(read):
        for other in level[1:]:
            if isinstance(other.piece, Pyramid):
                stack = Stack((*best[:place], other.piece, *best[place + 1 :]))
                others.append(Candidate(stack, sure * other.probability / level[0].probability))
    return Detection((Candidate(Stack(best), sure), *sorted(others, key=lambda one: -one.probability)))


def _candidates(rng: Random, read: _Read) -> tuple[Candidate, ...]:
    sure = rng.uniform(0.4, 0.7) if read.faint else rng.uniform(*SURE)
    found = [Candidate(read.best, sure)]
    left = 1.0 - sure
    for other in read.others:
        share = min(left * rng.uniform(0.3, 0.8), sure)
        found.append(Candidate(other, share))
        left -= share
    return tuple(sorted(found, key=lambda one: -one.probability))


READERS: dict[str, Reader] = {
    "true layouts": true,
    "60 to 99 % sure, 1 % of colors wrong": partial(doubting, Faults()),
    "the same, sizes, doubles, gaps": partial(doubting, Faults(size=0.01, missed=0.005, doubled=0.005)),
}
"""The simulated readers by the errors that they make."""

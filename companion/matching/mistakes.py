"""How pyramids are misread: what a piece may be that surely read as another one.

A reader's own probabilities hold for pictures like those that it learned from. On a strange table it takes a medium for
a small and is sure of it, so what it does not even list stays possible. On two tables held out of training, of some 240
pieces 15 had another color and 6 another size (`python -m bench.pyramids FOLDER --weights NETS`, with the figures in
docs/accuracy-pyramids.md); spread over what looks alike, each single mistake has half a percent.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.layout import Sighting
from companion.pieces.pyramid import PYRAMID_COLORS, PYRAMID_SIZES, Pyramid
from companion.pieces.stack import Stack

OTHER_SIZE = 0.006
"""Probability of each size next to the one that was read."""
FAR_SIZE = 0.002
"""Probability of a small that reads as a large, or the other way round."""
OTHER_COLOR = 0.001
"""Probability of each other color that does not look like it."""
LIKE_COLOR = 0.006
"""Probability of each color that looks like it under some lamp."""
ALIKE = frozenset(
    frozenset(pair.split())
    for pair in (
        "red orange",
        "orange yellow",
        "yellow white",
        "clear white",
        "clear cyan",
        "cyan green",
        "cyan blue",
        "blue purple",
        "blue black",
        "purple black",
        "purple red",
        "green black",
    )
)
BOTH = 0.1
"""Probability that the size is wrong too, given that the color is: then something else was looked at."""


def alternatives(sighting: Sighting) -> Iterator[tuple[Pyramid | Stack, float]]:
    """What a sighting may be beside its best reading, with probabilities: what it lists, and what was never listed."""
    read = sighting.piece
    if isinstance(read, Pyramid):
        for piece in _near(read):
            yield piece, max(sighting.probability(piece), _mistaken(read, piece))
    elif isinstance(read, Stack):
        listed = [one.piece for one in sighting.candidates[1:]]
        for at, level in enumerate(read.pieces):
            for piece in _near(level):
                stack = Stack((*read.pieces[:at], piece, *read.pieces[at + 1 :]))
                if stack not in listed:
                    yield stack, _mistaken(level, piece)
        for candidate in sighting.candidates[1:]:
            if isinstance(candidate.piece, Stack):
                yield candidate.piece, candidate.probability


def _near(read: Pyramid) -> Iterator[Pyramid]:
    """Pieces of another color, or of another size, or both."""
    for color in PYRAMID_COLORS:
        for size in PYRAMID_SIZES:
            if (color, size) != (read.color, read.size):
                yield Pyramid(color, size)


def _mistaken(read: Pyramid, piece: Pyramid) -> float:
    apart = abs(PYRAMID_SIZES.index(read.size) - PYRAMID_SIZES.index(piece.size))
    if read.color == piece.color:
        return (1.0, OTHER_SIZE, FAR_SIZE)[apart]
    color = LIKE_COLOR if frozenset((read.color, piece.color)) in ALIKE else OTHER_COLOR
    return color if apart == 0 else color * BOTH

"""How pyramids are mistaken: for another color, another size, seldom both.

A reader's own probabilities hold for pictures like those that it learned from. On a strange table it takes a medium for
a small and is sure of it, so what it does not even list stays possible. On two tables held out of training, of some 240
pieces 15 had another color and 6 another size (`python -m bench.pyramids FOLDER --weights NETS`, with the figures in
docs/accuracy-pyramids.md); spread over what looks alike, each single mistake has half a percent.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.layout import Sighting
from companion.observation.model import PIECE_SHARE, Observation
from companion.pieces import PYRAMID_COLORS, PYRAMID_SIZES, Piece, Pyramid

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


class PyramidObservation(Observation):
    """Pyramids that stand or lie by themselves."""

    nothing_share = 0.12
    """Color says nothing of whether a pyramid stands there. Chosen."""
    remembered = True
    unlisted_ways = 8
    """Seven sizes and colors that look alike, and nothing. Chosen."""

    def share(self, read: Piece, piece: Piece) -> float:
        """Little to a pyramid of another color and another size."""
        if isinstance(read, Pyramid) and isinstance(piece, Pyramid):
            return PIECE_SHARE if piece.color == read.color or piece.size == read.size else PIECE_SHARE**2
        return PIECE_SHARE

    def likelier(self, sighting: Sighting, piece: Piece) -> list[float]:
        """Probabilities of listed pyramids that differ from the best reading in the same respect as an unlisted one.

        A reader that names two other colors holds every further color for less likely; of sizes it may say nothing.
        """
        best = sighting.piece
        if not isinstance(best, Pyramid) or not isinstance(piece, Pyramid):
            return []
        return [
            other.probability
            for other in sighting.candidates[1:]
            if isinstance(other.piece, Pyramid) and _respects(best, other.piece) == _respects(best, piece)
        ]

    def alternatives(self, sighting: Sighting) -> Iterator[tuple[Piece, float]]:
        """Every other color and size, by what looks alike or by what is listed, whichever is likelier."""
        read = sighting.piece
        assert isinstance(read, Pyramid)
        for piece in near(read):
            yield piece, max(sighting.probability(piece), mistaken(read, piece))


PYRAMIDS = PyramidObservation()


def near(read: Pyramid) -> Iterator[Pyramid]:
    """Pieces of another color, or of another size, or both."""
    for color in PYRAMID_COLORS:
        for size in PYRAMID_SIZES:
            if (color, size) != (read.color, read.size):
                yield Pyramid(color, size)


def mistaken(read: Pyramid, piece: Pyramid) -> float:
    """Probability that what surely reads as `read` is `piece`."""
    apart = abs(PYRAMID_SIZES.index(read.size) - PYRAMID_SIZES.index(piece.size))
    if read.color == piece.color:
        return (1.0, OTHER_SIZE, FAR_SIZE)[apart]
    color = LIKE_COLOR if frozenset((read.color, piece.color)) in ALIKE else OTHER_COLOR
    return color if apart == 0 else color * BOTH


def _respects(one: Pyramid, other: Pyramid) -> tuple[bool, bool]:
    """Whether color and size differ."""
    return one.color != other.color, one.size != other.size

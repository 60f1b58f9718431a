"""The misreadings of pyramids: another size, no piece, seldom another color.

The shares are of readings of drawn tables that no training saw, half of them shown empty first
(`python -m simulation.drawn.sureness FILE...`, seeds 60000 to 66102): of 27,588 pyramids in supplies and trees 378 were
misread, and 116 were none of the listed candidates.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.layout import Detection
from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, Piece, Pyramid
from companion.referee.observation.model import Mistakes, Observation

LONE = Mistakes({"nothing": 0.614, "size": 0.301, "color": 0.055, "both": 0.030})
"""For pyramids that are listed one by one."""
FAR = 0.25
"""The factor by which a small is rarer read as a large than as a medium. Chosen."""
LIKE, UNLIKE = 0.25, 0.03
"""Parts of the mistakes in color that go to each color that looks like it under some lamp, and to each other one.
Chosen."""
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


class PyramidObservation(Observation):
    """Pyramids that stand or lie by themselves."""

    remembered = True
    twice = 0.52
    touched = 0.022
    touched_too = 0.48
    more_beside_pushed = 37.0
    unlisted_ways = 8
    """Seven sizes and colors that look alike, and no piece. Chosen."""

    def probability(self, sighting: Detection, piece: Piece | None) -> float:
        """By how sure the reader is, and by what pyramids are mistaken for."""
        read = sighting.piece
        if piece == read:
            return sighting.confidence
        if piece is None:
            return LONE.read(sighting, None, "nothing", 1.0)
        if not isinstance(read, Pyramid) or not isinstance(piece, Pyramid):
            return 0.0
        return LONE.read(sighting, piece, *mistaken(read, piece))

    def alternatives(self, sighting: Detection) -> Iterator[Piece | None]:
        """Every other color and size, and no piece."""
        read = sighting.piece
        assert isinstance(read, Pyramid)
        yield from near(read)
        yield None


PYRAMIDS = PyramidObservation()


def near(read: Pyramid) -> Iterator[Pyramid]:
    """Pieces of another color, or of another size, or both."""
    for color in PYRAMID_COLORS:
        for size in PYRAMID_SIZES:
            if (color, size) != (read.color, read.size):
                yield Pyramid(color, size)


def mistaken(read: Pyramid, piece: Pyramid) -> tuple[str, float]:
    """The way in which `read` is mistaken that is `piece`, and the part of such mistakes that are this piece."""
    apart = abs(PYRAMID_SIZES.index(read.size) - PYRAMID_SIZES.index(piece.size))
    nexts = 2 if read.size == PYRAMID_SIZES[1] else 1 + FAR
    size = (1.0 if apart == 1 else FAR) / nexts
    if read.color == piece.color:
        return "size", size
    color = LIKE if frozenset((read.color, piece.color)) in ALIKE else UNLIKE
    return ("color", color) if apart == 0 else ("both", size * color)

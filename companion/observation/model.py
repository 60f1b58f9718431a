"""The model that every kind of piece has, and what holds where a kind says nothing else: tiles, pawns, cards."""

from __future__ import annotations

from collections.abc import Iterator

from companion.layout import Sighting
from companion.pieces import Piece

FLOOR = 1e-4
"""No prediction is held for less likely than this: any reader may be wrong once in ten thousand spots. Chosen."""
PIECE_SHARE = 0.05
"""Part of a sighting's unlisted probability that goes to each single unlisted piece: there are about twenty. Chosen."""
EMPTY_SHARE = 0.25
"""Part that goes to "empty": the commonest thing that a reader forgets to list. Chosen."""
INVENTED = 0.004
"""Probability that what surely reads as a piece is none; on strange tables 1 in 100 (docs/accuracy-pyramids.md)."""


class Observation:
    """How a kind of piece is mistaken. Methods are asked of the kind of the best reading."""

    nothing_share = EMPTY_SHARE
    """Part of a sighting's unlisted probability that goes to "nothing stands here"."""
    remembered = False
    """Whether each piece of the kind is remembered for itself, by its place."""
    thrown = False
    """Whether a piece of the kind may show anything after it was rolled."""
    unlisted_ways = 1
    """So many things may a piece be that are not listed; each of them has to be read twice too."""

    def share(self, read: Piece, piece: Piece) -> float:
        """The part of what a sighting leaves open that goes to an unlisted piece."""
        return PIECE_SHARE

    def most(self, read: Piece, piece: Piece) -> float:
        """How likely an unlisted piece is at most, as a share of the best reading's probability."""
        return 1.0

    def likelier(self, sighting: Sighting, piece: Piece) -> list[float]:
        """Probabilities of listed pieces that are at least as likely as the unlisted `piece`."""
        return []

    def shows_other(self, piece: Piece, other: Piece | None) -> bool:
        """Whether `other` is the same thing with another face up."""
        return False

    def invented(self, piece: Piece | None) -> float:
        """How likely nothing of the game ever stood where a piece was read."""
        return INVENTED

    def alternatives(self, sighting: Sighting) -> Iterator[tuple[Piece, float]]:
        """What a sighting may be beside its best reading, with probabilities, for pieces that surely read wrong."""
        return iter(())

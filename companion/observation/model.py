"""The model that every kind of piece has, and what holds where a kind says nothing else: tiles, pawns, cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import exp, log10
from typing import NamedTuple

from companion.layout import Sighting
from companion.pieces import Piece

FLOOR = 1e-4
"""No prediction is held for less likely than this: any reader may be wrong once in ten thousand spots. Chosen."""
PIECE_SHARE = 0.05
"""Part of a sighting's unlisted probability that goes to each single unlisted piece: there are about twenty. Chosen."""
EMPTY_SHARE = 0.25
"""Part that goes to "empty": the commonest thing that a reader forgets to list. Chosen."""


class Mistakes(NamedTuple):
    """How often readings of some kind are wrong, by how sure they are, and which way they are wrong.

    Readers are sure of themselves by the pictures that they learned from; what their sureness is worth on other tables
    is measured: the log odds that a reading is wrong are `level` + `slope` * log10(1 - confidence).
    """

    level: float
    slope: float
    shares: Mapping[str, float]
    """By the way in which it is wrong, the part of wrong readings; they add up to 1."""

    def wrong(self, confidence: float) -> float:
        """Probability that a reading of this confidence is wrong."""
        return 1 / (1 + exp(-self.level - self.slope * log10(max(FLOOR, 1 - confidence))))

    def read(self, sighting: Sighting, piece: Piece | None, share: float) -> float:
        """Probability that a sighting is `piece`.

        What may be wrong about it goes to what the reader lists and to what it leaves open, as the reader shares it.

        :param share: the part of what is left open that goes to this piece.
        """
        wrong = self.wrong(sighting.confidence)
        if piece == sighting.piece:
            return 1 - wrong
        doubt = max(FLOOR, 1 - sighting.confidence)
        left = max(0.0, 1 - sum([one.probability for one in sighting.candidates]))
        return wrong * min(1.0, (sighting.probability(piece) + left * share) / doubt)


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

    def probability(self, sighting: Sighting, piece: Piece | None) -> float:
        """How likely the sighting is `piece`, listed or not."""
        listed = 0.0
        for candidate in sighting.candidates:
            if candidate.piece == piece:
                return candidate.probability
            listed += candidate.probability
        return (1.0 - listed) * (self.nothing_share if piece is None else PIECE_SHARE)

    def shows_other(self, piece: Piece, other: Piece | None) -> bool:
        """Whether `other` is the same thing with another face up."""
        return False

    def alternatives(self, sighting: Sighting) -> Iterator[Piece | None]:
        """What a sighting may be beside its best reading; None: nothing of the game."""
        return iter(())

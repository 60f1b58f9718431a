"""The model of every kind of piece, and its defaults: tiles, pawns, cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from companion.core.layout import Detection
from companion.core.pieces import Piece

FLOOR = 1e-4
"""No prediction is held for less likely than this: any reader may be wrong once in ten thousand spots. Chosen."""
PIECE_SHARE = 0.05
"""Part of a sighting's unlisted probability that goes to each single unlisted piece: there are about twenty. Chosen."""
EMPTY_SHARE = 0.25
"""Part that goes to "empty": the commonest thing that a reader forgets to list. Chosen."""


class Mistakes(NamedTuple):
    """The ways in which a kind of piece is misread beyond the listed candidates.

    The reader's probabilities come true (docs/accuracy.md), so a listed candidate keeps the probability that the
    reader gives. Only the rest is shared out here.
    """

    ways: Mapping[str, float]
    """By way of being wrong, its share of the rest."""

    def read(self, sighting: Detection, piece: Piece | None, way: str, share: float) -> float:
        """Probability that a sighting is `piece`, and not what it reads best as.

        Args:
            way: How it would be mistaken, and `share` the part of such mistakes that this piece has.
        """
        listed = sighting.probability(piece)
        rest = max(0.0, 1 - sum([one.probability for one in sighting.candidates]))
        return listed if listed > 0.0 else rest * self.ways.get(way, 0.0) * share


class Observation:
    """How a kind of piece is mistaken. Methods are asked of the kind of the best reading."""

    nothing_share = EMPTY_SHARE
    """The part of a detection's unlisted probability that goes to "no piece"."""
    remembered = False
    """True if each piece of the kind is remembered by its place."""
    thrown = False
    """True if a piece of the kind may show any face after a roll."""
    twice = 0.75
    """Exponent of the product of the likelihoods of two looks at the same moment: 1 if they are independent, 0.5
    if they are one look seen twice. Chosen; measured where a kind says its own."""
    touched = 1.0
    """Of pieces that stay, the share whose picture changes so much that their place is new: they were pushed, or lost
    from sight. 1: not measured, and no evidence."""
    touched_too = 1.0
    """The same share where another piece of the heap was plainly pushed, for a hand that pushes one pushes several."""
    more_beside_pushed = 1.0
    """The factor by which an added piece is likelier to be none where all others of its heap were pushed: pushed pieces
    are read anew, and a player who adds a piece seldom pushes all others. 1: not measured."""
    unlisted_ways = 1
    """So many things may a piece be that are not listed; each of them has to be read twice too."""

    def probability(self, sighting: Detection, piece: Piece | None) -> float:
        """How likely the sighting is `piece`, listed or not."""
        listed = 0.0
        for candidate in sighting.candidates:
            if candidate.piece == piece:
                return candidate.probability
            listed += candidate.probability
        return (1.0 - listed) * (self.nothing_share if piece is None else PIECE_SHARE)

    def shows_other(self, piece: Piece, other: Piece | None) -> bool:
        """Returns true if `other` is the same thing with another face up."""
        return False

    def alternatives(self, sighting: Detection) -> Iterator[Piece | None]:
        """Yields the other possible pieces of a detection; None: no piece of the game."""
        return iter(())

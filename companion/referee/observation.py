"""How each kind of piece is mistaken: what a sighting may be beside what it lists, with the constants of that kind.

One file a kind. What matching needs to know of pieces it asks here, so that it names no kind itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.core.layout import Detection
from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, Die, Piece, Pyramid, Stack

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


class DiceObservation(Observation):
    """The kind of a die is known; its upper face may be misread."""

    nothing_share = 0.12
    """Color is no evidence that a die lies there. Chosen."""
    thrown = True

    def shows_other(self, piece: Piece, other: Piece | None) -> bool:
        """Another face of the same kind of die."""
        same_kind = isinstance(piece, Die) and isinstance(other, Die) and other.kind == piece.kind
        return same_kind and other != piece


DICE = DiceObservation()


# The misreadings of pyramids: another size, no piece, seldom another color.
#
# The shares are of readings of drawn tables that no training saw, half of them shown empty first
# (`python -m simulation.drawn.sureness FILE...`, seeds 60000 to 66102): of 27,588 pyramids in supplies and trees 378
# were misread, and 116 were none of the listed candidates.

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


# The misreadings of stacks of pyramids: a piece more or less, a piece misread, or no stack.
#
# A lone piece among stalks is most often right; if none of its candidates is right, there is no piece or a stalk
# without its base. The shares are of readings of drawn tables that no training saw, half of them shown empty first
# (`python -m simulation.drawn.sureness FILE...`, seeds 60000 to 66102): of 15,839 stalks 1,794 were misread, and 674
# were none of the listed candidates.

BY_HEIGHT = (
    Mistakes(
        {"nothing": 0.560, "less": 0.381, "several": 0.046, "more": 0.003, "size": 0.003, "color": 0.003, "both": 0.003}
    ),
    Mistakes(
        {"several": 0.405, "less": 0.395, "size": 0.126, "more": 0.042, "nothing": 0.023, "color": 0.005, "both": 0.005}
    ),
    Mistakes(
        {"several": 0.627, "less": 0.134, "more": 0.134, "nothing": 0.059, "size": 0.030, "both": 0.011, "color": 0.006}
    ),
)
"""Of stacks that read as one piece, as two, and as more."""
EITHER = 4
"""So many pieces a phantom in a stack may read as: mostly its neighbors' colors and sizes. Chosen."""
WAYS = 30
"""So many stacks with two mistakes are as likely as each other. Chosen."""


class StackObservation(Observation):
    """Stacks, read as one thing each."""

    remembered = True
    unlisted_ways = PYRAMIDS.unlisted_ways

    def probability(self, sighting: Detection, piece: Piece | None) -> float:
        """By how sure the reader is, and by what stacks of this height are mistaken for."""
        read = sighting.piece
        assert isinstance(read, Stack)
        mistakes = BY_HEIGHT[min(len(read.pieces), len(BY_HEIGHT)) - 1]
        if piece == read:
            return sighting.confidence
        if piece is None:
            return mistakes.read(sighting, None, "nothing", 1.0)
        return mistakes.read(sighting, piece, *_mistaken(read, piece)) if isinstance(piece, Stack) else 0.0

    def alternatives(self, sighting: Detection) -> Iterator[Piece | None]:
        """Stacks with one other piece, the listed ones, and no stack."""
        read = sighting.piece
        assert isinstance(read, Stack)
        others: dict[Piece | None, None] = {one.piece: None for one in sighting.candidates[1:]}
        for at, level in enumerate(read.pieces):
            for piece in near(level):
                others[Stack((*read.pieces[:at], piece, *read.pieces[at + 1 :]))] = None
        yield from {**others, None: None}


STACKS = StackObservation()


def is_one_off(one: Sequence[Piece], other: Sequence[Piece]) -> bool:
    """Returns true if two stacks differ by one additional piece, anywhere in one of them."""
    if abs(len(one) - len(other)) != 1:
        return False
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    return any((*longer[:at], *longer[at + 1 :]) == tuple(shorter) for at in range(len(longer)))


def _mistaken(read: Stack, piece: Stack) -> tuple[str, float]:
    """The way in which `read` is mistaken that is `piece`, and the part of such mistakes that are this stack."""
    mine, theirs = read.pieces, piece.pieces
    if is_one_off(mine, theirs):
        return ("less", 1.0) if len(mine) < len(theirs) else ("more", 1 / EITHER)
    if len(mine) != len(theirs):
        return "several", 1 / WAYS if abs(len(mine) - len(theirs)) == 2 else 0.0
    apart = [(one, other) for one, other in zip(mine, theirs, strict=True) if one != other]
    if len(apart) == 1:
        way, share = mistaken(*apart[0])
        return way, share / len(mine)
    return "several", 1 / WAYS if len(apart) == 2 else 0.0


__all__ = ["FLOOR", "Observation", "observation_of"]

_PLAIN = Observation()
_KINDS: dict[type, Observation] = {Pyramid: PYRAMIDS, Stack: STACKS, Die: DICE}


def observation_of(piece: Piece | None) -> Observation:
    """How pieces of this kind are mistaken; None: an empty place, and every kind without a model of its own."""
    return _KINDS.get(type(piece), _PLAIN)

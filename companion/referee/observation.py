"""The ways in which each kind of piece is misread, with the constants of that kind.

Matching asks this module what a detection may be besides its listed candidates, and so needs to know no kind of piece
itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.core.layout import Detection
from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, Die, Piece, Pyramid, Stack

FLOOR = 1e-4
"""The least likelihood of any prediction, because any reader may be wrong once in ten thousand spots. Chosen."""
PIECE_SHARE = 0.05
"""The part of a detection's unlisted probability that goes to each single unlisted piece; there are about twenty.
Chosen."""
EMPTY_SHARE = 0.25
"""The part of a detection's unlisted probability that goes to "empty", the commonest omission of a reader. Chosen."""


class Mistakes(NamedTuple):
    """The ways in which a kind of piece is misread beyond the listed candidates.

    The reader's probabilities are calibrated (docs/accuracy.md), so a listed candidate keeps its probability. Only the
    remaining probability is distributed here.
    """

    ways: Mapping[str, float]
    """The share of the remaining probability, by kind of mistake."""

    def read(self, sighting: Detection, piece: Piece | None, way: str, share: float) -> float:
        """Returns the probability that a detection is `piece` although it reads best as another one.

        Args:
            way: The kind of mistake; `share` is the part of such mistakes that belongs to this piece.
        """
        listed = sighting.probability(piece)
        rest = max(0.0, 1 - sum([one.probability for one in sighting.candidates]))
        return listed if listed > 0.0 else rest * self.ways.get(way, 0.0) * share


class Observation:
    """The ways in which a kind of piece is misread. Callers choose the object by the kind of the best reading."""

    nothing_share = EMPTY_SHARE
    """The part of a detection's unlisted probability that goes to "no piece"."""
    remembered = False
    """True if each piece of the kind is remembered by its place."""
    thrown = False
    """True if a piece of the kind may show any face after a roll."""
    twice = 0.75
    """The exponent for the product of the likelihoods of two looks at the same moment: 1 if they are independent, 0.5
    if the second look adds nothing. Chosen; measured for kinds that set their own value."""
    touched = 1.0
    """The share of unmoved pieces whose picture changes so much that they seem to be at a new place, because they were
    pushed or lost from sight. 1: not measured, and no evidence."""
    touched_too = 1.0
    """The same share if another piece of the heap was clearly pushed, because a hand that pushes one piece often pushes
    several."""
    more_beside_pushed = 1.0
    """The factor by which an added piece is more likely to be no new piece if all others of its heap were pushed:
    pushed pieces are read again, and a player who adds a piece seldom pushes all others. 1: not measured."""
    unlisted_ways = 1
    """The number of unlisted things that a piece may be; a second look must misread it as the same one."""

    def probability(self, sighting: Detection, piece: Piece | None) -> float:
        """Returns the probability that the detection is `piece`, listed or not."""
        listed = 0.0
        for candidate in sighting.candidates:
            if candidate.piece == piece:
                return candidate.probability
            listed += candidate.probability
        return (1.0 - listed) * (self.nothing_share if piece is None else PIECE_SHARE)

    def shows_other(self, piece: Piece, other: Piece | None) -> bool:
        """True if `other` may be the same thing with another face up."""
        return False

    def alternatives(self, sighting: Detection) -> Iterator[Piece | None]:
        """Yields the other possible pieces of a detection; None stands for no piece of the game."""
        return iter(())

    def lookalikes(self, sighting: Detection) -> Iterator[Piece]:
        """Yields the pieces that readers most often take for the best reading of a detection."""
        return iter(())


class DiceObservation(Observation):
    """Dice: the kind of a die is read reliably, but its upper face may be misread."""

    nothing_share = 0.12
    """The share of "no piece"; a patch of color alone does not show that a die is there. Chosen."""
    thrown = True

    def shows_other(self, piece: Piece, other: Piece | None) -> bool:
        """True for another face of the same kind of die."""
        same_kind = isinstance(piece, Die) and isinstance(other, Die) and other.kind == piece.kind
        return same_kind and other != piece


DICE = DiceObservation()


# The misreadings of pyramids: another size, no piece, rarely another color.
#
# The shares come from readings of drawn tables that no training saw, half of them shown empty first (`python -m
# simulation.drawn.sureness FILE...`, seeds 60000 to 66102): of 27,588 pyramids in supplies and trees 378 were misread,
# and 116 were none of the listed candidates.

LONE = Mistakes({"nothing": 0.614, "size": 0.301, "color": 0.055, "both": 0.030})
"""The mistakes for pyramids that are listed one by one."""
FAR = 0.25
"""The factor by which a small is read as a large more rarely than as a medium. Chosen."""
LIKE, UNLIKE = 0.25, 0.03
"""The parts of the mistakes in color that go to each similar color (under some lamp), and to each other color.
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
        """Returns the probability from the reader's confidence and from the usual mistakes with pyramids."""
        read = sighting.piece
        if piece == read:
            return sighting.confidence
        if piece is None:
            return LONE.read(sighting, None, "nothing", 1.0)
        if not isinstance(read, Pyramid) or not isinstance(piece, Pyramid):
            return 0.0
        return LONE.read(sighting, piece, *mistaken(read, piece))

    def alternatives(self, sighting: Detection) -> Iterator[Piece | None]:
        """Yields every other color and size, and no piece."""
        read = sighting.piece
        assert isinstance(read, Pyramid)
        yield from near(read)
        yield None

    def lookalikes(self, sighting: Detection) -> Iterator[Piece]:
        """Colors that look alike, and the next sizes."""
        read = sighting.piece
        assert isinstance(read, Pyramid)
        yield from (one for one in near(read) if _is_alike(read, one))


PYRAMIDS = PyramidObservation()


def near(read: Pyramid) -> Iterator[Pyramid]:
    """Yields all pyramids of another color, another size, or both."""
    for color in PYRAMID_COLORS:
        for size in PYRAMID_SIZES:
            if (color, size) != (read.color, read.size):
                yield Pyramid(color, size)


def _is_alike(read: Pyramid, piece: Pyramid) -> bool:
    """Returns true if one is a color like the other's in its size, or the next size in its color."""
    apart = abs(PYRAMID_SIZES.index(read.size) - PYRAMID_SIZES.index(piece.size))
    return apart == 1 if read.color == piece.color else apart == 0 and frozenset((read.color, piece.color)) in ALIKE


def mistaken(read: Pyramid, piece: Pyramid) -> tuple[str, float]:
    """Returns the kind of mistake that reads `piece` as `read`, and the part of such mistakes that belongs to
    `piece`.
    """
    apart = abs(PYRAMID_SIZES.index(read.size) - PYRAMID_SIZES.index(piece.size))
    nexts = 2 if read.size == PYRAMID_SIZES[1] else 1 + FAR
    size = (1.0 if apart == 1 else FAR) / nexts
    if read.color == piece.color:
        return "size", size
    color = LIKE if frozenset((read.color, piece.color)) in ALIKE else UNLIKE
    return ("color", color) if apart == 0 else ("both", size * color)


# The misreadings of stacks of pyramids: a piece too many or too few, a misread piece, or no stack.
#
# A lone piece among stalks is usually right. If none of its candidates is right, there is no piece or a stalk without
# its base. The shares are of readings of drawn tables that no training saw, half of them shown empty first (`python -m
# simulation.drawn.sureness FILE...`, seeds 60000 to 66102): of 15,839 stalks 1,794 were misread, and 674 were none of
# the listed candidates.

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
"""The mistakes for stacks that read as one piece, as two pieces, and as more."""
EITHER = 4
"""The number of pieces as which a phantom in a stack may be read, mostly with its neighbors' colors and sizes.
Chosen."""
WAYS = 30
"""The number of equally likely stacks with two mistakes. Chosen."""


class StackObservation(Observation):
    """Stacks, each read as one thing."""

    remembered = True
    unlisted_ways = PYRAMIDS.unlisted_ways

    def probability(self, sighting: Detection, piece: Piece | None) -> float:
        """Returns the probability from the reader's confidence and from the usual mistakes with stacks of this
        height.
        """
        read = sighting.piece
        assert isinstance(read, Stack)
        mistakes = BY_HEIGHT[min(len(read.pieces), len(BY_HEIGHT)) - 1]
        if piece == read:
            return sighting.confidence
        if piece is None:
            return mistakes.read(sighting, None, "nothing", 1.0)
        return mistakes.read(sighting, piece, *_mistaken(read, piece)) if isinstance(piece, Stack) else 0.0

    def alternatives(self, sighting: Detection) -> Iterator[Piece | None]:
        """Yields stacks with one other piece, the listed stacks, and no stack."""
        read = sighting.piece
        assert isinstance(read, Stack)
        others: dict[Piece | None, None] = {one.piece: None for one in sighting.candidates[1:]}
        for at, level in enumerate(read.pieces):
            for piece in near(level):
                others[Stack((*read.pieces[:at], piece, *read.pieces[at + 1 :]))] = None
        yield from {**others, None: None}

    def lookalikes(self, sighting: Detection) -> Iterator[Piece]:
        """Stacks with one piece that looks alike."""
        read = sighting.piece
        assert isinstance(read, Stack)
        for at, level in enumerate(read.pieces):
            for piece in near(level):
                if _is_alike(level, piece):
                    yield Stack((*read.pieces[:at], piece, *read.pieces[at + 1 :]))


STACKS = StackObservation()


def is_one_off(one: Sequence[Piece], other: Sequence[Piece]) -> bool:
    """True if two stacks differ by one additional piece, anywhere in one of them."""
    if abs(len(one) - len(other)) != 1:
        return False
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    return any((*longer[:at], *longer[at + 1 :]) == tuple(shorter) for at in range(len(longer)))


def _mistaken(read: Stack, piece: Stack) -> tuple[str, float]:
    """Returns the kind of mistake that reads `piece` as `read`, and the part of such mistakes that belongs to
    `piece`.
    """
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
    """Returns how pieces of this kind are misread. An empty place (None) and kinds without a model have a general
    one.
    """
    return _KINDS.get(type(piece), _PLAIN)

"""How stacks of pyramids are mistaken: for one with a piece more or less, or with one piece misread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.layout import Sighting
from companion.observation.model import INVENTED, PIECE_SHARE, Observation
from companion.observation.pyramids import PYRAMIDS, mistaken, near
from companion.pieces import Piece, Stack

HEIGHT_SHARE = 0.02
"""Part of the unlisted probability that goes to each stack with one piece more or less: there are dozens. Chosen."""
MISCOUNTED = 0.015
"""How likely a stack with another number of pieces is at most, beside the best reading, if no candidate has it. Held by
`python -m tests.drawn.games --eyes doubting`."""
UNNAMED = 0.045
"""The same for each piece of a stack that is another one than in the best reading."""


class StackObservation(Observation):
    """Stacks, read as one thing each."""

    nothing_share = PYRAMIDS.nothing_share
    remembered = True
    unlisted_ways = PYRAMIDS.unlisted_ways

    def share(self, read: Piece, piece: Piece) -> float:
        """Little to a stack of another height, nothing to one that differs by more than a piece."""
        if not isinstance(read, Stack) or not isinstance(piece, Stack):
            return PIECE_SHARE
        mine, theirs = piece.pieces, read.pieces
        if len(mine) != len(theirs):
            return HEIGHT_SHARE if is_one_off(mine, theirs) else 0.0
        return float(PIECE_SHARE ** sum(one != other for one, other in zip(mine, theirs, strict=True)))

    def most(self, read: Piece, piece: Piece) -> float:
        """How likely an unlisted stack is at most, beside the one that is read."""
        if not isinstance(read, Stack) or not isinstance(piece, Stack):
            return 1.0
        if len(read.pieces) != len(piece.pieces):
            return MISCOUNTED
        return float(UNNAMED ** sum(one != other for one, other in zip(read.pieces, piece.pieces, strict=True)))

    def invented(self, piece: Piece | None) -> float:
        """Each of its pieces must have been invented."""
        return float(INVENTED ** len(piece.pieces)) if isinstance(piece, Stack) else INVENTED

    def alternatives(self, sighting: Sighting) -> Iterator[tuple[Piece, float]]:
        """Stacks with one other piece, and those that are listed."""
        read = sighting.piece
        assert isinstance(read, Stack)
        listed = [one.piece for one in sighting.candidates[1:]]
        for at, level in enumerate(read.pieces):
            for piece in near(level):
                stack = Stack((*read.pieces[:at], piece, *read.pieces[at + 1 :]))
                if stack not in listed:
                    yield stack, mistaken(level, piece)
        for candidate in sighting.candidates[1:]:
            if isinstance(candidate.piece, Stack):
                yield candidate.piece, candidate.probability


STACKS = StackObservation()


def is_one_off(one: Sequence[Piece], other: Sequence[Piece]) -> bool:
    """Whether two stacks differ by one piece that one of them has more, anywhere in it."""
    if abs(len(one) - len(other)) != 1:
        return False
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    return any((*longer[:at], *longer[at + 1 :]) == tuple(shorter) for at in range(len(longer)))

"""The misreadings of stacks of pyramids: a piece more or less, a piece misread, or no stack.

A lone piece among stalks is most often right; if none of its candidates is right, there is no piece or a stalk without
its base. The shares are of readings of drawn tables that no training saw, half of them shown empty first (`python -m
simulation.drawn.sureness FILE...`, seeds 60000 to 66102): of 15,839 stalks 1,794 were misread, and 674 were none of the
listed candidates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.core.layout import Detection
from companion.core.pieces import Piece, Stack
from companion.referee.observation.model import Mistakes, Observation
from companion.referee.observation.pyramids import PYRAMIDS, mistaken, near

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

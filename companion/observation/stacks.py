"""How stacks of pyramids are mistaken: for one with a piece more or less, or with a piece misread, or for nothing.

A lone pyramid in a stalk is most often right; what is left of a stalk whose base was lost is read with a doubt.
The figures are of readings of drawn tables that no training saw, shown empty first, of seeds 1000, 1002 to 1222
(`python -m simulation.drawn.misreadings FILE... --every even`): of 1,674 stalks 301 were misread.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.layout import Sighting
from companion.observation.model import Mistakes, Observation
from companion.observation.pyramids import PYRAMIDS, mistaken, near
from companion.pieces import Piece, Stack

BY_HEIGHT = (
    Mistakes({"nothing": 0.74, "less": 0.19, "several": 0.07}),
    Mistakes({"less": 0.34, "size": 0.29, "several": 0.16, "nothing": 0.11, "more": 0.08, "color": 0.01, "both": 0.01}),
    Mistakes({"several": 0.60, "more": 0.16, "less": 0.11, "nothing": 0.07, "size": 0.04, "color": 0.01, "both": 0.01}),
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

    def probability(self, sighting: Sighting, piece: Piece | None) -> float:
        """By how sure the reader is, and by what stacks of this height are mistaken for."""
        read = sighting.piece
        assert isinstance(read, Stack)
        mistakes = BY_HEIGHT[min(len(read.pieces), len(BY_HEIGHT)) - 1]
        if piece == read:
            return sighting.confidence
        if piece is None:
            return mistakes.read(sighting, None, "nothing", 1.0)
        return mistakes.read(sighting, piece, *_mistaken(read, piece)) if isinstance(piece, Stack) else 0.0

    def alternatives(self, sighting: Sighting) -> Iterator[Piece | None]:
        """Stacks with one other piece, those that are listed, and nothing."""
        read = sighting.piece
        assert isinstance(read, Stack)
        others: dict[Piece | None, None] = {one.piece: None for one in sighting.candidates[1:]}
        for at, level in enumerate(read.pieces):
            for piece in near(level):
                others[Stack((*read.pieces[:at], piece, *read.pieces[at + 1 :]))] = None
        yield from {**others, None: None}


STACKS = StackObservation()


def is_one_off(one: Sequence[Piece], other: Sequence[Piece]) -> bool:
    """Whether two stacks differ by one piece that one of them has more, anywhere in it."""
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

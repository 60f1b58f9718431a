"""How dice are mistaken."""

from __future__ import annotations

from companion.core.pieces import Die, Piece
from companion.referee.observation.model import Observation


class DiceObservation(Observation):
    """What a die is, is known; which face is up may be misread."""

    nothing_share = 0.12
    """Color says nothing of whether a die lies there. Chosen."""
    thrown = True

    def shows_other(self, piece: Piece, other: Piece | None) -> bool:
        """Another face of the same kind of die."""
        same_kind = isinstance(piece, Die) and isinstance(other, Die) and other.kind == piece.kind
        return same_kind and other != piece


DICE = DiceObservation()

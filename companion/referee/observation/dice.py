"""How dice are mistaken."""

from __future__ import annotations

from companion.core.pieces import Die, Piece
from companion.referee.observation.model import Observation


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

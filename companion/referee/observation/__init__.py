"""How each kind of piece is mistaken: what a sighting may be beside what it lists, with the constants of that kind.

One file a kind. What matching needs to know of pieces it asks here, so that it names no kind itself.
"""

from __future__ import annotations

from companion.core.pieces import Die, Piece, Pyramid, Stack
from companion.referee.observation.dice import DICE
from companion.referee.observation.model import FLOOR, Observation
from companion.referee.observation.pyramids import PYRAMIDS
from companion.referee.observation.stacks import STACKS

__all__ = ["FLOOR", "Observation", "observation_of"]

_PLAIN = Observation()
_KINDS: dict[type, Observation] = {Pyramid: PYRAMIDS, Stack: STACKS, Die: DICE}


def observation_of(piece: Piece | None) -> Observation:
    """How pieces of this kind are mistaken; None: an empty place, and every kind without a model of its own."""
    return _KINDS.get(type(piece), _PLAIN)

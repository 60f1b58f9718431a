"""How each kind of piece is mistaken: what a sighting may be beside what it lists, with the constants of that kind.

One file a kind. What matching needs to know of pieces it asks here, so that it names no kind itself.
"""

from __future__ import annotations

from companion.observation.dice import DICE
from companion.observation.model import FLOOR, Observation
from companion.observation.pyramids import PYRAMIDS
from companion.observation.stacks import STACKS
from companion.pieces import Die, Piece, Pyramid, Stack

__all__ = ["FLOOR", "Observation", "observation_of"]

_PLAIN = Observation()
_KINDS: dict[type, Observation] = {Pyramid: PYRAMIDS, Stack: STACKS, Die: DICE}


def observation_of(piece: Piece | None) -> Observation:
    """How pieces of this kind are mistaken; None: an empty place, and every kind without a model of its own."""
    return _KINDS.get(type(piece), _PLAIN)

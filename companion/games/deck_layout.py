"""Cards as layouts hold them: one sure sighting for each card, made once."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.deck import PIECES
from companion.layout import Sighting
from companion.pieces import Piece

SURE: tuple[Sighting, ...] = tuple(Sighting.sure(piece) for piece in PIECES)
"""By number."""
NOTHING = Sighting.sure(None)
"""An empty cell."""


def heap(cards: Iterable[int]) -> tuple[Sighting, ...]:
    """Known cards as a heap."""
    return tuple([SURE[number] for number in cards])


def pieces(cards: Iterable[int]) -> tuple[Piece, ...]:
    """Known cards as pieces, for the covered part of a heap."""
    return tuple([PIECES[number] for number in cards])

"""Cards as layouts hold them: one sure sighting for each card, made once."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.deck import NUMBER, NUMBER_CARDS, PIECES
from companion.layout import Layout, Sighting, Spot
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


def numbers_seen(seen: Layout, spot: Spot) -> set[int] | None:
    """The number cards seen in a heap; None where nobody looked."""
    there = seen.heaps.get(spot)
    if there is None:
        return None
    return {number for one in there if (number := NUMBER.get(one.piece, NUMBER_CARDS)) < NUMBER_CARDS}

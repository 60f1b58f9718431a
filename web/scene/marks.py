"""Marks on a board, the same for all games."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from companion.core.layout import Spot
from companion.core.pieces import Piece
from web.scene.signs import Sign, signs


class Marks(Struct, frozen=True):
    """The spots to highlight, each kind with a pattern besides its color, and the signs of the players."""

    legal: Mapping[Spot, str] = {}
    """The spots to which the chosen piece may go, with the points as text: "24"; may be empty text."""
    last: frozenset[Spot] = frozenset()
    """The spots of the last move."""
    refused: frozenset[Spot] = frozenset()
    """The spots that are not allowed."""
    about: frozenset[Spot] = frozenset()
    """Other spots of a question or a broken rule."""
    changed: frozenset[Spot] = frozenset()
    """The spots that a correction or an answer would change."""
    ghosts: Mapping[Spot, Piece | None] = {}
    """The trial contents of spots: a piece, or None for a piece that would be gone."""
    signs: tuple[Sign, ...] = ()
    """The signs of the players by seat."""

    def sign(self, seat: int) -> Sign:
        """Returns a player's sign; if it is unknown, a sign by the number of the seat."""
        return self.signs[seat] if seat < len(self.signs) else signs((seat,))[0]


NOTHING = Marks()

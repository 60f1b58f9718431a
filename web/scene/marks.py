"""Marks on a board, whatever the game."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from companion.core.layout import Spot
from companion.core.pieces import Piece
from web.scene.signs import Sign, signs


class Marks(Struct, frozen=True):
    """Spots to point out, each kind with a pattern besides its color, and whose is what."""

    legal: Mapping[Spot, str] = {}
    """Where the chosen piece may go, with what it earns: "24"; may be empty text."""
    last: frozenset[Spot] = frozenset()
    """Where the last move went."""
    refused: frozenset[Spot] = frozenset()
    """Spots that are not allowed."""
    about: frozenset[Spot] = frozenset()
    """Other spots of a question or a broken rule."""
    changed: frozenset[Spot] = frozenset()
    """Spots that a correction or an answer would change."""
    ghosts: Mapping[Spot, Piece | None] = {}
    """Trial contents of spots: a piece, or None if a piece would be gone."""
    signs: tuple[Sign, ...] = ()
    """The sign of each player's own pieces, by seat."""

    def sign(self, seat: int) -> Sign:
        """A player's sign; of unknown people, a seat's."""
        return self.signs[seat] if seat < len(self.signs) else signs((seat,))[0]


NOTHING = Marks()

"""What to point out on a board, whatever the game."""

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
    """What is not allowed."""
    about: frozenset[Spot] = frozenset()
    """What else a question or a broken rule is about."""
    changed: frozenset[Spot] = frozenset()
    """What a correction or an answer would change."""
    ghosts: Mapping[Spot, Piece | None] = {}
    """What lies there on trial only: a piece, or None where a piece would be gone."""
    signs: tuple[Sign, ...] = ()
    """What marks each player's own, by seat."""

    def sign(self, seat: int) -> Sign:
        """A player's sign; of people whom nobody knows, a seat's."""
        return self.signs[seat] if seat < len(self.signs) else signs((seat,))[0]


NOTHING = Marks()

"""What to point out on a board, whatever the game."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from companion.layout import Spot
from companion.pieces import Piece


class Marks(Struct, frozen=True):
    """Spots to point out; each kind has a sign besides its color."""

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


NOTHING = Marks()

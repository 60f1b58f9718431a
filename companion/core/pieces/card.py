"""Cards of the Spectrum deck (DEK-1): number cards and specials."""

from __future__ import annotations

from msgspec import Struct


class Card(Struct, frozen=True, tag="card", cache_hash=True):
    """A number card: a color of the wheel and a rank of 1 to 12."""

    color: str
    rank: int


class Special(Struct, frozen=True, tag="special", cache_hash=True):
    """A special card, by its kind: "swap red/green", "draw", "pass hand left", ..."""

    kind: str

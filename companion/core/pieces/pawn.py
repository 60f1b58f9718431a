"""Pawns of the Spectrum board (BRD-5)."""

from __future__ import annotations

from msgspec import Struct


class Pawn(Struct, frozen=True, tag="pawn", cache_hash=True):
    """A pawn of one of the six primary colors."""

    color: str

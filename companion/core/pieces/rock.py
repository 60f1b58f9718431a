"""Colored rocks, drawn from a bag to say which color comes next (ICE-2)."""

from __future__ import annotations

from msgspec import Struct


class Rock(Struct, frozen=True, tag="rock", cache_hash=True):
    """One rock, which has only a color."""

    color: str

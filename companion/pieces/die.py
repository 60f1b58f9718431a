"""Dice as they lie: the kind and the face that is up."""

from __future__ import annotations

from msgspec import Struct


class Die(Struct, frozen=True, tag="die"):
    """One die after a roll.

    `kind` is "spectrum-d6", "spectrum-d12" or "pips-d6"; `face` is the color name or the number of pips that is up.
    """

    kind: str
    face: str | int

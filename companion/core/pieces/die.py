"""Dice as they lie: the kind and the face that is up."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

WHEEL = (
    "red",
    "red-orange",
    "orange",
    "orange-yellow",
    "yellow",
    "yellow-green",
    "green",
    "green-blue",
    "blue",
    "blue-purple",
    "purple",
    "purple-red",
)
"""Clockwise; even places are primaries, odd ones intermediates; the opposite is six places on."""

PRIMARIES = WHEEL[0::2]
"""The colors of pawns and of six-sided dice."""

INTERMEDIATES = WHEEL[1::2]
"""Each lies between two primaries and is named for both."""


class Die(Struct, frozen=True, tag="die", cache_hash=True):
    """One die after a roll.

    `kind` is "spectrum-d6", "spectrum-d12" or "pips-d6"; `face` is the color name or the number of pips that is up.
    """

    kind: str
    face: str | int


FACES: Mapping[str, tuple[str | int, ...]] = {
    "spectrum-d6": PRIMARIES,
    "spectrum-d12": WHEEL,
    "pips-d6": (1, 2, 3, 4, 5, 6),
}
"""Kind to its faces, each as likely as the others."""

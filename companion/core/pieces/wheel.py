"""The wheel of twelve colors that Spectrum's board, dice and cards share (BRD-1)."""

from __future__ import annotations

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

"""Spectrump: tricks that are worth their shades of trump, and cost the trump itself (rules UMP-1 to UMP-13)."""

from companion.games.spectrump.game import SPECTRUMP

__all__ = ["SPECTRUMP"]

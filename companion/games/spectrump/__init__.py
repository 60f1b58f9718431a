"""Spectrump: tricks that are worth their shades of trump, and cost the trump itself (rules UMP-1 to UMP-13)."""

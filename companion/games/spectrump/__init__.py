"""Spectrump: tricks count by their shades of trump, and the trump itself costs points (rules UMP-1 to UMP-13,
docs/rules/spectrump.md).
"""

"""Spectrum Escape: players move pawns from the center of the board over its rim (rules ESC-1 to ESC-21,
docs/rules/escape.md).
"""

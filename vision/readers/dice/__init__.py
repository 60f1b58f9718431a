"""Reads dice in a tray: Spectrum dice with six and twelve colors, and dice with pips."""

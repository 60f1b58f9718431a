"""Reads a Spectrum board and the pawns on it."""

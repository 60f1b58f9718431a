"""Spectrangle: 36 triangular tiles on a triangular board (rules TRI-1 to TRI-25, docs/rules/spectrangle.md)."""

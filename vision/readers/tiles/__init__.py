"""Reads Spectrangle tiles: finds the board, and reads its 36 cells and the loose tiles of the hands beside it."""

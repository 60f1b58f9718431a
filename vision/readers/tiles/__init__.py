"""Spectrangle tiles: finding the board, reading its 36 cells, and the loose tiles of the hands beside it."""

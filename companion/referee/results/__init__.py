"""Remembers finished and unfinished games: results, and the records of players and pairs of players."""

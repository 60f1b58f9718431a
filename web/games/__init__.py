"""The page of each game: its presenter, and the advice beside its board."""

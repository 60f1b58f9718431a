"""The page of each game: how it looks, and the advice beside its board."""

"""Lessons of five minutes, one for each kind of game: the real rules and the real page."""

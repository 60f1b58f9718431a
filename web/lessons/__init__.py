"""Lessons of five minutes, one for each kind of game, with the real rules and the real page."""

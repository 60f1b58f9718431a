"""Decides which pictures are read: the table rests, and no hand is in view."""

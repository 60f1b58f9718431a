"""Tracks pieces from picture to picture, and detects things that cover them."""

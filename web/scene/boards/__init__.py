"""Boards as scenes."""

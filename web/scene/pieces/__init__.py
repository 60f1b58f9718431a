"""Pieces as scenes."""

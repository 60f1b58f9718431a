"""Presenters that several games share."""

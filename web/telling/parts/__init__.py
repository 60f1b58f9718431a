"""Advisers that several games share."""

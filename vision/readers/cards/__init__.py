"""Reads cards of the Spectrum deck on a table: their places and identities."""

"""Spectrum Escape: pawns leave the board from the center over the rim (rules ESC-1 to ESC-21, docs/rules/escape.md)."""

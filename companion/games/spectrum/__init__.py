"""Spectrum, the board game, with its variants (BRD-1 to BRD-37, VAR-1 to VAR-30; docs/rules/spectrum.md)."""

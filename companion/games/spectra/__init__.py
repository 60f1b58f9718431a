"""Spectra: players exchange colors to build three trees of one color (rules SPA-1 to SPA-28, docs/rules/spectra.md)."""

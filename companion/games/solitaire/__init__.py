"""Spectrum Solitaire: 144 cards, twelve piles, twelve foundations (rules SOL-1 to SOL-12, docs/rules/solitaire.md)."""

"""Spectrumo: shades or ranks go on each other, and an empty hand wins (UMO-1 to UMO-16, docs/rules/spectrumo.md)."""

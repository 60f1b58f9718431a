"""Spectrumo: players lay shades or equal ranks on each other, and an empty hand wins (rules UMO-1 to UMO-16,
docs/rules/spectrumo.md).
"""
